import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file that can't be used; the message is a clause such as "is not a regular file". */
export class UnusableFile extends Error {}

/**
 * Reads a file of at most `limit` bytes. Devices and pipes are none: some never end. Throws an UnusableFile.
 */
export function readUpTo(path: string, limit: number): Buffer {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw new UnusableFile('is not a regular file');
    const content = stat.size > limit ? undefined : readFileSync(path);
    // The size that the system tells of a file in /proc is 0.
    if (content === undefined || content.length > limit)
      throw new UnusableFile(`is larger than ${limit / 2 ** 20} MiB`);
    return content;
  } catch (error) {
    throw error instanceof UnusableFile ? error : new UnusableFile(`can't be read (${codeOf(error)})`);
  }
}

/** Decodes a text file: UTF-8, or UTF-16 as PowerShell writes it; a byte order mark is no part of the text. */
export function decoded(bytes: Buffer): string {
  const [first = 1, second = 1] = bytes;
  if ((first === 0xfe && second === 0xff) || first === 0) return new TextDecoder('utf-16be').decode(bytes);
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Makes a folder and those above it. Node's own way never ends where a folder takes no entries, such as /proc. */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let place = path; !statSync(place, { throwIfNoEntry: false }); place = dirname(place)) missing.unshift(place);
  for (const one of missing) mkdirSync(one);
  if (missing.length === 0 && !statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
}

/** What the system calls a fault, such as ENOENT. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}
