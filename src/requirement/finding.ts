import type { Exchange } from '../http/exchange.ts';

/** The judgement of a check on one thing. The findings of a requirement make its outcome. */
export type Finding = (
  | { outcome: 'passed' }
  | { outcome: 'failed'; expected: string; got: string }
  | { outcome: 'not-verified' | 'not-applicable'; reason: string }
) & {
  /** The exchanges that show the outcome. */
  exchanges: Exchange[];
  /** The case, for a requirement that has several. */
  caseName?: string;
};

/** Passes if a statement holds, and fails with the expected and the received value otherwise. */
export function verify(
  holds: boolean,
  expected: string,
  got: string,
  ...exchanges: (Exchange | undefined)[]
): Finding {
  if (holds) return { outcome: 'passed', exchanges: compact(exchanges) };
  return { outcome: 'failed', expected, got, exchanges: compact(exchanges) };
}

/** Returns a failure. */
export const failed = (
  expected: string,
  got: string,
  ...exchanges: (Exchange | undefined)[]
): Finding => verify(false, expected, got, ...exchanges);

/** Returns a pass. */
export const passed = (...exchanges: (Exchange | undefined)[]): Finding =>
  verify(true, '', '', ...exchanges);

/** Returns a finding for something that could not be judged, with the exchanges that show why. */
export function notVerified(reason: string, ...exchanges: (Exchange | undefined)[]): Finding {
  return { outcome: 'not-verified', reason, exchanges: compact(exchanges) };
}

/** Returns a finding for a choice of the service or of the user that leaves nothing to judge. */
export const notApplicable = (reason: string): Finding => ({
  outcome: 'not-applicable',
  reason,
  exchanges: [],
});

/** Adds the name of a case to findings. */
export const named = (caseName: string, findings: Finding | Finding[]): Finding[] =>
  [findings].flat().map((finding) => ({ ...finding, caseName }));

const compact = (exchanges: (Exchange | undefined)[]): Exchange[] =>
  exchanges.filter((exchange) => exchange !== undefined);
