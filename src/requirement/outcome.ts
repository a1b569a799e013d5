import type { Exchange, ShownExchange } from '../http/exchange.ts';
import type { Redact } from '../http/secrets.ts';
import { cutMiddle } from '../http/value.ts';
import { type Finding, notVerified } from './finding.ts';

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

/** Characters of what was expected, and of what came, in one case: two or three short values. */
const LONGEST = 300;

/**
 * Makes one outcome of the findings of a check: a failure counts more than what could not be verified, and that more than
 * what passed. A check that found nothing to judge never passes.
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
    const got = few(alike.map((finding) => named(shown(finding.got), finding.of)));
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

/** Different values that are told of a failure of many cases. */
const TOLD = 8;

function few(values: string[]): string {
  const different = [...new Set(values)];
  const more = different.length - TOLD;
  return [...different.slice(0, TOLD), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const named = (got: string, name: string | undefined) => (name === undefined ? got : `${got} (${name})`);

const distinct = (exchanges: Exchange[]) => [...new Set(exchanges)];
