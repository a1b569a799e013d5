import { expect, test } from 'vitest';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import { acceptUnheld } from './known-failures.ts';

const outcome = (slug: string, name: OutcomeName): Outcome => ({
  ...{ slug, outcome: name, reason: 'got b' },
  ...{ exchanges: [], lookedAt: [] },
});
const terms = { held: new Set(['a.held']), strict: false };

test('what held before fails the run, and what did not is known', () => {
  const [held, unheld] = [outcome('a.held', 'failed'), outcome('a.unheld', 'failed')];
  expect(acceptUnheld(held, 'MUST', terms.held, terms.strict)).toBe(held);
  expect(acceptUnheld(unheld, 'MUST', terms.held, terms.strict)).toMatchObject({
    outcome: 'known-failure',
    reason: 'it did not hold in the baseline (got b)',
  });
});

test('what could not be verified leaves the run open only where it held before', () => {
  const [held, unheld] = [outcome('a.held', 'not-verified'), outcome('a.unheld', 'not-verified')];
  expect(acceptUnheld(held, 'MUST', terms.held, terms.strict)).toBe(held);
  expect(acceptUnheld(unheld, 'MUST', terms.held, terms.strict)).toEqual({ ...unheld, excused: true });
});

test('a warning stays one, and in strict mode counts as a MUST does', () => {
  const warning = outcome('a.unheld', 'failed');
  expect(acceptUnheld(warning, 'SHOULD', terms.held, terms.strict)).toBe(warning);
  expect(acceptUnheld(warning, 'SHOULD', terms.held, true).outcome).toBe('known-failure');
});

test('what passes or does not apply stays as it is', () => {
  for (const name of ['passed', 'not-applicable'] as const) {
    const one = outcome('a.unheld', name);
    expect(acceptUnheld(one, 'MUST', terms.held, terms.strict)).toBe(one);
  }
});
