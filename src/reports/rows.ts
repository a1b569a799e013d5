import { lineToChange } from '../verdict/accept.ts';
import { counted } from '../verdict/verdict.ts';
import { capitalize, withStep } from './advice.ts';
import { countsText } from './appearance.ts';
import { exchangeRows, type FindingRow } from './finding-rows.ts';
import type { Report, ReportedRequirement } from './report.ts';
import {
  findingsOf,
  groupBy,
  isExplainedBy,
  openRequirements,
  selectedRequirements,
} from './selection.ts';
import { sanitizeLine, secondsText } from './text.ts';

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

/** A reason for which requirements could not be verified. */
export interface NotVerifiedReason {
  reason: string;
  slugs: string[];
  /** The last request that shows it, and its response. */
  rows: FindingRow[];
}

/** Returns the reasons for which requirements could not be verified, without failures. */
export function notVerifiedReasons(report: Report): NotVerifiedReason[] {
  const findings = findingsOf(report).map(({ id }) => id);
  const open = openRequirements(report).filter(({ needs = '' }) => !findings.includes(needs));
  return groupBy(open, ({ reason }) => withStep(reason)).map(([reason, rows]) => ({
    reason,
    slugs: rows.map(({ id }) => id),
    rows: lastExchangeRows(rows),
  }));
}

/** Returns the request and the response that show why nothing could be judged, if any do. */
export function obstacleRows({ requirements, obstacle }: Report): FindingRow[] {
  if (obstacle === undefined) return [];
  const rows = lastExchangeRows(requirements.filter((row) => isExplainedBy(obstacle, row)));
  // Without a response, the reason of the verdict says so.
  return rows.filter(({ text }) => !obstacle.startsWith(capitalize(text)));
}

const lastExchangeRows = ([row]: readonly ReportedRequirement[]): FindingRow[] =>
  row === undefined ? [] : exchangeRows(row).slice(-2);

/** Returns the numbers of a run: the outcomes by level, and what it sent. */
export function numberRows(report: Report): FindingRow[] {
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
    { label: 'MUST', text: countsOf('MUST') },
    { label: 'SHOULD', text: countsOf('SHOULD') },
    {
      label: 'sent',
      text: `${counted(requests, 'request')}, ${created}, ${secondsText(duration)}`,
    },
  ];
}

/** Returns the depth of a thorough run, which its verdict depends on; empty for any other run. */
export function depthRows({ coverage }: Pick<Report, 'coverage'>): FindingRow[] {
  if (coverage === undefined) return [];
  const { seed, bounds, ended, rounds, users, widestPage, longestPauseMs, kinds } = coverage;
  const counts = Object.values(kinds);
  const cases = counts.reduce((total, count) => total + count, 0);
  const limits = `${bounds.seconds} s, ${bounds.requests} requests, ${bounds.users} users`;
  return [
    { label: 'seed', text: `${seed}` },
    { label: 'limits', text: `${limits}; ${sanitizeLine(ended)}` },
    { label: 'users', text: `${users}, longest list ${widestPage}` },
    { label: 'concurrency', text: `${counted(coverage.mostAtOnce, 'request')} in flight` },
    { label: 'longest pause', text: secondsText(longestPauseMs) },
    {
      label: 'cases',
      text: `${cases} of ${counted(counts.length, 'kind')} in ${counted(rounds, 'round')}`,
    },
  ];
}
