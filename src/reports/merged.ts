import type { OutcomeName } from '../requirement/outcome.ts';
import { observationRows, requirementRows } from './comparison.ts';
import { entriesIn } from './read-report.ts';
import { LEFT_OUT, type MergedRun, makeReport, type Report, type ReportedRequirement } from './report.ts';

/** A report, and what the user calls it. */
export interface NamedReport {
  from: string;
  report: Report;
}

/** The worst first. What one run could not verify another's pass does not excuse: the service may have crashed in it. */
const WORST_FIRST: OutcomeName[] = ['failed', 'known-failure', 'not-verified', 'passed', 'not-applicable'];

/** No number of a report is larger: what adds up to more stays there. */
const MOST = Number.MAX_SAFE_INTEGER;
const MOST_MS = 1e15;

/**
 * Makes one report of those of several runs against one implementation, by one set of requirements. Of each requirement the
 * worst outcome counts, with the exchanges of the first run that had it, or of the first that tells how often it was seen
 * again: their numbers and times are those of that run. Requests, users and durations add up. Pure.
 */
export function mergeReports(given: readonly NamedReport[]): Report {
  const start = new Date(Math.min(...given.map(({ report }) => Date.parse(report.start))));
  const reports = given.map(({ report }) => report);
  const sum = (of: (report: Report) => number, most = MOST) =>
    reports.reduce((total, one) => Math.min(most, total + of(one)), 0);
  const rows = requirementRows(reports).map(({ name, values }) => ({ name, ...worstOf(values) }));
  const observations = observationRows(reports).map(({ name, values }) => [name, [...new Set(values.flat())].sort()]);
  const obstacle = reports.every((one) => one.obstacle) ? reports[0]?.obstacle : undefined;
  const merged = makeReport(
    {
      ...telling(reports),
      readOnly: reports.every(({ scope }) => scope.readOnly),
      start: start.toISOString(),
      duration: sum(({ duration }) => duration, MOST_MS),
      tally: {
        tag: '',
        start: start.getTime(),
        requests: sum(({ requests }) => requests),
        usersCreated: sum(({ users }) => users.created),
        observations: Object.fromEntries(observations),
      },
      ...(obstacle && { obstacle }),
    },
    rows.map(({ worst }) => worst),
    {
      strict: reports.some(({ scope }) => scope.strict),
      knownFailures: firstOfEach(reports.flatMap(entriesIn)),
    },
  );
  const listed = firstOfEach(reports.flatMap(({ knownFailures }) => knownFailures.listed));
  return {
    ...merged,
    knownFailures: { ...merged.knownFailures, listed },
    runs: given.map(runOf),
    requirements: merged.requirements.map((one, index) => {
      if (one.outcome === 'passed' || one.outcome === 'not-applicable') return one;
      return { ...one, seenIn: rows[index]?.places ?? [] };
    }),
  };
}

/** Who was judged, as the first report with the worst verdict says it: its exchanges are those that are shown. */
function telling(reports: readonly Report[]): Pick<Report, 'suite' | 'target'> {
  const worst = (['non-conformant', 'inconclusive'] as const).flatMap((verdict) =>
    reports.filter((one) => one.verdict === verdict),
  );
  const { suite, target } = (worst[0] ?? reports[0]) as Report;
  return { suite, target };
}

/** The worst that came of a requirement, and the reports in which it came of it. */
function worstOf(values: (ReportedRequirement | undefined)[]) {
  const found = values.flatMap((row, at) => (row ? [{ at, row }] : []));
  const rank = ({ outcome, reason }: ReportedRequirement) =>
    // What a service has chosen tells more than a filter.
    WORST_FIRST.indexOf(outcome) + (reason === LEFT_OUT ? 0.5 : 0);
  const least = found.reduce((first, { row }) => Math.min(first, rank(row)), Infinity);
  const having = found.filter(({ row }) => rank(row) === least);
  // What can be seen again tells more than what was seen once.
  const worst = having.find(({ row }) => row.reproduction !== undefined) ?? having[0];
  return { worst: worst?.row as ReportedRequirement, places: having.map(({ at }) => at) };
}

function firstOfEach<T extends { slug: string }>(all: readonly T[]): T[] {
  const known = new Set<string>();
  return all.filter(({ slug }) => !known.has(slug) && known.add(slug));
}

function runOf({ from, report }: NamedReport): MergedRun {
  const { start, verdict, target, users, coverage } = report;
  return { from, baseUrl: target.baseUrl, start, verdict, tag: users.tag, ...(coverage && { seed: coverage.seed }) };
}
