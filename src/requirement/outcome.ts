import type { Exchange } from '../http/exchange.ts';

/** What a check that did not pass ends with: what was expected, what came instead, and the exchanges that show it. */
export interface Finding {
  expected: string;
  got: string;
  exchanges: Exchange[];
}

/** Judged, and the requirement does not hold. */
export class Failure extends Error {
  readonly finding: Finding;
  constructor(finding: Finding) {
    super(`expected ${finding.expected}, got ${finding.got}`);
    this.finding = finding;
  }
}

/** The target uses a freedom that leaves nothing to judge, or the person excluded it. */
export class NotApplicable extends Error {}

/** It should have been judged and could not be; the exchanges show why, where there are any. */
export class NotVerified extends Error {
  readonly exchanges: Exchange[];
  constructor(reason: string, exchanges: Exchange[] = []) {
    super(reason);
    this.exchanges = exchanges;
  }
}

/** It could not be judged because another requirement, which it stands on, does not hold. */
export class Needs extends NotVerified {
  readonly slug: string;
  constructor(slug: string, exchanges: Exchange[] = []) {
    super(`needs: ${slug}`, exchanges);
    this.slug = slug;
  }
}

/** Whether an error is a way for a check to end, and no fault of the suite. */
export function isOutcome(error: unknown): error is Failure | NotApplicable | NotVerified {
  return error instanceof Failure || error instanceof NotVerified || error instanceof NotApplicable;
}

export type OutcomeName = 'passed' | 'failed' | 'not-applicable' | 'not-verified' | 'known-failure';

/** The outcome of one requirement, redacted: plain data that may be kept, sent and printed. */
export interface Outcome {
  slug: string;
  outcome: OutcomeName;
  /** Why it is not passed; empty when it is. */
  reason: string;
  expected?: string;
  got?: string;
  /** The requirement that must hold before this one can be judged. */
  needs?: string;
  /** Where more is said on a known failure. */
  link?: string;
  /** Milliseconds. */
  duration: number;
  /** The exchanges that show a finding; empty when passed. */
  evidence: Exchange[];
  /** All exchanges that the check looked at. */
  exchanges: Exchange[];
}
