import { observationRows, requirementRows } from './comparison.ts';
import { entriesIn } from './read-report.ts';
import {
  LEFT_OUT,
  type MergedRun,
  makeReport,
  type Report,
  type ReportedRequirement,
} from './report.ts';

/** A report, and what the user calls it. */
export type NamedReport = { from: string; report: Report };

/**
 * The worst first. What one run could not verify another's pass does not excuse: the service may have crashed in it.
 */
const WORST_FIRST = [
  'failed',
  'known-failure',
  'not-verified',
  'passed',
  'not-applicable',
] as const;

/**
 * Makes one report of those of several runs against one implementation, by one set of requirements. Of each requirement
 * the worst outcome counts, with the exchanges of the first run that had it, or of the first that tells how often it
 * was seen again: their numbers and times are those of that run. Requests, users and durations add up. Pure.
 */
export function mergeReports(given: readonly NamedReport[]): Report {
  const reports = given.map(({ report }) => report);
  const start = new Date(Math.min(...reports.map((one) => Date.parse(one.start))));
  const sum = (of: (report: Report) => number) =>
    reports.reduce((total, one) => total + of(one), 0);
  const observations = observationRows(reports).map(({ name, values }) => [
    name,
    [...new Set(values.flat())].sort(),
  ]);
  const obstacle = reports.every((one) => one.obstacle) ? reports[0]?.obstacle : undefined;
  // Who was judged is as the first report with the worst verdict says it: its exchanges are those that are shown.
  const ofVerdict = (verdict: string) => reports.find((one) => one.verdict === verdict);
  const { suite, target } = (ofVerdict('non-conformant') ??
    ofVerdict('inconclusive') ??
    reports[0]) as Report;
  const facts = {
    suite,
    target,
    readOnly: reports.every(({ scope }) => scope.readOnly),
    start: start.toISOString(),
    duration: sum(({ duration }) => duration),
    tally: {
      tag: '',
      start: start.getTime(),
      requests: sum(({ requests }) => requests),
      usersCreated: sum(({ users }) => users.created),
      observations: Object.fromEntries(observations),
    },
    ...(obstacle && { obstacle }),
  };
  const rows = requirementRows(reports).map(({ values }) => worstOf(values));
  const merged = makeReport(facts, rows, {
    strict: reports.some(({ scope }) => scope.strict),
    knownFailures: firstOfEach(reports.flatMap(entriesIn)),
  });
  const listed = firstOfEach(reports.flatMap(({ knownFailures }) => knownFailures.listed));
  const runs = given.map(
    ({ from, report: { target, start, verdict, users, coverage } }): MergedRun => {
      return {
        from,
        baseUrl: target.baseUrl,
        start,
        verdict,
        tag: users.tag,
        ...(coverage && { seed: coverage.seed }),
      };
    },
  );
  return { ...merged, knownFailures: { ...merged.knownFailures, listed }, runs };
}

/** The worst that came of a requirement, and the places of the reports in which it came of it, unless it is good. */
function worstOf(values: (ReportedRequirement | undefined)[]): ReportedRequirement {
  const found = values.flatMap((row, at) => {
    // What a service has chosen tells more than a filter.
    return row
      ? [{ at, row, rank: WORST_FIRST.indexOf(row.outcome) + (row.reason === LEFT_OUT ? 0.5 : 0) }]
      : [];
  });
  const least = Math.min(...found.map(({ rank }) => rank));
  const having = found.filter(({ rank }) => rank === least);
  const { row } = having[0] as (typeof found)[number];
  const isGood = row.outcome === 'passed' || row.outcome === 'not-applicable';
  return isGood ? row : { ...row, seenIn: having.map(({ at }) => at) };
}

function firstOfEach<T extends { slug: string }>(all: readonly T[]): T[] {
  const known = new Set<string>();
  return all.filter(({ slug }) => !known.has(slug) && known.add(slug));
}
