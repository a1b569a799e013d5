import { mergeCoverages } from '../conduct/coverage.ts';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { mergeAnswerTimes } from './answer-times.ts';
import { LEFT_OUT, type MergedRun, makeReport, type Report, type ReportedRequirement, type Result } from './report.ts';
import { inertLine } from './text.ts';

/** A report, and what the user calls it. */
export interface NamedReport {
  from: string;
  report: Report;
}

/** The worst first. What one run could not verify another's pass does not excuse: the service may have broken down in it. */
const WORST_FIRST: OutcomeName[] = ['failed', 'known-failure', 'not-verified', 'passed', 'not-applicable'];

/**
 * Makes one report of those of several runs against one implementation, by one set of requirements. Of each requirement the
 * worst outcome counts, with the exchanges of the first run that had it, or of the first that has a script for it. Requests, users and times add up. Pure.
 */
export function mergeReports(given: readonly NamedReport[]): Report {
  const start = new Date(Math.min(...given.map(({ report }) => Date.parse(report.start))));
  const reports = onOneClock(
    given.map(({ report }) => report),
    start,
  );
  const sum = (of: (report: Report) => number) => reports.reduce((total, one) => total + of(one), 0);
  const rows = (reports[0]?.requirements ?? []).map(({ id }) => worstOf(id, reports));
  const runsBefore = reports.map((_, index) => reports.slice(0, index).reduce((sum, one) => sum + runCount(one), 0));
  const coverages = reports.flatMap(({ coverage }) => coverage ?? []);
  const merged = makeReport({
    ...telling(reports),
    settings: {
      strict: reports.some(({ scope }) => scope.strict),
      readOnly: reports.every(({ scope }) => scope.readOnly),
    },
    knownFailures: reports.flatMap(placedFailures).filter(isFirst),
    start,
    duration: sum(({ duration }) => duration),
    tally: {
      tag: '',
      start: start.getTime(),
      requests: sum(({ requests }) => requests),
      ownTime: sum(({ ownTime = 0 }) => ownTime),
      usersCreated: sum(({ users }) => users.created),
      observations: mergeObservations(reports),
    },
    answerTimes: mergeAnswerTimes(reports.map(({ answerTimes }) => answerTimes)),
    ...(coverages.length > 0 && { coverage: mergeCoverages(coverages) }),
    results: rows.map(({ worst }) => asResult(worst)),
  });
  return {
    ...merged,
    knownFailures: {
      ...merged.knownFailures,
      listed: reports.flatMap(({ knownFailures }) => knownFailures.listed).filter(isFirst),
    },
    runs: given.flatMap(runsOf),
    requirements: merged.requirements.map((one, index) => {
      if (one.outcome === 'passed' || one.outcome === 'not-applicable') return one;
      const seenIn = rows[index]?.having.flatMap(({ at, row }) =>
        (row.seenIn ?? [0]).map((place) => (runsBefore[at] ?? 0) + place),
      );
      const reproduction = rows[index]?.worst.reproduction;
      return { ...one, seenIn: seenIn ?? [], ...(reproduction && { reproduction }) };
    }),
  };
}

/** Who was judged, as the first report with the worst verdict says it: its exchanges are those that are shown. */
function telling(reports: readonly Report[]): Pick<Report, 'suite' | 'target'> {
  const worst = (['non-conformant', 'inconclusive'] as const).flatMap((verdict) =>
    reports.filter((one) => one.verdict === verdict),
  );
  const { suite, target } = (worst[0] ?? reports[0]) as Report;
  const { name, version, requirementSet } = suite;
  return {
    suite: { name: inertLine(name), version: inertLine(version), requirementSet: inertLine(requirementSet) },
    target,
  };
}

/** The worst that came of a requirement, and the reports in which it came of it. */
function worstOf(slug: string, reports: readonly Report[]) {
  const found = reports.flatMap(({ requirements }, at) => {
    const row = requirements.find(({ id }) => id === slug);
    return row ? [{ at, row }] : [];
  });
  const rank = ({ outcome, reason }: ReportedRequirement) =>
    // A freedom that the target uses tells more than a filter.
    WORST_FIRST.indexOf(outcome) + (reason === LEFT_OUT ? 0.5 : 0);
  const least = Math.min(...found.map(({ row }) => rank(row)));
  const having = found.filter(({ row }) => rank(row) === least);
  // What can be seen again tells more than what was seen once.
  const worst = having.find(({ row }) => row.reproduction?.seen !== undefined) ?? having[0];
  return { worst: worst?.row as ReportedRequirement, having };
}

function asResult({
  id: slug,
  level,
  chapter,
  source,
  sentence,
  seenIn: _,
  reproduction: __,
  ...rest
}: ReportedRequirement): Result {
  // All reports show these as the suite's own, and they were read.
  const own = { slug: inertLine(slug), chapter: inertLine(chapter), sentence: inertLine(sentence) };
  const requirement = { ...own, level, source: { ...source, text: inertLine(source.text) } };
  const outcome: Outcome = { slug: own.slug, lookedAt: [], ...rest };
  return { requirement, outcome, leftOut: rest.reason === LEFT_OUT };
}

/** The same reports as if they were of one run: no two exchanges have the same number, and all times count from its start. */
function onOneClock(reports: readonly Report[], start: Date): Report[] {
  let before = 0;
  return reports.map((report) => {
    const [first, later] = [before, Date.parse(report.start) - start.getTime()];
    const ids = report.requirements.flatMap(({ exchanges }) => exchanges.map(({ id }) => id));
    before += ids.reduce((most, id) => Math.max(most, id), report.requests);
    return {
      ...report,
      answerTimes: {
        ...report.answerTimes,
        slowest: report.answerTimes.slowest.map((one) => ({ ...one, id: one.id + first })),
      },
      requirements: report.requirements.map((row) => ({
        ...row,
        exchanges: row.exchanges.map((one) => ({ ...one, id: one.id + first, at: one.at + later })),
      })),
    };
  });
}

/** The known failures that had to be changed in a run, with their place; whether they still must follows from what was merged. */
function placedFailures({ knownFailures: { listed, toChange }, start }: Report): ListedFailure[] {
  return toChange.flatMap(({ slug, file, line }) => {
    const entry = listed.find((one) => one.slug === slug);
    const expired = entry?.expires !== undefined && entry.expires < start.slice(0, 10);
    return entry ? [{ ...entry, file, line, expired }] : [];
  });
}

function isFirst<T extends { slug: string }>(one: T, index: number, all: T[]): boolean {
  return all.findIndex(({ slug }) => slug === one.slug) === index;
}

function mergeObservations(reports: readonly Report[]): Record<string, string[]> {
  const names = new Set(reports.flatMap(({ observations }) => Object.keys(observations)));
  const valuesOf = (name: string) =>
    reports.flatMap(({ observations }) => (Object.hasOwn(observations, name) ? (observations[name] ?? []) : []));
  const merged = [...names].map((name) => [name, [...new Set(valuesOf(name))].sort()] as const);
  return Object.fromEntries(merged.sort(([a], [b]) => a.localeCompare(b, 'en')));
}

/** The runs of a report, which may be a merged one itself. */
export function runsOf({ from, report }: NamedReport): MergedRun[] {
  const { start, verdict, target, users, coverage, runs } = report;
  const [seed] = coverage?.seeds ?? [];
  return (
    runs ?? [{ from, baseUrl: target.baseUrl, start, verdict, tag: users.tag, ...(seed !== undefined && { seed }) }]
  );
}

function runCount({ runs }: Report): number {
  return runs?.length ?? 1;
}
