import type { Exchange } from '../http/exchange.ts';
import type { Redact } from '../http/redaction.ts';
import type { Finding } from './finding.ts';

export type OutcomeName = 'passed' | 'failed' | 'not-applicable' | 'not-verified' | 'known-failure';

/** The outcome of one requirement, redacted: plain data that may be kept, sent and printed. */
export interface Outcome {
  slug: string;
  outcome: OutcomeName;
  /** Why it is not passed; empty when it is. */
  reason: string;
  expected?: string;
  got?: string;
  /** The requirement that failed, so that this one could not be verified. */
  needs?: string;
  /** Where more is said on a known failure. */
  link?: string;
  /** The exchanges that show why it is not passed; empty when it is. */
  exchanges: Exchange[];
  /** All exchanges in its evidence, by their ids; not those of the whole run, where that is its evidence. */
  lookedAt: number[];
}

/** Exchanges that are shown of a failure of many cases: enough to see the pattern. */
const SHOWN_CASES = 3;

/**
 * Makes one outcome of the findings of a check: a failure counts more than what could not be verified, and that more than
 * what passed. A check that found nothing to judge never passes.
 */
export function outcomeOf(slug: string, findings: Finding[], redact: Redact, lookedAt: number[] = []): Outcome {
  const failed = findings.filter((finding) => finding.outcome === 'failed');
  if (failed.length > 0) {
    const expected = redact([...new Set(failed.map((finding) => finding.expected))].join('; '));
    const got = redact([...new Set(failed.map((finding) => named(finding.got, finding.of)))].join('; '));
    const exchanges = distinct(failed.slice(0, SHOWN_CASES).flatMap((finding) => finding.exchanges));
    const reason = `expected ${expected}, got ${got}`;
    return { slug, outcome: 'failed', reason, expected, got, exchanges, lookedAt };
  }
  for (const outcome of ['not-verified', 'passed', 'not-applicable'] as const) {
    const finding = findings.find((one) => one.outcome === outcome);
    if (finding?.outcome === 'passed') return { slug, outcome: 'passed', reason: '', exchanges: [], lookedAt };
    if (finding && 'why' in finding) {
      return { slug, outcome, reason: redact(finding.why), exchanges: distinct(finding.exchanges), lookedAt };
    }
  }
  return { slug, outcome: 'not-verified', reason: 'the check found nothing to judge', exchanges: [], lookedAt };
}

const named = (got: string, name: string | undefined) => (name === undefined ? got : `${got} (${name})`);

const distinct = (exchanges: Exchange[]) => [...new Set(exchanges)];
