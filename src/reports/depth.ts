import type { Coverage } from '../conduct/coverage.ts';
import { counted } from '../verdict/verdict.ts';
import { inertLine } from './text.ts';

/** How deep a thorough run looked, a label and a value each: with them "conformant" can be read. */
export function depthRows(coverage: Coverage): [label: string, value: string][] {
  const { seed, bounds, ended, rounds, users, widestPage, longestPauseMs, kinds, expected, halves } = coverage;
  const of = (name: 'cases' | 'failed') => halves.map((half) => half[name]).join(', then ');
  const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((total, one) => total + one, 0);
  return [
    ['seed', `${seed}`],
    ['limits', `${bounds.seconds} s, ${bounds.requests} requests, ${bounds.users} users; ${inertLine(ended)}`],
    ['users', `${users}, longest list ${widestPage}`],
    ['expected', `${expected.requests} requests, ${expected.atEnd} of them kept for the end`],
    ['concurrency', `${coverage.mostAtOnce} requests, ${coverage.creationsAtOnce} creations in flight`],
    ['longest pause', `${(longestPauseMs / 1000).toFixed(1)} s`],
    ['cases', `${sum(kinds)} of ${Object.keys(kinds).length} kinds in ${counted(rounds, 'round')}`],
    ['new', `${of('cases')} cases in each half of the rounds; ${of('failed')} failures`],
  ];
}
