import type { Exchange } from '../http/exchange.ts';
import { caught, Missing, type OrMissing, present } from '../plan/evidence.ts';

/**
 * What a check says of one thing that it looked at. A check's findings together make the outcome of its requirement.
 */
export type Finding = (
  | { outcome: 'passed' }
  | { outcome: 'failed'; expected: string; got: string }
  | { outcome: 'not-verified' | 'not-applicable'; why: string }
) & {
  /** The exchanges that show it. */
  exchanges: Exchange[];
  /** The case that it is of, where there are several. */
  of?: string;
};

/** Judges one statement: it passes where it `holds`, else it fails with what was expected and what came instead. */
export const that = (holds: boolean, expected: string, got: string, ...shownBy: (Exchange | undefined)[]): Finding =>
  holds ? PASSED : { outcome: 'failed', expected, got, exchanges: present(shownBy) };

/** What there is nothing to say of. */
export const PASSED: Finding = { outcome: 'passed', exchanges: [] };

/** It should have been judged and can't be; the exchanges show why. */
export function notVerified(why: string, ...shownBy: (Exchange | undefined)[]): Finding {
  return { outcome: 'not-verified', why, exchanges: present(shownBy) };
}

/** The service's choice leaves nothing to judge. */
export const notApplicable = (why: string): Finding => ({ outcome: 'not-applicable', why, exchanges: [] });

/** Findings of one case among several, with its name. */
export const of = (name: string, findings: Finding | Finding[]): Finding[] =>
  [findings].flat().map((finding) => ({ ...finding, of: name }));

/** The finding on a part of the evidence that is not there. */
export const missing = ({ message, exchanges, excluded }: Missing): Finding =>
  excluded ? notApplicable(message) : notVerified(message, ...exchanges);

/** Judges each of several cases, where there is evidence of it. */
export function each<T>(all: readonly OrMissing<T>[], judgeOne: (one: T) => Finding | Finding[]): Finding[] {
  return all.flatMap((one) => {
    if (one instanceof Missing) return [missing(one)];
    // The judging, too, may find out that a part of the evidence is missing.
    const found = caught(() => judgeOne(one));
    return found instanceof Missing ? [missing(found)] : [found].flat();
  });
}
