import { expect, test } from 'vitest';
import { countLines, type OutcomeCounts } from './repeat.ts';

const counts = (passed: number, failed: number, notVerified = 0): OutcomeCounts => ({
  passed,
  failed,
  notVerified,
});

test.each<[string, Record<string, OutcomeCounts>, string[]]>([
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
