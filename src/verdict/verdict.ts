import type { Outcome } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';
import { type EntryToChange, entriesToChange, type ListedFailure } from './accept.ts';

export type Verdict = 'conformant' | 'non-conformant' | 'inconclusive';

/** The command's exit codes, one meaning each. */
export const EXIT = {
  conformant: 0,
  'non-conformant': 1,
  settings: 2,
  inconclusive: 3,
  fault: 4,
} as const;

/** Returns the exit code of a run: that of its verdict, or 1 if known failures are out of date. */
export const exitCodeOf = ({ verdict, knownFailures }: ReportedVerdict): number =>
  knownFailures.toChange.length > 0 ? EXIT['non-conformant'] : EXIT[verdict];

interface ReportedVerdict {
  verdict: Verdict;
  knownFailures: { toChange: readonly unknown[] };
}

/** A requirement with its outcome, as far as the verdict depends on it. */
export interface JudgedRequirement extends Pick<Outcome, 'slug' | 'outcome' | 'excused'> {
  level: Level;
}

/** The effect of one outcome on the run. */
export type Effect = 'fails' | 'leaves open' | 'warns' | 'none';

/**
 * Returns the effect of an outcome. The terminal, Vitest's tests, JUnit, Allure, annotations, the
 * badge and the exit code all use it, so that they agree. Pure.
 */
export function effectOf(
  { level, outcome, excused }: Omit<JudgedRequirement, 'slug'>,
  strict: boolean,
): Effect {
  const counts = level === 'MUST' || strict;
  if (outcome === 'failed') return counts ? 'fails' : 'warns';
  return outcome === 'not-verified' && counts && !excused ? 'leaves open' : 'none';
}

/** The settings that a verdict depends on besides the outcomes. */
export interface Terms {
  /** A failed SHOULD also fails the run. */
  strict: boolean;
  knownFailures: readonly ListedFailure[];
  /** Whether the run has sent all requests, so that a failure that does not show is gone. */
  sentAll?: boolean;
}

/** A verdict, and the known failures that are out of date. */
export interface Decision {
  verdict: Verdict;
  toChange: EntryToChange[];
}

/**
 * Decides the verdict of a run. Known failures that are out of date fail the job, not the service:
 * the verdict is about the service alone. A run that judged nothing is never conformant. Pure.
 */
export function decide(
  judged: readonly JudgedRequirement[],
  { strict, knownFailures, sentAll = true }: Terms,
): Decision {
  const effects = judged.map((requirement) => effectOf(requirement, strict));
  const toChange = entriesToChange(knownFailures, judged, sentAll);
  if (effects.includes('fails')) return { verdict: 'non-conformant', toChange };
  const isOpen = effects.includes('leaves open') || !judged.some(isJudged);
  return { verdict: isOpen ? 'inconclusive' : 'conformant', toChange };
}

/** Whether the run shows that a requirement holds or does not hold. */
export const isJudged = ({ outcome }: Pick<Outcome, 'outcome'>): boolean =>
  outcome === 'passed' || outcome === 'failed' || outcome === 'known-failure';

/** `1 requirement`, `2 requirements`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
