import type { Outcome } from '../requirement/outcome.ts';
import type { ListedFailure } from './known-failures.ts';

/** What an outcome counts as when these failures are accepted. An entry past its date accepts nothing. Pure. */
export function accept(outcome: Outcome, listed: readonly ListedFailure[]): Outcome {
  const entryOf = (slug: string) => listed.find((entry) => entry.slug === slug && !entry.expired);
  const entry = entryOf(outcome.slug);
  if (entry && outcome.outcome === 'failed') {
    const { reason, expires, link } = entry;
    const accepted = expires === undefined ? reason : `${reason}, until ${expires}`;
    // A generated reason is the failure itself.
    const told = reason.includes(outcome.reason) ? accepted : `${accepted} (${outcome.reason})`;
    return { ...outcome, outcome: 'known-failure', reason: told, ...(link && { link }) };
  }
  // What can't be judged because of a failure that is accepted must not leave the run open in its stead.
  if (outcome.outcome === 'not-verified' && outcome.needs !== undefined && entryOf(outcome.needs)) {
    return { ...outcome, excused: true, reason: `${outcome.reason}, a known failure` };
  }
  return outcome;
}
