import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { orThrow } from './errors.ts';

/** Returns the cause of an error of the system in words, such as `no such file or directory`. */
export function causeOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  // Node's own checks have codes such as ERR_FS_EISDIR.
  return new Map(getSystemErrorMap().values()).get(code.replace('ERR_FS_', '')) ?? message;
}

/** Carries out an action on a file. Returns a sentence if it fails; empty if it succeeds. */
export function attempt(name: string, act: () => void, done = 'written'): string[] {
  try {
    act();
    return [];
  } catch (error) {
    return [`${name} could not be ${done} (${causeOf(error)})`];
  }
}

/**
 * Reads a regular file of at most `limit` bytes, because a device or a pipe may never end.
 * `toError` makes the error from a clause such as "is not a regular file".
 */
export function readUpTo(path: string, limit: number, toError: (clause: string) => Error): Buffer {
  const unreadable = (error: unknown) => toError(`can't be read (${causeOf(error)})`);
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

/** The content of a file, as a whole or in pieces. */
export type FileContent = string | Buffer | Iterable<string>;

/**
 * Writes a file under a random name in its folder and renames it: a reader never sees half of it,
 * and no symbolic link is followed. The file keeps its mode. Throws the error of the system.
 */
export function replaceFile(path: string, content: FileContent): void {
  makeFolder(dirname(path));
  const before = lstatSync(path, { throwIfNoEntry: false });
  const pieces = typeof content === 'string' || Buffer.isBuffer(content) ? [content] : content;
  const temporary = temporaryName(path);
  try {
    const file = openSync(temporary, 'wx');
    try {
      if (before?.isFile()) fchmodSync(file, before.mode);
      for (const piece of pieces) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Checks that `replaceFile` can replace a file. Throws the error of the system. */
export function tryToReplace(path: string): void {
  if (existsSync(path)) accessSync(path, constants.W_OK);
  const temporary = temporaryName(path);
  closeSync(openSync(temporary, 'wx'));
  rmSync(temporary);
}

/** Returns a name in the same folder that nobody can foresee, so that no link lies there. */
const temporaryName = (path: string): string => join(dirname(path), `.${randomUUID()}.part`);
