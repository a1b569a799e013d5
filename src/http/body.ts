import { Buffer, isUtf8 } from 'node:buffer';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { parseJson } from './value.ts';

export interface Body {
  /** The text; of what is not UTF-8 each byte as a character. */
  text: string;
  /** Bytes, decoded, that were read. */
  bytes: number;
  /** Whether there were more than the limit. */
  cut: boolean;
  byteOrderMark: boolean;
  /** The parsed value, where it was asked for and is there. */
  value: unknown;
  /** Why it is no JSON text in UTF-8 (RFC 8259, section 8.1); absent when it is one, or when there is no body. */
  fault?: string;
}

/** A body of which nothing was read. */
export const NOTHING: Body = { text: '', bytes: 0, cut: false, byteOrderMark: false, value: undefined };

/** A body that the suite can't read, for a reason of its own. The message is a clause. */
export class Unreadable extends Error {}

/** More than these nobody applies. */
const CODINGS = 4;

/**
 * Reads a body of at most so many bytes, decoded (RFC 9110, section 8.4), and parses it where it is asked for as JSON.
 * A byte order mark is passed over, as RFC 8259 allows a parser to do. Throws Unreadable where a coding is unknown, or
 * the values are too many.
 */
export async function readBody(received: Buffer, contentEncoding: string, limit: number, as: 'text' | 'json') {
  const codings = contentEncoding.toLowerCase().split(',');
  const applied = codings.map((coding) => coding.trim()).filter((coding) => coding !== '' && coding !== 'identity');
  let bytes = received;
  // What has no content has nothing to decode, whatever its header says.
  if (bytes.length > 0 && applied.length > CODINGS) {
    throw new Unreadable(`the body has more than ${CODINGS} content codings`);
  }
  try {
    for (const coding of applied.reverse()) if (bytes.length > 0) bytes = await decode(coding, bytes, limit);
  } catch (error) {
    if (!isBroken(error)) throw error;
    return received.length > limit
      ? { ...NOTHING, cut: true }
      : { ...NOTHING, fault: `it can't be decoded as ${contentEncoding}` };
  }
  return bodyOf(bytes.subarray(0, limit), bytes.length > limit, as);
}

function isBroken(error: unknown): boolean {
  return /^(Z_|ERR_(BROTLI|_ERROR)|ERR__ERROR)/.test((error as NodeJS.ErrnoException).code ?? '');
}

/** Undoes a content coding, as far as that gives more bytes than the limit. */
async function decode(coding: string, bytes: Buffer, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let left = limit;
  for await (const chunk of decoderOf(coding, bytes).end(bytes)) {
    chunks.push(chunk);
    left -= chunk.length;
    if (left < 0) break;
  }
  return Buffer.concat(chunks);
}

function decoderOf(coding: string, [first = 0]: Buffer) {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  if (coding !== 'deflate') throw new Unreadable(`the suite can't decode the content coding "${coding}"`);
  // Both kinds are sent under this name: zlib's, as RFC 9110 has it, and the bare stream.
  return (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

function bodyOf(bytes: Buffer, cut: boolean, as: 'text' | 'json'): Body {
  const byteOrderMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const read = { bytes: bytes.length, cut, byteOrderMark, value: undefined };
  // What is cut may end within a character.
  if (!cut && !isUtf8(bytes)) return { ...read, text: bytes.toString('latin1'), fault: 'it is not valid UTF-8' };
  const text = bytes.toString('utf8', byteOrderMark ? BYTE_ORDER_MARK.length : 0);
  if (as === 'text' || cut || bytes.length === 0) return { ...read, text };
  if (bytes.length > MOST_VALUES && valuesIn(bytes) > MOST_VALUES)
    throw new Unreadable(`the body has more than ${MOST_VALUES.toLocaleString('en')} JSON values`);
  try {
    return { ...read, text, value: parseJson(text) };
  } catch (error) {
    // The parser's own words quote the text, which may hold the key.
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    const place = position ? ` at character ${Number(position) + 1}` : '';
    return { ...read, text, fault: `parse error${place}` };
  }
}

/** More than a list of 200,000 users has: each takes some 60 bytes of memory, however short it is. */
const MOST_VALUES = 3_000_000;

/** How many values JSON may have, by what stands before each. */
function valuesIn(bytes: Buffer): number {
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
  }
  return values;
}
