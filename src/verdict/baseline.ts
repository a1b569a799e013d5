import type { Outcome } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';

/**
 * What an outcome counts as where only a regression fails the run: a failure of what did not hold before is known, and what
 * could not be verified before either leaves nothing open. `held` are the slugs that passed in the earlier run. Pure.
 */
export function acceptUnheld(outcome: Outcome, level: Level, held: ReadonlySet<string>, strict: boolean): Outcome {
  if (held.has(outcome.slug) || (level === 'SHOULD' && !strict)) return outcome;
  if (outcome.outcome === 'failed') {
    return { ...outcome, outcome: 'known-failure', reason: `it did not hold in the baseline (${outcome.reason})` };
  }
  return outcome.outcome === 'not-verified' ? { ...outcome, excused: true } : outcome;
}
