import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import { nearestSlug } from '../settings/selection.ts';

/** A failure that a team accepts for the time being: see schemas/known-failures.schema.json. */
export interface KnownFailure {
  slug: string;
  reason: string;
  /** The last day on which it is accepted, such as `2026-10-31`. */
  expires?: string;
  /** An http or https address, such as that of a ticket. */
  link?: string;
}

/** An entry of a file of known failures, with its place there. */
export interface ListedFailure extends KnownFailure {
  /** The file's path as the user gave it. */
  file: string;
  line: number;
  /** Whether its last day is over, so that it no longer applies. */
  expired: boolean;
}

/** The reason of an entry that a run added, until a person gives one. */
export const NO_REASON = 'TODO: why is this accepted?';

/** Returns `2 entries need a reason: known.yml:3, known.yml:7`; undefined if all have one. */
export function unexplainedText(listed: readonly ListedFailure[]): string | undefined {
  const unexplained = listed.filter(({ reason }) => reason.startsWith(NO_REASON));
  const places = unexplained.map(({ file, line }) => `${file}:${line}`);
  if (places.length === 0) return undefined;
  const need = places.length === 1 ? '1 entry needs' : `${places.length} entries need`;
  return `${need} a reason: ${places.join(', ')}`;
}

/**
 * Returns an outcome as it counts when these failures are accepted. An expired entry accepts
 * nothing. If only a regression fails the run, `failedBefore` tells which requirements did not hold
 * in the baseline: a failure of one is known, and if it could not be verified, that leaves nothing
 * open. Pure.
 */
export function accept(
  outcome: Outcome,
  listed: readonly ListedFailure[],
  failedBefore: (slug: string) => boolean = () => false,
): Outcome {
  const entryFor = (slug: string) => listed.find((entry) => entry.slug === slug && !entry.expired);
  const { slug, needs } = outcome;
  if (outcome.outcome === 'failed') {
    const entry = entryFor(slug);
    if (entry) return knownFailure(outcome, entry);
    if (failedBefore(slug))
      return knownFailure(outcome, { reason: 'it did not hold in the baseline' });
    return outcome;
  }
  if (outcome.outcome !== 'not-verified') return outcome;
  // An accepted failure must not leave the run open through the requirements that depend on it.
  if (needs !== undefined && entryFor(needs))
    return { ...outcome, excused: true, reason: `${outcome.reason}, a known failure` };
  return failedBefore(slug) ? { ...outcome, excused: true } : outcome;
}

function knownFailure(
  outcome: Outcome,
  { reason, expires, link }: Pick<KnownFailure, 'reason' | 'expires' | 'link'>,
): Outcome {
  const accepted = expires === undefined ? reason : `${reason}, until ${expires}`;
  return {
    ...outcome,
    outcome: 'known-failure',
    reason: `${accepted} (${outcome.reason})`,
    ...(link && { link }),
  };
}

/** A known failure that is out of date, with its place and the advice to the team. */
export interface EntryToChange extends Pick<ListedFailure, 'slug' | 'file' | 'line'> {
  why: 'stale' | 'unknown' | 'expired';
  message: string;
}

/**
 * Returns the entries that are out of date. `judged` also holds the requirements that a filter left
 * out: an entry for one of them is neither stale nor unknown. A run that has not sent all requests
 * shows no entry as stale. Pure.
 */
export function entriesToChange(
  listed: readonly ListedFailure[],
  judged: readonly { slug: string; outcome: OutcomeName }[],
  sentAll = true,
): EntryToChange[] {
  // A run that crashed before its first check has no requirements.
  if (judged.length === 0) return [];
  const outcomes = new Map(judged.map(({ slug, outcome }) => [slug, outcome]));
  return listed.flatMap(({ slug, file, line, expired, expires }): EntryToChange[] => {
    const outcome = outcomes.get(slug);
    if (outcome === undefined) {
      const message = `${slug} names no requirement: ${adviceFor(slug, [...outcomes.keys()])}`;
      return [{ slug, why: 'unknown', file, line, message }];
    }
    if (outcome === 'passed' && sentAll) {
      const message = `${slug} passes now: remove this entry`;
      return [{ slug, why: 'stale', file, line, message }];
    }
    if (!expired) return [];
    const message = `the entry for ${slug} ended on ${expires}: fix it or give it a new date`;
    return [{ slug, why: 'expired', file, line, message }];
  });
}

/** Returns `known.yml:7: list.total-integer passes now: remove this entry`. */
export const lineToChange = ({ file, line, message }: EntryToChange): string =>
  `${file}:${line}: ${message}`;

function adviceFor(slug: string, slugs: readonly string[]): string {
  const suggestion = nearestSlug(slug, slugs);
  if (suggestion === undefined) return 'remove this entry, or take the name from a report';
  return `did you mean ${suggestion}?`;
}
