import type { ShownExchange } from '../http/exchange.ts';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import type { Level, RequirementInfo } from '../requirement/requirement.ts';
import type { Tally } from '../run/tally.ts';
import type { Coverage } from '../thorough/coverage.ts';
import {
  counted,
  type Decision,
  decide,
  type EntryToChange,
  type KnownFailure,
  type Terms,
  type Verdict,
} from '../verdict/verdict.ts';
import { earlyEndOf, sentenceWithStep } from './advice.ts';
import type { Changes } from './changed.ts';
import { failures, LEFT_OUT } from './selection.ts';
import { abbreviateList, byteBudget, sanitizedJson } from './text.ts';

/** The suite's own report, `conformance.json`: see schemas/report.schema.json. */
export interface Report {
  verdict: Verdict;
  /** The verdict in words, with the limits of the scope. */
  title: string;
  because: string;
  /** One sentence that explains why nothing could be judged; absent if something could. */
  obstacle?: string;
  suite: { name: string; version: string; requirementSet: string };
  /** The name is that of the settings, by default the host and port. */
  target: { name: string; baseUrl: string; embeddedReference: boolean };
  scope: Scope;
  start: string;
  /** Milliseconds. */
  duration: number;
  requests: number;
  users: { created: number; tag: string };
  counts: Counts;
  knownFailures: { listed: KnownFailure[]; toChange: EntryToChange[] };
  observations: Record<string, string[]>;
  /** The depth of a thorough run; absent for any other run. */
  coverage?: Coverage;
  /** The changes since the baseline; absent without one. */
  changes?: Changes;
  requirements: ReportedRequirement[];
}

/** The limits of a run. */
export interface Scope {
  partial: boolean;
  readOnly: boolean;
  strict: boolean;
}

/** The number of requirements by level and outcome. */
export type Counts = Record<Level, Record<OutcomeName, number>>;

/** A requirement of a report, with its outcome. */
export interface ReportedRequirement
  extends Omit<RequirementInfo, 'slug'>,
    Omit<Outcome, 'slug' | 'lookedAt'> {
  /** Its slug. */
  id: string;
}

/**
 * The facts of a finished run, without its history: plain JSON, without the key. `obstacle` is a
 * clause or a sentence.
 */
export interface RunFacts
  extends Pick<Report, 'suite' | 'target' | 'start' | 'duration' | 'obstacle' | 'coverage'> {
  readOnly: boolean;
  tally: Tally;
}

/** Makes the report of a run. Pure. */
export function makeReport(
  facts: RunFacts,
  rows: ReportedRequirement[],
  { strict, knownFailures }: Terms,
): Report {
  const { suite, target, readOnly, start, duration, tally, coverage } = facts;
  const requirements = shortened(rows);
  const scope = { partial: rows.some(({ reason }) => reason === LEFT_OUT), readOnly, strict };
  const obstacle =
    facts.obstacle === undefined ? {} : { obstacle: sentenceWithStep(facts.obstacle) };
  const { toChange, counts, verdict, title, because } = summarizeOutcomes(
    { requirements, scope, duration, ...obstacle },
    knownFailures,
  );
  return {
    verdict,
    title,
    because,
    ...obstacle,
    suite,
    target,
    scope,
    start,
    duration,
    requests: tally.requests,
    // A web page with the status 200 has not created a user.
    users: { created: facts.obstacle === undefined ? tally.usersCreated : 0, tag: tally.tag },
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

/** The parts of a report that follow from the outcomes. */
export interface OutcomeSummary extends Decision {
  title: string;
  counts: Counts;
}

/**
 * Returns the parts of a report that follow from the outcomes. The title of a run that is filtered,
 * read-only or strict, or that has known failures, is never just "conformant". Pure.
 */
export function summarizeOutcomes(
  {
    requirements,
    scope,
    obstacle,
    duration,
  }: Pick<Report, 'requirements' | 'scope' | 'obstacle' | 'duration'>,
  knownFailures: Terms['knownFailures'],
): OutcomeSummary {
  const { strict, partial, readOnly } = scope;
  const judged = requirements.map(({ id, ...row }) => ({ slug: id, ...row }));
  const terms = { strict, knownFailures, partial: partial || readOnly, obstacle };
  const { verdict, because, toChange } = decide(judged, terms);
  const { failing, warnings } = failures({ requirements, scope });
  const earlyEnd = earlyEndOf(requirements, duration);
  const reason = withSlugs(because, failing, warnings);
  const counts = countOutcomes(requirements);
  const known = counts.MUST['known-failure'] + counts.SHOULD['known-failure'];
  const limits: string[] = [];
  if (partial) limits.push('partial');
  if (readOnly) limits.push('read-only');
  if (strict) limits.push('strict');
  if (earlyEnd) limits.push(earlyEnd.words);
  let title: string = verdict;
  if (limits.length > 0) title += ` (${limits.join(', ')})`;
  if (verdict === 'conformant' && known > 0) title += `, with ${counted(known, 'known failure')}`;
  return {
    verdict,
    title,
    because: earlyEnd ? `${reason} ${earlyEnd.sentence}` : reason,
    counts,
    toChange,
  };
}

/**
 * Returns the reason of a verdict with the slugs that failed, such as `1 requirement failed:
 * list.total-integer.` or `Every MUST holds. 1 SHOULD failed: create.location.`.
 */
function withSlugs(
  because: string,
  failing: readonly ReportedRequirement[],
  warnings: readonly ReportedRequirement[],
): string {
  const slugsOf = (rows: readonly ReportedRequirement[]) =>
    abbreviateList(rows.map(({ id }) => id));
  if (failing.length > 0) return because.replace(' failed.', () => ` failed: ${slugsOf(failing)}.`);
  if (warnings.length === 0) return because;
  return because.replace(
    / holds\./,
    (holds) => `${holds} ${counted(warnings.length, 'SHOULD')} failed: ${slugsOf(warnings)}.`,
  );
}

function countOutcomes(requirements: readonly ReportedRequirement[]): Counts {
  const none = {
    passed: 0,
    failed: 0,
    'not-applicable': 0,
    'not-verified': 0,
    'known-failure': 0,
  };
  const counts = { MUST: { ...none }, SHOULD: { ...none } };
  for (const { level, outcome } of requirements) counts[level][outcome] += 1;
  return counts;
}

/** Returns the row of a requirement; without an outcome, the run ended before the requirement. */
export function reportRequirement(
  requirement: RequirementInfo,
  outcome?: Outcome,
): ReportedRequirement {
  const { slug: id, level, chapter, source, sentence } = requirement;
  const row = { id, level, chapter, source, sentence };
  if (!outcome)
    return { ...row, outcome: 'not-verified', reason: 'the run ended before it', exchanges: [] };
  const { slug: _, lookedAt: __, ...rest } = outcome;
  return { ...row, ...rest };
}

/** The bytes of a file that exchanges may take with their content: a usual run needs a tenth. */
export const EXCHANGE_BYTES = 4_000_000;

/** Returns rows in which exchanges beyond the limit have no content. */
function shortened(rows: readonly ReportedRequirement[]): ReportedRequirement[] {
  const budget = byteBudget(EXCHANGE_BYTES);
  const shorten = (exchange: ShownExchange) => {
    const size = Buffer.byteLength(sanitizedJson(exchange));
    return budget(exchange, withoutContent(exchange), size);
  };
  return rows.map(({ exchanges, ...row }) => ({ ...row, exchanges: exchanges.map(shorten) }));
}

/** Returns an exchange without the headers and the body of its response. */
export function withoutContent({ response, ...rest }: ShownExchange): ShownExchange {
  return { ...rest, ...(response && { response: { ...response, headers: [], body: '' } }) };
}
