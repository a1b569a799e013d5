import { expect, test } from 'vitest';
import { madeReport } from '../../tests/made-report.ts';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import { type JudgeTerms, makeAccept } from './run.ts';

const outcome = (slug: string, name: OutcomeName): Outcome => ({
  slug,
  outcome: name,
  reason: 'got b',
  exchanges: [],
  lookedAt: [],
});

/** A requirement that held in the baseline. */
const HELD = 'list.total-integer';
/** A MUST that did not hold. */
const UNHELD = 'http.json';
/** A SHOULD that did not hold. */
const WARNING = 'create.location';
const baseline = madeReport([
  { slug: HELD },
  { slug: UNHELD, outcome: 'failed' },
  { slug: WARNING, outcome: 'failed' },
]);

const accept = (outcome: Outcome, settings: Partial<JudgeTerms['settings']> = {}) =>
  makeAccept({
    settings: { strict: false, failOn: 'regression', ...settings },
    knownFailures: [],
    baseline,
  })(outcome);

test('a failure fails the run if the requirement held in the baseline; otherwise it is known', () => {
  const held = outcome(HELD, 'failed');
  const unheld = outcome(UNHELD, 'failed');
  expect(accept(held)).toBe(held);
  expect(accept(unheld)).toMatchObject({
    outcome: 'known-failure',
    reason: 'it did not hold in the baseline (got b)',
  });
  expect(accept(unheld, { failOn: 'failure' })).toBe(unheld);
});

test('an unverified requirement leaves the run open only if it held in the baseline', () => {
  const held = outcome(HELD, 'not-verified');
  const unheld = outcome(UNHELD, 'not-verified');
  expect(accept(held)).toBe(held);
  expect(accept(unheld)).toEqual({ ...unheld, excused: true });
});

test('an old failure of a SHOULD stays a warning, and in strict mode is known', () => {
  const warning = outcome(WARNING, 'failed');
  expect(accept(warning)).toBe(warning);
  expect(accept(warning, { strict: true }).outcome).toBe('known-failure');
});

test('an outcome that passed or does not apply stays the same', () => {
  for (const name of ['passed', 'not-applicable'] as const) {
    const unheld = outcome(UNHELD, name);
    expect(accept(unheld)).toBe(unheld);
  }
});
