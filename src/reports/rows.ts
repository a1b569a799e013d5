import { counted, lineToChange } from '../verdict/verdict.ts';
import { withStep } from './advice.ts';
import { countsText } from './appearance.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { findingsOf, groupBy, openRequirements, selectedRequirements } from './selection.ts';
import { sanitizeLine, secondsText } from './text.ts';

/** A label and its value. */
export type Row = readonly [label: string, value: string];

/** The headings of parts that the terminal, the summary and the page have in common. */
export const HEADINGS = {
  knownFailures: 'Known failures to update',
  notVerified: 'Not verified',
} as const;

/** The beginning of a message about an error in the suite itself. */
export const SUITE_FAILED = 'The suite itself failed:';

/** Returns the note on a target that is not a service of the user; empty for any other. */
export const targetNote = ({ embeddedReference }: Report['target']): string =>
  embeddedReference ? ' (the embedded reference service)' : '';

/** Returns a line for each known failure that is out of date. */
export const linesToChange = ({ knownFailures }: Pick<Report, 'knownFailures'>): string[] =>
  knownFailures.toChange.map(lineToChange);

/** Returns the rows of a requirement that did not pass. */
export function findingRows(
  requirement: ReportedRequirement,
  { knownFailures }: Pick<Partial<Report>, 'knownFailures'>,
): Row[] {
  const { id, reason, expected, got, seen } = requirement;
  const rows: Row[] = [];
  const known = knownFailures?.listed.find(({ slug }) => slug === id);
  if (known) rows.push(['known failure', known.reason]);
  if (expected === undefined) rows.push(['why', reason]);
  else rows.push(['expected', expected]);
  if (expected !== undefined && got !== undefined) rows.push(['got', got]);
  if (seen && seen.of > 1) rows.push(['failed', `${seen.times} of ${seen.of} times`]);
  return rows;
}

/** A reason for which requirements could not be verified, and their slugs. */
export type NotVerifiedReason = readonly [reason: string, slugs: string[]];

/** Returns the reasons for which requirements could not be verified, without failures. */
export function notVerifiedReasons(report: Report): NotVerifiedReason[] {
  const findings = findingsOf(report).map(({ id }) => id);
  const open = openRequirements(report).filter(({ needs = '' }) => !findings.includes(needs));
  return groupBy(open, ({ reason }) => withStep(reason)).map(([reason, rows]) => [
    reason,
    rows.map(({ id }) => id),
  ]);
}

/** Returns the numbers of a run: the outcomes by level, and what it sent. */
export function numberRows(report: Report): Row[] {
  const { users, scope, requests, duration } = report;
  const selected = selectedRequirements(report);
  const countsOf = (level: 'MUST' | 'SHOULD') =>
    countsText(
      selected.filter((requirement) => requirement.level === level),
      scope.strict,
    ) || 'none';
  const tag = users.tag && ` (tag ${users.tag})`;
  const created = users.created
    ? `${counted(users.created, 'user')} created${tag}`
    : 'no users created';
  return [
    ['MUST', countsOf('MUST')],
    ['SHOULD', countsOf('SHOULD')],
    ['sent', `${counted(requests, 'request')}, ${created}, ${secondsText(duration)}`],
  ];
}

/** Returns the depth of a thorough run, which its verdict depends on; empty for any other run. */
export function depthRows({ coverage }: Pick<Report, 'coverage'>): Row[] {
  if (coverage === undefined) return [];
  const { seed, bounds, ended, rounds, users, widestPage, longestPauseMs, kinds } = coverage;
  const counts = Object.values(kinds);
  const cases = counts.reduce((total, count) => total + count, 0);
  const limits = `${bounds.seconds} s, ${bounds.requests} requests, ${bounds.users} users`;
  return [
    ['seed', `${seed}`],
    ['limits', `${limits}; ${sanitizeLine(ended)}`],
    ['users', `${users}, longest list ${widestPage}`],
    [
      'concurrency',
      `${coverage.mostAtOnce} requests, ${coverage.creationsAtOnce} creations in flight`,
    ],
    ['longest pause', secondsText(longestPauseMs)],
    ['cases', `${cases} of ${counted(counts.length, 'kind')} in ${counted(rounds, 'round')}`],
  ];
}
