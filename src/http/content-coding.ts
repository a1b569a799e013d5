import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { Unreadable } from './unreadable.ts';

/** The names of the IANA HTTP Content Coding Registry (RFC 9110 section 16.6.1). */
const REGISTERED = new Set([
  'aes128gcm',
  'br',
  'compress',
  'dcb',
  'dcz',
  'deflate',
  'exi',
  'gzip',
  'identity',
  'pack200-gzip',
  'x-compress',
  'x-gzip',
  'zstd',
]);

/** Returns the content codings of a Content-Encoding, in the order in which they were applied. */
export const codingsIn = (contentEncoding: string): string[] =>
  namesIn(contentEncoding).filter((name) => REGISTERED.has(name) && name !== 'identity');

/** Returns the names in a Content-Encoding that are no content coding, such as `utf-8`. */
export const foreignNamesIn = (contentEncoding: string): string[] =>
  namesIn(contentEncoding).filter((name) => !REGISTERED.has(name));

function namesIn(contentEncoding: string): string[] {
  const names = contentEncoding.toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/**
 * Undoes one content coding. Stops when the result has more bytes than `limit`. Throws Unreadable
 * for a coding that the suite cannot decode, and zlib's error for bytes that are not encoded so.
 */
export async function decode(coding: string, bytes: Buffer, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let left = limit;
  for await (const chunk of makeDecoder(coding, bytes).end(bytes)) {
    chunks.push(chunk);
    left -= chunk.length;
    if (left < 0) break;
  }
  return Buffer.concat(chunks);
}

function makeDecoder(coding: string, bytes: Buffer): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  if (coding !== 'deflate') {
    throw new Unreadable(`the suite can't decode the content coding "${coding}"`);
  }
  // Servers send two formats under this name: zlib (RFC 9110 section 8.4.1.2) and raw deflate.
  const [first = 0] = bytes;
  const isZlib = (first & 0x0f) === 8;
  return isZlib ? createInflate() : createInflateRaw();
}
