import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Unusable settings. The message is one sentence that says how to correct them. */
export class SettingsError extends Error {
  override name = 'SettingsError';
  /** Lines to print below the sentence, safe for a terminal. */
  below: string[] = [];
}

/** Returns the result of an action. Replaces an error that it throws by another one. */
export function orThrow<T>(action: () => T, toError: (error: NodeJS.ErrnoException) => Error): T {
  try {
    return action();
  } catch (error) {
    throw toError(error as NodeJS.ErrnoException);
  }
}

/** Returns the result of an action; undefined if it throws. */
export function unlessThrown<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Returns the system's code of an error, such as ENOENT; without one, the message. */
export function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/**
 * Reads a regular file of at most `limit` bytes, because a device or a pipe may never end.
 * `toError` makes the error from a clause such as "is not a regular file".
 */
export function readUpTo(path: string, limit: number, toError: (clause: string) => Error): Buffer {
  const unreadable = (error: unknown) => toError(`can't be read (${codeOf(error)})`);
  const stat = orThrow(() => statSync(path), unreadable);
  if (!stat.isFile()) throw toError('is not a regular file');
  const tooLarge = `is larger than ${limit / 2 ** 20} MiB`;
  if (stat.size > limit) throw toError(tooLarge);
  const content = orThrow(() => readFileSync(path), unreadable);
  // A file in /proc has content but the size 0.
  if (content.length > limit) throw toError(tooLarge);
  return content;
}

/**
 * Decodes a text file in UTF-8, or in UTF-16 as PowerShell writes it, with or without a byte order
 * mark.
 */
export function decodeText(bytes: Buffer): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first = 1, second = 1]: Buffer): string {
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  return 'utf-8';
}

/**
 * Makes a folder and its parents. Node's recursive mkdir never ends in a folder such as /proc, which
 * takes no entries.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  let folder = path;
  while (!statSync(folder, { throwIfNoEntry: false })) {
    missing.unshift(folder);
    folder = dirname(folder);
  }
  for (const name of missing) mkdirSync(name);
  if (missing.length > 0 || statSync(path).isDirectory()) return;
  const error: NodeJS.ErrnoException = new Error('not a directory');
  error.code = 'ENOTDIR';
  throw error;
}
