import type { Outcome } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';
import type { ListedFailure } from './known-failures.ts';

/** What an outcome counts as when these failures are accepted. An entry past its date accepts nothing. Pure. */
export function accept(outcome: Outcome, listed: readonly ListedFailure[]): Outcome {
  const entryOf = (slug: string) => listed.find((entry) => entry.slug === slug && !entry.expired);
  const entry = entryOf(outcome.slug);
  if (entry && outcome.outcome === 'failed') {
    const { reason, expires, link } = entry;
    const accepted = expires === undefined ? reason : `${reason}, until ${expires}`;
    return { ...outcome, outcome: 'known-failure', reason: `${accepted} (${outcome.reason})`, ...(link && { link }) };
  }
  // What can't be judged because of a failure that is accepted must not leave the run open in its stead.
  if (outcome.outcome === 'not-verified' && outcome.needs !== undefined && entryOf(outcome.needs)) {
    return { ...outcome, excused: true, reason: `${outcome.reason}, a known failure` };
  }
  return outcome;
}

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
