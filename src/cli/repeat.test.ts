import { expect, test } from 'vitest';
import type { OutcomeName } from '../requirement/outcome.ts';
import { countLines } from './repeat.ts';

/** Returns the outcomes of ten runs, those that are not counted not applicable. */
function counts(passed: number, failed: number, notVerified = 0): OutcomeName[] {
  const outcomes: OutcomeName[] = Array(10).fill('not-applicable');
  return outcomes
    .fill('passed', 0, passed)
    .fill('failed', passed, passed + failed)
    .fill('not-verified', passed + failed, passed + failed + notVerified);
}

test.each<[string, Record<string, OutcomeName[]>, string[]]>([
  [
    'a failure in each run',
    { 'a.one': counts(0, 10), 'a.two': counts(10, 0) },
    ['a.one fails 10 of 10'],
  ],
  ['a failure in some runs', { 'a.one': counts(7, 3) }, ['a.one fails 3 of 10']],
  ['a single requirement that passes', { 'a.one': counts(10, 0) }, ['a.one passes 10 of 10']],
  [
    'requirements that pass',
    { 'a.one': counts(10, 0), 'a.two': counts(10, 0) },
    ['each of 2 requirements passes 10 of 10'],
  ],
  [
    'an unverified requirement',
    { 'a.one': counts(8, 0, 2), 'a.two': counts(10, 0) },
    ['a.one is not verified 2 of 10', 'a.two passes 10 of 10'],
  ],
  ['requirements that do not apply', { 'a.one': counts(0, 0) }, ['no requirement was judged']],
])('%s', (_, countsBySlug, lines) => {
  expect(countLines(new Map(Object.entries(countsBySlug)), 10)).toEqual(lines);
});
