import type { Stopped } from '../history/history.ts';
import type { Exchange, ShownExchange, ShownText } from '../http/exchange.ts';
import { ownWords, type ShowText } from '../http/secrets.ts';
import { type Finding, notVerified } from './finding.ts';
import type { Level } from './requirement.ts';

export type OutcomeName = 'passed' | 'failed' | 'not-applicable' | 'not-verified' | 'known-failure';

/** The outcome of a requirement. With shown exchanges and texts it can be printed. */
export interface Outcome<E extends Exchange = ShownExchange, T extends string = string> {
  slug: string;
  outcome: OutcomeName;
  /** The reason why it did not pass; empty if it did. */
  reason: T;
  expected?: T;
  got?: T;
  /** The number of findings that failed, and of all that were judged. */
  seen?: { times: number; of: number };
  /** The failed requirement because of which this one could not be verified. */
  needs?: string;
  /**
   * Whether `needs` is a known failure, or this requirement failed in the baseline. The run then
   * gets a verdict nevertheless.
   */
  excused?: true;
  /** A URL with more about a known failure. */
  link?: string;
  /** The exchanges that show the reason. */
  exchanges: E[];
  /** The requests that repeat the failure against a service that was just started. */
  recipe?: RecipeStep<E>[] | undefined;
  /** The ids of all exchanges that were judged. */
  lookedAt: number[];
}

/** A request that repeats a failure, and where identifiers are in it and in its response. */
export interface RecipeStep<E extends Exchange = ShownExchange> {
  exchange: E;
  /** Where the response shows the identifier that a later step needs, as `place` of Identifier. */
  place?: string;
  /** The part of the path that is an identifier, and the index of the step that shows it. */
  identifier?: { segment: string; step: number };
}

/** The number of failed cases whose exchanges are shown: enough to see the pattern. */
const SHOWN_CASES = 3;

/** The number of different values that a failure of many cases lists. */
const LISTED_VALUES = 8;

/** The most characters of an expected or received value: two or three short values. */
const LONGEST_VALUE = 300;

const NOTHING_SHOWS = ownWords`no request of the run shows whether it holds`;

/** The outcome of a requirement, with exchanges as received. */
export type JudgedOutcome = Outcome<Exchange, ShownText>;

/** A requirement with its findings and their outcome. */
export interface Judged {
  slug: string;
  level: Level;
  findings: Finding[];
  outcome: JudgedOutcome;
  /** A sentence on the crash of the check. */
  fault?: ShownText;
}

/**
 * Makes the outcome of findings. A failure comes before a finding that is not verified, and that
 * before a pass. A check without findings never passes.
 */
export function outcomeOf(slug: string, findings: Finding[], showText: ShowText): JudgedOutcome {
  const lookedAt = [...new Set(idsOf(findings))];
  const [firstFailure] = failuresIn(findings);
  if (firstFailure) return failureOf(slug, findings, firstFailure, lookedAt, showText);
  const find = (outcome: Finding['outcome']) =>
    findings.find((finding) => finding.outcome === outcome);
  const open = find('not-verified');
  if (open === undefined && find('passed') !== undefined) {
    return { slug, outcome: 'passed', reason: ownWords``, exchanges: [], lookedAt };
  }
  const finding = open ?? find('not-applicable');
  if (finding === undefined || !('reason' in finding)) {
    return { slug, outcome: 'not-verified', reason: NOTHING_SHOWS, exchanges: [], lookedAt };
  }
  const { outcome, exchanges } = finding;
  const reason = showText(finding.reason);
  return { slug, outcome, reason, exchanges: distinct(exchanges), lookedAt };
}

type Failure = Extract<Finding, { outcome: 'failed' }>;

export const failuresIn = (findings: readonly Finding[]): Failure[] =>
  findings.filter((finding) => finding.outcome === 'failed');

function failureOf(
  slug: string,
  findings: readonly Finding[],
  firstFailure: Failure,
  lookedAt: number[],
  showText: ShowText,
): JudgedOutcome {
  const show = (text: string) => showText(text, LONGEST_VALUE);
  const failures = failuresIn(findings);
  // The values of other expectations would not fit the sentence.
  const alike = failures.filter(({ expected }) => expected === firstFailure.expected);
  const values = alike.map(({ got, caseName }) => {
    return caseName === undefined ? show(got) : ownWords`${show(got)} (${show(caseName)})`;
  });
  const expected = show(firstFailure.expected);
  const got = joinValues([...new Set(values)]);
  // The command that repeats a failure sends the last request.
  const simplest = simplestOf(alike);
  const others = alike.filter((failure) => failure !== simplest);
  const shown = [...others.slice(0, SHOWN_CASES - 1), simplest];
  const judged = findings.filter(({ outcome }) => outcome === 'failed' || outcome === 'passed');
  return {
    slug,
    outcome: 'failed',
    reason: ownWords`expected ${expected}, got ${got}`,
    expected,
    got,
    seen: { times: failures.length, of: judged.length },
    exchanges: distinct(shown.flatMap(({ exchanges }) => exchanges)),
    lookedAt,
  };
}

function joinValues(values: readonly ShownText[]): ShownText {
  const shown = values.slice(0, LISTED_VALUES);
  const more = values.length - shown.length;
  if (more > 0) shown.push(ownWords`and ${more} more`);
  return shown.reduce((joined, value) => ownWords`${joined}; ${value}`);
}

/** Returns failures, those first whose requests are the easiest to read and to send again. */
export const simplestFirst = (failures: readonly Failure[]): Failure[] =>
  [...failures].sort((a, b) => sizeOf(a) - sizeOf(b));

/** Returns the failure whose request is the easiest to read and to send again. */
const simplestOf = (failures: readonly Failure[]): Failure =>
  failures.reduce((simplest, failure) => (sizeOf(failure) < sizeOf(simplest) ? failure : simplest));

/** Returns the size of the request of a finding: a short one is easier to read and to repeat. */
function sizeOf({ exchanges }: Finding): number {
  const request = exchanges.at(-1)?.request;
  const path = request?.path ?? '';
  const headers = JSON.stringify(request?.headers ?? {});
  const body = request?.body ?? '';
  // A shell command cannot send a body in pieces, so such a request comes last.
  const framingSize = request?.framing ? 10_000 : 0;
  return path.length + headers.length + body.length + framingSize;
}

/** Returns each exchange once, at its last place: those of the last finding stay together. */
export function distinct(exchanges: readonly Exchange[]): Exchange[] {
  const byId = new Map(exchanges.toReversed().map((exchange) => [exchange.id, exchange]));
  return [...byId.values()].toReversed();
}

export const isFailed = ({ outcome }: Judged): boolean => outcome.outcome === 'failed';
export const isNotVerified = ({ outcome }: Judged): boolean => outcome.outcome === 'not-verified';

/**
 * Adds its root to each requirement that could not be verified: the requirement that failed by one
 * of the exchanges that show why, a MUST before a SHOULD. A failed SHOULD is not verified either if
 * each of its failures is an exchange by which a MUST failed. So one fault is one failure.
 */
export function withRoots(judged: readonly Judged[], showText: ShowText): JudgedOutcome[] {
  const failures = judged.filter(isFailed);
  const musts = rootsByExchange(failures.filter(({ level }) => level === 'MUST'));
  const shoulds = rootsByExchange(failures.filter(({ level }) => level === 'SHOULD'));
  return judged.map((requirement) => {
    const { level, outcome } = requirement;
    if (isNotVerified(requirement)) {
      const ids = decisiveIds(requirement);
      const root = rootOf(ids, musts) ?? rootOf(ids, shoulds);
      return root === undefined ? outcome : openBecause(root, outcome, showText);
    }
    if (!isFailed(requirement) || level === 'MUST') return outcome;
    const ids = failuresIn(requirement.findings).map(({ exchanges }) => exchanges.at(-1)?.id ?? 0);
    if (!ids.every((id) => musts.has(id))) return outcome;
    return openBecause(rootOf(ids, musts) ?? '', outcome, showText);
  });
}

/** Returns the slug of the first failure that each exchange shows. */
function rootsByExchange(failures: readonly Judged[]): Map<number, string> {
  const roots = new Map<number, string>();
  for (const failure of failures) {
    for (const id of decisiveIds(failure)) {
      if (!roots.has(id)) roots.set(id, failure.slug);
    }
  }
  return roots;
}

const rootOf = (ids: readonly number[], roots: ReadonlyMap<number, string>): string | undefined =>
  roots.get(ids.find((id) => roots.has(id)) ?? 0);

/** Returns the outcome of a requirement that could not be verified because of another one. */
function openBecause(
  root: string,
  { slug, exchanges, lookedAt }: JudgedOutcome,
  showText: ShowText,
): JudgedOutcome {
  const reason = showText(`needs: ${root}`);
  return { slug, outcome: 'not-verified', needs: root, reason, exchanges, lookedAt };
}

/** Returns the ids of the exchanges that show an outcome. */
const decisiveIds = ({ findings, outcome }: Judged): number[] =>
  idsOf(findings.filter((finding) => finding.outcome === outcome.outcome));

const idsOf = (findings: readonly Finding[]): number[] =>
  findings.flatMap(({ exchanges }) => exchanges.map(({ id }) => id));

/** Makes all requirements not verified for one reason, except those that do not apply. */
export function leaveOpen(
  judged: readonly Judged[],
  { reason, exchanges }: Pick<Stopped, 'reason' | 'exchanges'>,
  showText: ShowText,
): Judged[] {
  const findings = [notVerified(reason, ...exchanges)];
  return judged.map((requirement) => {
    if (requirement.outcome.outcome === 'not-applicable') return requirement;
    const outcome = outcomeOf(requirement.slug, findings, showText);
    return { ...requirement, findings, outcome };
  });
}
