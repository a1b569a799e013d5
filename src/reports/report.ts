import type { ShownExchange } from '../http/exchange.ts';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import type { Level, RequirementInfo } from '../requirement/requirement.ts';
import type { Tally } from '../run/tally.ts';
import type { Coverage } from '../thorough/coverage.ts';
import {
  counted,
  decide,
  effectOf,
  type KnownFailure,
  type Terms,
  type Verdict,
} from '../verdict/verdict.ts';
import { earlyEndOf, withStep } from './advice.ts';
import type { Changes } from './changed.ts';
import { inertJson, roomOf, some } from './text.ts';

/**
 * The facts of a finished run, without its history. Plain JSON, without the key. `obstacle` is a
 * clause or a sentence.
 */
export interface RunFacts
  extends Pick<Report, 'suite' | 'target' | 'start' | 'duration' | 'obstacle' | 'coverage'> {
  readOnly: boolean;
  tally: Tally;
}

/** One requirement of a report: what it asks for and what came of it. */
export interface ReportedRequirement
  extends Omit<RequirementInfo, 'slug'>,
    Omit<Outcome, 'slug' | 'lookedAt'> {
  /** Its slug. */
  id: string;
}

/** The suite's own report, `conformance.json`: see schemas/report.schema.json. */
export interface Report {
  verdict: Verdict;
  /** The verdict in words, with the limits of the scope. */
  title: string;
  because: string;
  /** Why nothing could be judged of the target, one sentence; absent where something could. */
  obstacle?: string;
  suite: { name: string; version: string; requirementSet: string };
  /** The name is the one that was given, else the host and port. */
  target: { name: string; baseUrl: string; embeddedReference: boolean };
  scope: { partial: boolean; readOnly: boolean; strict: boolean };
  start: string;
  /** Milliseconds. */
  duration: number;
  requests: number;
  users: { created: number; tag: string };
  counts: Record<Level, Record<OutcomeName, number>>;
  knownFailures: { listed: KnownFailure[]; toChange: ReturnType<typeof decide>['toChange'] };
  observations: Record<string, string[]>;
  /** The depth of a thorough run; absent for any other run. */
  coverage?: Coverage;
  /** What has changed since an earlier run; absent where none was named. */
  changes?: Changes;
  requirements: ReportedRequirement[];
}

/** Rows by something that they are called by, in the order in which it comes. */
export const grouped = <Row>(
  rows: readonly Row[],
  of: (row: Row) => string,
): [name: string, rows: Row[]][] =>
  [...new Set(rows.map(of))].map((name) => [name, rows.filter((row) => of(row) === name)]);

/** The chapters of some rows, each with its rows. */
export const chaptersOf = <Row extends { chapter: string }>(rows: readonly Row[]) =>
  grouped(rows, ({ chapter }) => chapter);

/** The reason of what a filter left out. */
export const LEFT_OUT = 'left out by a filter';

/** The requirements that no filter left out. */
export const selectedOf = ({ requirements }: Pick<Report, 'requirements'>) =>
  requirements.filter(({ reason }) => reason !== LEFT_OUT);

/** Returns a clause as a sentence, with the next step. */
function sentenceOf(clause: string): string {
  const text = capitalized(withStep(clause));
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Returns a clause that begins a sentence. An address at its beginning keeps its case. */
const capitalized = (clause: string): string =>
  clause.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());

/** What could not be verified, but for what the verdict's reason says already. */
export const openOf = ({ requirements, obstacle }: Report) =>
  requirements.filter(
    ({ outcome, reason }) =>
      outcome === 'not-verified' && !obstacle?.startsWith(capitalized(reason)),
  );

/**
 * All that did not hold: what fails the run, what only warns, and known failures. The most telling come first: MUST
 * before SHOULD, then those without which most others could not be verified.
 */
export function failures({ requirements, scope }: Pick<Report, 'requirements' | 'scope'>) {
  const having = (effect: string) => {
    const found = requirements.filter((one) => effectOf(one, scope.strict) === effect);
    const waiting = (one: ReportedRequirement) => behind(one, { requirements });
    return found.sort((a, b) => a.level.localeCompare(b.level) || waiting(b) - waiting(a));
  };
  const known = requirements.filter(({ outcome }) => outcome === 'known-failure');
  return { failing: having('fails'), warnings: having('warns'), known };
}

/** The same in one list. */
export const findingsOf = (report: Report): ReportedRequirement[] =>
  Object.values(failures(report)).flat();

/** How many requirements could not be verified because this one failed. */
const behind = ({ id }: { id: string }, { requirements }: Pick<Report, 'requirements'>) =>
  requirements.filter(({ needs }) => needs === id).length;

/** `2 not verified: they depend on a.root`; none where nothing waits for it. */
export function waitingFor(one: { id: string }, report: Pick<Report, 'requirements'>): string[] {
  const count = behind(one, report);
  return count === 0
    ? []
    : [`${count} not verified: ${count === 1 ? 'it depends' : 'they depend'} on ${one.id}`];
}

/** The slugs of what failed, without known failures. */
export const failedIn = ({ requirements }: Pick<Report, 'requirements'>) =>
  requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);

/** How many requirements of a level passed, of those that are applicable: `47/48`. */
export function score({ counts }: Pick<Report, 'counts'>, level: Level): string {
  const { 'not-applicable': notApplicable, ...applicable } = counts[level];
  return `${applicable.passed}/${Object.values(applicable).reduce((sum, count) => sum + count, 0)}`;
}

/** Makes the report of a run. Pure. */
export function makeReport(
  facts: RunFacts,
  rows: ReportedRequirement[],
  { strict, knownFailures }: Terms,
): Report {
  const { suite, target, readOnly, start, duration, tally, coverage, obstacle: why } = facts;
  const room = roomOf(EXCHANGES);
  const shown = (one: ShownExchange) =>
    room(one, withoutContent(one), Buffer.byteLength(inertJson(one)));
  const requirements = rows.map(({ exchanges, ...one }) => ({
    ...one,
    exchanges: exchanges.map(shown),
  }));
  const scope = { partial: rows.some(({ reason }) => reason === LEFT_OUT), readOnly, strict };
  const told = why === undefined ? {} : { obstacle: sentenceOf(why) };
  const { toChange, counts, ...decided } = decideOn(
    { requirements, scope, duration, ...told },
    knownFailures,
  );
  return {
    ...decided,
    ...told,
    suite,
    target,
    scope,
    start,
    duration,
    requests: tally.requests,
    // A web page that comes with a 200 has created nobody.
    users: { created: why === undefined ? tally.usersCreated : 0, tag: tally.tag },
    counts,
    knownFailures: {
      listed: knownFailures.map(({ file, line, expired, ...entry }) => entry),
      toChange,
    },
    observations: tally.observations,
    ...(coverage && { coverage }),
    requirements,
  };
}

/**
 * What follows from the outcomes: the verdict, also in words, and the counts. A run that is filtered, read-only or
 * strict, or has known failures, is never just "conformant". Pure.
 */
export function decideOn(
  {
    requirements,
    scope,
    obstacle,
    duration,
  }: Pick<Report, 'requirements' | 'scope' | 'obstacle' | 'duration'>,
  knownFailures: Terms['knownFailures'],
) {
  const terms = {
    strict: scope.strict,
    knownFailures,
    partial: scope.partial || scope.readOnly,
    obstacle,
  };
  const judged = requirements.map(({ id, ...one }) => ({ slug: id, ...one }));
  const { verdict, because, toChange } = decide(judged, terms);
  const failing = failures({ requirements, scope }).failing.map(({ id }) => id);
  const named = failing.length > 0 ? naming(because, failing) : because;
  const ended = earlyEndOf(requirements, duration);
  const none = () => ({
    passed: 0,
    failed: 0,
    'not-applicable': 0,
    'not-verified': 0,
    'known-failure': 0,
  });
  const counts = { MUST: none(), SHOULD: none() };
  for (const { level, outcome } of requirements) counts[level][outcome] += 1;
  const limits = [
    ...(scope.partial ? ['partial'] : []),
    ...(scope.readOnly ? ['read-only'] : []),
    ...(scope.strict ? ['strict'] : []),
    ...(ended ? [ended.words] : []),
  ].join(', ');
  const known = counts.MUST['known-failure'] + counts.SHOULD['known-failure'];
  const despite =
    verdict === 'conformant' && known > 0 ? `, with ${counted(known, 'known failure')}` : '';
  return {
    verdict,
    title: `${verdict}${limits && ` (${limits})`}${despite}`,
    because: [named, ...(ended ? [ended.sentence] : [])].join(' '),
    counts,
    toChange,
  };
}

/** `1 requirement failed: list.total-integer.` for `1 requirement failed.`. */
const naming = (because: string, failing: readonly string[]): string =>
  because.replace(' failed.', () => ` failed: ${some(failing)}.`);

/** What a report says of a requirement; without an outcome: that the run ended before it. */
export function reported(requirement: RequirementInfo, outcome?: Outcome): ReportedRequirement {
  const { slug: id, level, chapter, source, sentence } = requirement;
  const row = { id, level, chapter, source, sentence };
  if (!outcome)
    return { ...row, outcome: 'not-verified', reason: 'the run ended before it', exchanges: [] };
  const { slug: _, lookedAt: __, ...rest } = outcome;
  return { ...row, ...rest };
}

/** Bytes that the exchanges of one file take in full: a usual run needs a tenth. */
export const EXCHANGES = 4_000_000;

/** An exchange for which there is no room: without the headers and the body of its response. */
export function withoutContent({ response, ...rest }: ShownExchange): ShownExchange {
  return { ...rest, ...(response && { response: { ...response, headers: [], body: '' } }) };
}
