import { expect, test } from 'vitest';
import { madeReport } from '../../tests/made-report.ts';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import { accepting } from './run.ts';

const outcome = (slug: string, name: OutcomeName): Outcome => ({
  ...{ slug, outcome: name, reason: 'got b' },
  ...{ exchanges: [], lookedAt: [] },
});

/** Of these one held in the baseline, and the others did not: the last is a SHOULD. */
const [HELD, UNHELD, WARNING] = ['list.total-integer', 'http.json', 'create.location'] as const;
const baseline = madeReport([
  { slug: HELD },
  { slug: UNHELD, outcome: 'failed' },
  { slug: WARNING, outcome: 'failed' },
]);

const accept = (one: Outcome, strict = false, failOn: 'failure' | 'regression' = 'regression') =>
  accepting({ settings: { strict, failOn }, knownFailures: [], baseline })(one);

test('what held before fails the run, and what did not is known', () => {
  const [held, unheld] = [outcome(HELD, 'failed'), outcome(UNHELD, 'failed')];
  expect(accept(held)).toBe(held);
  expect(accept(unheld)).toMatchObject({
    outcome: 'known-failure',
    reason: 'it did not hold in the baseline (got b)',
  });
  expect(accept(unheld, false, 'failure')).toBe(unheld);
});

test('what could not be verified leaves the run open only where it held before', () => {
  const [held, unheld] = [outcome(HELD, 'not-verified'), outcome(UNHELD, 'not-verified')];
  expect(accept(held)).toBe(held);
  expect(accept(unheld)).toEqual({ ...unheld, excused: true });
});

test('a warning stays one, and in strict mode counts as a MUST does', () => {
  const warning = outcome(WARNING, 'failed');
  expect(accept(warning)).toBe(warning);
  expect(accept(warning, true).outcome).toBe('known-failure');
});

test('what passes or does not apply stays as it is', () => {
  for (const name of ['passed', 'not-applicable'] as const) {
    const one = outcome(UNHELD, name);
    expect(accept(one)).toBe(one);
  }
});
