import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The settings are unusable; the message is the one sentence that says what to do. */
export class SettingsError extends Error {
  override name = 'SettingsError';
  /** Lines to show below the sentence, each as it may stand on a terminal. */
  below: string[] = [];
}

/** What a function returns. Where it throws, another error is thrown, which is made of that one. */
export function orThrow<T>(act: () => T, made: (error: NodeJS.ErrnoException) => Error): T {
  try {
    return act();
  } catch (error) {
    throw made(error as NodeJS.ErrnoException);
  }
}

/** What a function returns; undefined where it throws. */
export function unlessThrown<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** What the system calls a fault, such as ENOENT. */
export const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error as Error).message;

/**
 * Reads a file of at most `limit` bytes. Devices and pipes are none: some never end. Throws what `refuse` makes of a
 * clause such as "is not a regular file".
 */
export function readUpTo(path: string, limit: number, refuse: (why: string) => Error): Buffer {
  const read = <T>(act: () => T) =>
    orThrow(act, (error) => refuse(`can't be read (${codeOf(error)})`));
  const stat = read(() => statSync(path));
  if (!stat.isFile()) throw refuse('is not a regular file');
  const content = stat.size > limit ? undefined : read(() => readFileSync(path));
  // The size that the system tells of a file in /proc is 0.
  if (content === undefined || content.length > limit)
    throw refuse(`is larger than ${limit / 2 ** 20} MiB`);
  return content;
}

/** Decodes a text file: UTF-8, or UTF-16 as PowerShell writes it; a byte order mark is no part of the text. */
export function decoded(bytes: Buffer): string {
  const [first = 1, second = 1] = bytes;
  if ((first === 0xfe && second === 0xff) || first === 0)
    return new TextDecoder('utf-16be').decode(bytes);
  if ((first === 0xff && second === 0xfe) || second === 0)
    return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Makes a folder and those above it. Node's own way never ends where a folder takes no entries, such as /proc. */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let place = path; !statSync(place, { throwIfNoEntry: false }); place = dirname(place))
    missing.unshift(place);
  for (const one of missing) mkdirSync(one);
  if (missing.length === 0 && !statSync(path).isDirectory())
    throw Object.assign(new Error(), { code: 'ENOTDIR' });
}
