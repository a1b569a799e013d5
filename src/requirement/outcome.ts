import type { Exchange, ShownExchange } from '../http/exchange.ts';
import type { Redact } from '../http/secrets.ts';
import { cutMiddle } from '../http/value.ts';
import { Missing, messageOf, type Yields } from '../plan/evidence.ts';
import { type Finding, missing, notVerified } from './finding.ts';
import type { Requirement } from './requirement.ts';

export type OutcomeName = 'passed' | 'failed' | 'not-applicable' | 'not-verified' | 'known-failure';

/**
 * The outcome of one requirement: plain data, whose texts are redacted; with shown exchanges it may be kept, sent and
 * printed.
 */
export interface Outcome<E extends Exchange = ShownExchange> {
  slug: string;
  outcome: OutcomeName;
  /** Why it is not passed; empty when it is. */
  reason: string;
  expected?: string;
  got?: string;
  /** Of a failure: how often it was seen, of how often it was judged. */
  seen?: { times: number; of: number };
  /** The requirement that failed, so that this one could not be verified. */
  needs?: string;
  /** That one is a known failure, or this one did not hold before, so it does not keep the run from a verdict. */
  excused?: true;
  /** Where more is said on a known failure. */
  link?: string;
  /** The exchanges that show why it is not passed; empty when it is. */
  exchanges: E[];
  /** All exchanges in its evidence, by their ids; not those of the whole run, where that is its evidence. */
  lookedAt: number[];
}

/** Exchanges that are shown of a failure of many cases: enough to see the pattern. */
const SHOWN_CASES = 3;

/** Different values that are told of a failure of many cases. */
const TOLD = 8;

/** Characters of what was expected, and of what came, in one case: two or three short values. */
const LONGEST = 300;

/**
 * Makes one outcome of the findings of a check: a failure counts more than what could not be verified, and that more
 * than what passed. A check that found nothing to judge never passes.
 */
export function outcomeOf(
  slug: string,
  findings: Finding[],
  redact: Redact,
  lookedAt: number[] = [],
): Outcome<Exchange> {
  const failed = findings.filter((finding) => finding.outcome === 'failed');
  const [first] = failed;
  if (first) {
    const shown = (text: string) => cutMiddle(redact(text), LONGEST);
    // One example is shown whole: what else was expected says nothing on what came in its place.
    const alike = failed.filter(({ expected }) => expected === first.expected);
    const expected = shown(first.expected);
    const told = alike.map(({ got, of }) => (of === undefined ? shown(got) : `${shown(got)} (${of})`));
    const different = [...new Set(told)];
    const more = different.length - TOLD;
    const got = [...different.slice(0, TOLD), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
    const exchanges = distinct(alike.slice(0, SHOWN_CASES).flatMap((finding) => finding.exchanges));
    const reason = `expected ${expected}, got ${got}`;
    const judged = findings.filter(({ outcome }) => outcome === 'failed' || outcome === 'passed');
    const seen = { times: failed.length, of: judged.length };
    return { slug, outcome: 'failed', reason, expected, got, seen, exchanges, lookedAt };
  }
  const ofOutcome = (outcome: OutcomeName) => findings.find((one) => one.outcome === outcome);
  const finding =
    ofOutcome('not-verified') ?? ofOutcome('passed') ?? ofOutcome('not-applicable') ?? notVerified(NOTHING_SHOWS);
  const reason = 'why' in finding ? redact(finding.why) : '';
  return { slug, outcome: finding.outcome, reason, exchanges: distinct(finding.exchanges), lookedAt };
}

const NOTHING_SHOWS = 'no request of the run shows whether it holds';

const distinct = (exchanges: Exchange[]) => [...new Set(exchanges)];

/** What is judged: the outcome of a requirement with all findings that made it. */
export interface Judged {
  requirement: Requirement;
  findings: readonly Pick<Outcome<Exchange>, 'outcome' | 'exchanges'>[];
  outcome: Outcome<Exchange>;
  /** That the check crashed, a sentence. */
  fault?: string;
}

function judgedBy(requirement: Requirement, findings: Finding[], redact: Redact, lookedAt?: number[]): Judged {
  return { requirement, findings, outcome: outcomeOf(requirement.slug, findings, redact, lookedAt) };
}

/**
 * Judges one requirement by the evidence. Pure; a check that crashes is a fault of the suite's, one sentence, and
 * leaves it not verified.
 */
export function judge(requirement: Requirement, yields: Yields, redact: Redact): Judged {
  const { slug, evidence } = requirement;
  try {
    const given = Object.entries(evidence).map(([name, part]) => [name, part.from(yields)] as const);
    const parts = given.filter(([name]) => !evidence[name]?.whole);
    const findings = [requirement.check(Object.fromEntries(given))].flat();
    // What only the whole run can show is not shown by a part of it.
    if (parts.length < given.length && yields.stopped) findings.push(missing(yields.stopped.why));
    return judgedBy(requirement, findings, redact, idsIn(parts));
  } catch (error) {
    if (error instanceof Missing) return judgedBy(requirement, [missing(error)], redact);
    const fault = redact(`the check ${slug} crashed: ${messageOf(error)}`);
    return { ...judgedBy(requirement, [notVerified(fault)], redact), fault };
  }
}

/** The ids of all exchanges in a part of the evidence. */
function idsIn(value: unknown): number[] {
  const found = new Set<number>();
  // Users and lists stand in many places: each is looked through once.
  const seen = new Set<object>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if (part instanceof Map) for (const entry of part) entry.forEach(look);
    else if ('request' in part && 'attempts' in part) found.add((part as unknown as Exchange).id);
    else for (const name in part) look((part as Record<string, unknown>)[name]);
  };
  look(value);
  return [...found];
}

/**
 * Names the root of what could not be verified: the requirement that failed by an exchange for want of which the other
 * could not be judged, a MUST rather than a SHOULD. One fault is then one failure.
 */
export function withRoots(judged: readonly Judged[]): Outcome<Exchange>[] {
  const idsOf = ({ findings, outcome }: Judged) =>
    findings.flatMap((one) => (one.outcome === outcome.outcome ? one.exchanges.map(({ id }) => id) : []));
  const failed = judged
    .filter(isFailed)
    .sort((a, b) => a.requirement.level.localeCompare(b.requirement.level))
    .flatMap((one) => idsOf(one).map((id) => [id, one.outcome.slug] as const));
  // Of several that failed by an exchange, the first.
  const roots = new Map(failed.reverse());
  return judged.map((one) => {
    const { outcome } = one;
    const [needs] = isOpen(one) ? idsOf(one).flatMap((id) => roots.get(id) ?? []) : [];
    return needs === undefined ? outcome : { ...outcome, needs, reason: `needs: ${needs}` };
  });
}

/** What was judged, where nobody knows any more whether it holds. */
export const leftOpen = ({ requirement, outcome }: Judged, why: Missing, redact: Redact) =>
  judgedBy(requirement, [missing(why)], redact, outcome.lookedAt);

export const isOpen = ({ outcome: { outcome } }: Judged) => outcome === 'not-verified';
export const isFailed = ({ outcome: { outcome } }: Judged) => outcome === 'failed';
