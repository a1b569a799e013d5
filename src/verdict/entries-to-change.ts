import type { OutcomeName } from '../requirement/outcome.ts';
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
  // A run that broke down before its first check knows no requirements.
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
  const [closest] = slugs
    .map((one) => ({ one, alike: likeness(slug, one) }))
    .filter(({ alike }) => alike >= 0.5)
    .sort((a, b) => b.alike - a.alike);
  return closest ? `did you mean ${closest.one}?` : 'remove this entry, or take the name from a report';
}

/** From 0 to 1: how many of their pairs of neighbouring letters two texts share (Dice's coefficient). */
function likeness(a: string, b: string): number {
  const pairs = (text: string) => new Set(Array.from(text.slice(1), (_, at) => text.slice(at, at + 2).toLowerCase()));
  const [ours, theirs] = [pairs(a), pairs(b)];
  const shared = [...ours].filter((pair) => theirs.has(pair)).length;
  return (2 * shared) / (ours.size + theirs.size || 1);
}
