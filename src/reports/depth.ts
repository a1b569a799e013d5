import type { Coverage } from '../conduct/coverage.ts';
import { counted } from '../verdict/verdict.ts';
import { inertLine, some } from './text.ts';

/** How deep a thorough run looked, a label and a value each: with them "conformant" can be read. */
export function depthRows(coverage: Coverage): [label: string, value: string][] {
  const { seeds, bounds, ended, rounds, users, widestPage, mostAtOnce, longestPauseMs, kinds } = coverage;
  const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((total, one) => total + one, 0);
  return [
    [seeds.length === 1 ? 'seed' : 'seeds', some(seeds.map(String))],
    ['limits', `${bounds.seconds} s, ${bounds.requests} requests, ${bounds.users} users; ${inertLine(ended)}`],
    ['users', `${users}, longest list ${widestPage}`],
    ['concurrency', `${mostAtOnce} requests`],
    ['longest pause', `${(longestPauseMs / 1000).toFixed(1)} s`],
    ['cases', `${sum(kinds)} of ${Object.keys(kinds).length} kinds in ${counted(rounds, 'round')}`],
  ];
}
