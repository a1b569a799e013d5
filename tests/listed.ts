import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedFailure } from '../src/verdict/accept.ts';
import { readKnownFailures } from '../src/verdict/known-failures.ts';
import { inFolder } from './shell.ts';

export const TODAY = new Date('2026-11-01T12:00:00Z');

/** Reads a file of known failures that has this content. */
export function readText(text: string | Buffer, now = TODAY): Promise<ListedFailure[]> {
  return inFolder(async (folder) => {
    writeFileSync(join(folder, 'known.yml'), text);
    return readKnownFailures(join(folder, 'known.yml'), 'known.yml', now);
  });
}

/** Makes an entry of a file of known failures. */
export const listed = (slug: string, changes: Partial<ListedFailure> = {}): ListedFailure => ({
  slug,
  reason: 'why',
  file: 'known.yml',
  line: 1,
  expired: false,
  ...changes,
});
