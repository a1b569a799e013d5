import { counted } from '../verdict/verdict.ts';
import { tally } from './look.ts';
import { type Report, selectedOf } from './report.ts';
import { inertLine, secondsText } from './text.ts';

/** How much was judged and sent, a name and a value each. */
export function numbers(report: Report): [string, string][] {
  const { users, scope, requests, runs, duration } = report;
  const made = users.created ? `${counted(users.created, 'user')} created` : 'no users created';
  const tag = users.created && users.tag ? ` (tag ${users.tag})` : '';
  const sent = `${counted(requests, 'request')}${runs ? ` in ${counted(runs.length, 'run')}` : ''}`;
  const counts = (['MUST', 'SHOULD'] as const).map((level): [string, string] => {
    const rows = selectedOf(report).filter((one) => one.level === level);
    const texts = tally(rows, scope.strict).map(({ text }) => text);
    return [level, texts.join(', ') || 'none'];
  });
  return [...counts, ['sent', `${sent}, ${made}${tag}, ${secondsText(duration)}`]];
}

/** How deep a thorough run looked, a label and a value each: with them "conformant" can be read. None for any other run. */
export function depthRows({ coverage }: Pick<Report, 'coverage'>): [label: string, value: string][] {
  if (coverage === undefined) return [];
  const { seed, bounds, ended, rounds, users, widestPage, longestPauseMs, kinds, expected, halves } = coverage;
  const of = (name: 'cases' | 'failed') => halves.map((half) => half[name]).join(', then ');
  const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((total, one) => total + one, 0);
  return [
    ['seed', `${seed}`],
    ['limits', `${bounds.seconds} s, ${bounds.requests} requests, ${bounds.users} users; ${inertLine(ended)}`],
    ['users', `${users}, longest list ${widestPage}`],
    ['expected', `${expected.requests} requests, ${expected.atEnd} of them kept for the end`],
    ['concurrency', `${coverage.mostAtOnce} requests, ${coverage.creationsAtOnce} creations in flight`],
    ['longest pause', secondsText(longestPauseMs)],
    ['cases', `${sum(kinds)} of ${Object.keys(kinds).length} kinds in ${counted(rounds, 'round')}`],
    ['new', `${of('cases')} cases in each half of the rounds; ${of('failed')} failures`],
  ];
}
