import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import { nearest } from '../settings/nearest.ts';
import type { Settings } from '../settings/settings.ts';

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
  /** Whether its last day is over: it applies no more. */
  expired: boolean;
}

/** The accepted failures of the file that settings name; none where they name no file. Rejects with a SettingsError. */
export async function listedFailures({ knownFailures: file, target }: Settings): Promise<ListedFailure[]> {
  if (file === undefined) return [];
  // Loaded only where there is a file: parsers take longer than all settings.
  const { readKnownFailures } = await import('./read-known-failures.ts');
  return readKnownFailures(file.path, file.name, new Date(), target?.apiKey);
}

/**
 * What an outcome counts as when these failures are accepted: an entry past its date accepts nothing. Where only a regression
 * fails the run, `isOld` says what did not hold before: its failure is known, and what could not be verified of it leaves
 * nothing open. Pure.
 */
export function accept(
  outcome: Outcome,
  listed: readonly ListedFailure[],
  isOld: (slug: string) => boolean = () => false,
): Outcome {
  const entryOf = (slug: string) => listed.find((entry) => entry.slug === slug && !entry.expired);
  const entry = entryOf(outcome.slug);
  if (outcome.outcome === 'failed' && (entry || isOld(outcome.slug))) {
    const { reason, expires, link } = entry ?? { reason: 'it did not hold in the baseline' };
    const accepted = expires === undefined ? reason : `${reason}, until ${expires}`;
    return { ...outcome, outcome: 'known-failure', reason: `${accepted} (${outcome.reason})`, ...(link && { link }) };
  }
  if (outcome.outcome !== 'not-verified') return outcome;
  // What can't be judged because of a failure that is accepted must not leave the run open in its stead.
  if (outcome.needs !== undefined && entryOf(outcome.needs)) {
    return { ...outcome, excused: true, reason: `${outcome.reason}, a known failure` };
  }
  return isOld(outcome.slug) ? { ...outcome, excused: true } : outcome;
}

/** An entry of the known failures that fails the run until somebody changes it; its message is a clause. */
export type EntryToChange = ReturnType<typeof entriesToChange>[number];

/**
 * The entries that can't stay as they are. One whose requirement was not judged is not stale, and it is known: `judged`
 * holds every requirement, also those that a filter left out. Pure.
 */
export function entriesToChange(
  listed: readonly ListedFailure[],
  judged: readonly { slug: string; outcome: OutcomeName }[],
) {
  // A run that crashed before its first check knows no requirements.
  if (judged.length === 0) return [];
  const slugs = judged.map(({ slug }) => slug);
  return listed.flatMap(({ slug, file, line, expired, expires }) => {
    const entry = (why: 'stale' | 'unknown' | 'expired', message: string) => [{ slug, why, file, line, message }];
    const found = judged.find((one) => one.slug === slug);
    if (found === undefined) return entry('unknown', `${slug} names no requirement: ${adviceFor(slug, slugs)}`);
    if (found.outcome === 'passed') return entry('stale', `${slug} passes now: remove this entry`);
    if (expired) return entry('expired', `the entry for ${slug} ended on ${expires}: fix it or give it a new date`);
    return [];
  });
}

/** `known.yml:7: list.total-integer passes now: remove this entry`. */
export function lineToChange({ file, line, message }: EntryToChange): string {
  return `${file}:${line}: ${message}`;
}

function adviceFor(slug: string, slugs: string[]): string {
  const meant = nearest(slug, slugs);
  return meant ? `did you mean ${meant}?` : 'remove this entry, or take the name from a report';
}
