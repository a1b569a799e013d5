import type { Reproduction } from '../conduct/drawn.ts';
import { counted } from '../verdict/verdict.ts';
import { tally } from './look.ts';
import { findingsOf, grouped, openOf, type Report, type ReportedRequirement, selectedOf } from './report.ts';
import { inertLine, secondsText, some } from './text.ts';

/** What of a report a finding needs. */
export type Shown = Pick<Report, 'target' | 'scope' | 'requirements'> & Partial<Pick<Report, 'knownFailures' | 'runs'>>;

/** What there is to say of a requirement that is not passed, a name and a value each. */
export function findingRows(one: ReportedRequirement, report: Shown): [name: string, value: string][] {
  const { id, reason, expected, got, seen, reproduction } = one;
  const often = seen && seen.of > 1 && `${seen.times} of ${seen.of} times`;
  const rows = {
    'known failure': report.knownFailures?.listed.find(({ slug }) => slug === id)?.reason,
    ...(expected === undefined ? { why: reason } : { expected, got }),
    'seen in': seenIn(one, report),
    failed: [often, reproduction && againText(reproduction)].filter(Boolean).join('; ') || undefined,
  };
  return Object.entries(rows).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/**
 * In how many runs of a merged report, and in which, a requirement had its outcome; undefined in the report of one run.
 */
function seenIn({ seenIn: places }: ReportedRequirement, { runs }: Pick<Shown, 'runs'>): string | undefined {
  if (places === undefined || runs === undefined) return undefined;
  if (places.length === runs.length) return `each of ${counted(runs.length, 'run')}`;
  const ours = places.flatMap((place) => runs[place] ?? []);
  const seeds = ours.flatMap(({ seed }) => seed ?? []);
  const seeded = `seed${seeds.length === 1 ? '' : 's'} ${some(seeds.map(String))}`;
  const names = seeds.length === ours.length ? seeded : some(ours.map(({ from }) => from));
  return `${places.length} of ${counted(runs.length, 'run')}: ${names}`;
}

/** What could not be verified for another reason than a failure: each reason, with the slugs. */
export function notVerified(report: Report): [reason: string, slugs: string[]][] {
  const told = findingsOf(report).map(({ id }) => id);
  const open = openOf(report).filter(({ needs = '' }) => !told.includes(needs));
  const reasonOf = (one: ReportedRequirement) => [one.reason, seenIn(one, report)].filter(Boolean).join('; ');
  return grouped(open, reasonOf).map(([reason, rows]) => [reason, rows.map(({ id }) => id)]);
}

function againText({ seen, tried, cases }: Reproduction): string {
  if (seen === 0) return 'not reproduced when retried';
  const together = 'only with other requests: it depends on what is sent before or concurrently';
  return `reproduced in ${seen} of ${tried} retries, ${cases.length === 1 ? 'by one request alone' : together}`;
}

/** How much was judged and sent, a name and a value each. */
export function numbers(report: Report): [string, string][] {
  const { users, scope, requests, runs, duration } = report;
  const tag = users.tag && ` (tag ${users.tag})`;
  const made = users.created ? `${counted(users.created, 'user')} created${tag}` : 'no users created';
  const sent = `${counted(requests, 'request')}${runs ? ` in ${counted(runs.length, 'run')}` : ''}`;
  const counts = (['MUST', 'SHOULD'] as const).map((level): [string, string] => {
    const rows = selectedOf(report).filter((one) => one.level === level);
    const texts = tally(rows, scope.strict).map(({ text }) => text);
    return [level, texts.join(', ') || 'none'];
  });
  return [...counts, ['sent', `${sent}, ${made}, ${secondsText(duration)}`]];
}

/**
 * How deep a thorough run looked, a label and a value each: with them "conformant" can be read. None for any other run.
 */
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
