import type { Exchange } from '../http/exchange.ts';

/** What a check says about one thing. The findings of a requirement make its outcome. */
export type Finding = (
  | { outcome: 'passed' }
  | { outcome: 'failed'; expected: string; got: string }
  | { outcome: 'not-verified' | 'not-applicable'; reason: string }
) & {
  /** The exchanges that show it. */
  exchanges: Exchange[];
  /** The case, for a requirement that has several. */
  caseName?: string;
};

const compact = (exchanges: (Exchange | undefined)[]): Exchange[] =>
  exchanges.filter((exchange) => exchange !== undefined);

/** Passes if a statement holds; otherwise says what was expected, what came, and which exchanges show it. */
export function verify(
  holds: boolean,
  expected: string,
  got: string,
  ...exchanges: (Exchange | undefined)[]
): Finding {
  if (holds) return { outcome: 'passed', exchanges: compact(exchanges) };
  return { outcome: 'failed', expected, got, exchanges: compact(exchanges) };
}

/** A failure without a statement of its own. */
export const failed = (
  expected: string,
  got: string,
  ...exchanges: (Exchange | undefined)[]
): Finding => verify(false, expected, got, ...exchanges);

/** A finding about something that is right. */
export const passed = (...exchanges: (Exchange | undefined)[]): Finding =>
  verify(true, '', '', ...exchanges);

/** It could not be judged; the exchanges show why. */
export function notVerified(reason: string, ...exchanges: (Exchange | undefined)[]): Finding {
  return { outcome: 'not-verified', reason, exchanges: compact(exchanges) };
}

/** A choice of the service, or the user, leaves nothing to judge. */
export const notApplicable = (reason: string): Finding => ({
  outcome: 'not-applicable',
  reason,
  exchanges: [],
});

/** Adds the name of a case to findings. */
export const named = (caseName: string, findings: Finding | Finding[]): Finding[] =>
  [findings].flat().map((finding) => ({ ...finding, caseName }));
