import type { OutcomeName } from '../requirement/outcome.ts';
import { nearest } from '../settings/nearest.ts';
import type { ListedFailure } from './known-failures.ts';

/** An entry of the known failures that fails the run until somebody changes it. */
export interface EntryToChange {
  slug: string;
  /** `stale`: its requirement passed. `unknown`: there is no such requirement. `expired`: its last day is over. */
  why: 'stale' | 'unknown' | 'expired';
  file: string;
  line: number;
  /** What to change, as a clause. */
  message: string;
}

/**
 * The entries that can't stay as they are. One whose requirement was not judged is not stale, and it is known: `judged`
 * holds every requirement, also those that a filter left out. Pure.
 */
export function entriesToChange(
  listed: readonly ListedFailure[],
  judged: readonly { slug: string; outcome: OutcomeName }[],
): EntryToChange[] {
  // A run that crashed before its first check knows no requirements.
  if (judged.length === 0) return [];
  const slugs = judged.map(({ slug }) => slug);
  return listed.flatMap(({ slug, file, line, expired, expires }) => {
    const entry = (why: EntryToChange['why'], message: string) => [{ slug, why, file, line, message }];
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
