import type { Exchange, ShownExchange } from '../http/exchange.ts';
import type { Redact } from '../http/secrets.ts';
import { cutMiddle } from '../http/value.ts';
import { type Finding, notVerified } from './finding.ts';
import type { Level } from './requirement.ts';

export type OutcomeName = 'passed' | 'failed' | 'not-applicable' | 'not-verified' | 'known-failure';

/** The outcome of one requirement: plain data with redacted texts. With shown exchanges it may be kept and printed. */
export interface Outcome<E extends Exchange = ShownExchange> {
  slug: string;
  outcome: OutcomeName;
  /** Why it did not pass; empty if it did. */
  reason: string;
  expected?: string;
  got?: string;
  /** Of a failure: in how many findings it was seen, of how many. */
  seen?: { times: number; of: number };
  /** The failed requirement because of which this one could not be verified. */
  needs?: string;
  /** Whether that one is a known failure, or this one failed in the baseline: then it does not keep a run from a verdict. */
  excused?: true;
  /** Where to read more about a known failure. */
  link?: string;
  /** The exchanges that show why it did not pass; empty if it did. */
  exchanges: E[];
  /** The ids of all exchanges that it was judged by. */
  lookedAt: number[];
}

/** Exchanges of a failure with many cases are shown for so many of them: enough to see the pattern. */
const SHOWN_CASES = 3;

/** Different values that a failure of many cases lists. */
const LISTED_VALUES = 8;

/** Characters of an expected or received value in a sentence: two or three short values. */
const LONGEST_VALUE = 300;

const NOTHING_SHOWS = 'no request of the run shows whether it holds';

/** A requirement with the findings that its outcome is made of. */
export interface Judged {
  slug: string;
  level: Level;
  findings: Finding[];
  outcome: Outcome<Exchange>;
  /** A sentence if the check itself crashed. */
  fault?: string;
}

/**
 * Makes an outcome of findings. A failure counts more than a finding that is not verified, and that more than a pass. A
 * check that judged nothing never passes.
 */
export function outcomeOf(slug: string, findings: Finding[], redact: Redact): Outcome<Exchange> {
  const lookedAt = [...new Set(findings.flatMap(({ exchanges }) => exchanges.map(({ id }) => id)))];
  const failures = findings.filter((finding) => finding.outcome === 'failed');
  const [first] = failures;
  if (first) {
    const shorten = (text: string) => cutMiddle(redact(text), LONGEST_VALUE);
    // One example is shown whole: another expectation does not explain what came instead of this one.
    const alike = failures.filter(({ expected }) => expected === first.expected);
    const values = alike.map(({ got, caseName }) => {
      return caseName === undefined ? shorten(got) : `${shorten(got)} (${redact(caseName)})`;
    });
    const expected = shorten(first.expected);
    const got = listed([...new Set(values)]);
    // The command that repeats a failure sends the last request.
    const simplest = simplestOf(alike);
    const others = alike.filter((finding) => finding !== simplest);
    const shown = [...others.slice(0, SHOWN_CASES - 1), simplest];
    const exchanges = distinct(shown.flatMap((finding) => finding.exchanges));
    const judged = findings.filter(({ outcome }) => outcome === 'failed' || outcome === 'passed');
    const seen = { times: failures.length, of: judged.length };
    const reason = `expected ${expected}, got ${got}`;
    return { slug, outcome: 'failed', reason, expected, got, seen, exchanges, lookedAt };
  }
  const having = (outcome: Finding['outcome']) =>
    findings.find((finding) => finding.outcome === outcome);
  const open = having('not-verified');
  const isPassed = open === undefined && having('passed') !== undefined;
  if (isPassed) return { slug, outcome: 'passed', reason: '', exchanges: [], lookedAt };
  const finding = open ?? having('not-applicable');
  if (finding === undefined || !('reason' in finding)) {
    return { slug, outcome: 'not-verified', reason: NOTHING_SHOWS, exchanges: [], lookedAt };
  }
  const { outcome, reason, exchanges } = finding;
  return { slug, outcome, reason: redact(reason), exchanges: distinct(exchanges), lookedAt };
}

/** The size of the request that shows a finding: a short one is the easiest to read and to send again. */
function sizeOf({ exchanges }: Finding): number {
  const { request } = exchanges.at(-1) ?? {};
  const { path = '', headers, body = '', framing } = request ?? {};
  // A shell command sends a body at once.
  return path.length + JSON.stringify(headers ?? {}).length + body.length + (framing ? 10_000 : 0);
}

/** Returns the finding whose request is the easiest to read and to send again. */
const simplestOf = (findings: readonly Finding[]): Finding =>
  findings.reduce((simplest, finding) => (sizeOf(finding) < sizeOf(simplest) ? finding : simplest));

function listed(values: string[]): string {
  const more = values.length - LISTED_VALUES;
  const shown = values.slice(0, LISTED_VALUES);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const distinct = (exchanges: Exchange[]): Exchange[] => [
  ...new Map(exchanges.map((exchange) => [exchange.id, exchange])).values(),
];

export const isFailed = ({ outcome }: Judged): boolean => outcome.outcome === 'failed';
export const isNotVerified = ({ outcome }: Judged): boolean => outcome.outcome === 'not-verified';

/**
 * Names the root of each requirement that could not be verified: the requirement that failed by one of the exchanges
 * that show why, a MUST before a SHOULD. So one fault is one failure.
 */
export function withRoots(judged: readonly Judged[]): Outcome<Exchange>[] {
  const roots = new Map<number, string>();
  for (const level of ['MUST', 'SHOULD'] as const) {
    for (const failure of judged.filter((one) => one.level === level && isFailed(one))) {
      for (const id of idsBehind(failure)) if (!roots.has(id)) roots.set(id, failure.slug);
    }
  }
  return judged.map((one) => {
    if (!isNotVerified(one)) return one.outcome;
    const [root] = idsBehind(one).flatMap((id) => roots.get(id) ?? []);
    return root === undefined
      ? one.outcome
      : { ...one.outcome, needs: root, reason: `needs: ${root}` };
  });
}

/** The ids of the exchanges that show an outcome. */
function idsBehind({ findings, outcome }: Judged): number[] {
  const decisive = findings.filter((finding) => finding.outcome === outcome.outcome);
  return decisive.flatMap(({ exchanges }) => exchanges.map(({ id }) => id));
}

/** Leaves judged requirements open for one reason, except those that do not apply. */
export function leaveOpen(judged: readonly Judged[], reason: string, redact: Redact): Judged[] {
  const findings = [notVerified(reason)];
  return judged.map((one) => {
    if (one.outcome.outcome === 'not-applicable') return one;
    return { ...one, findings, outcome: outcomeOf(one.slug, findings, redact) };
  });
}
