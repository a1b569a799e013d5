import { Buffer, isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { parseJson } from './json.ts';
import type { ResponseStream } from './response-stream.ts';

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
 * Reads a body of at most so many bytes, decoded (RFC 9110, section 8.4), and parses it where it is asked for as JSON. A byte
 * order mark is passed over, as RFC 8259 allows a parser to do. Throws Unreadable where a coding is unknown, or the values are too many.
 */
export async function readBody(
  body: ResponseStream,
  contentEncoding: string,
  limit: number,
  as: 'text' | 'json',
): Promise<Body> {
  const decoded = await decode(body, contentEncoding);
  try {
    return bodyOf(await bytesOf(decoded, limit), as);
  } catch (error) {
    if (decoded === body || !isBroken(error)) throw error;
    return { ...NOTHING, fault: `it can't be decoded as ${contentEncoding}` };
  } finally {
    decoded.destroy();
    body.destroy();
  }
}

function isBroken(error: unknown): boolean {
  return /^(Z_|ERR_(BROTLI|_ERROR)|ERR__ERROR)/.test((error as NodeJS.ErrnoException).code ?? '');
}

async function decode(body: ResponseStream, contentEncoding: string): Promise<ResponseStream> {
  const codings = contentEncoding
    .slice(0, 1000)
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  // What has no content has nothing to decode, whatever its header says.
  if (codings.length === 0) return body;
  let decoded = Readable.from(body, { objectMode: false });
  if ((await firstByte(decoded)) === undefined) return decoded;
  if (codings.length > CODINGS) throw new Unreadable(`the body has more than ${CODINGS} content codings`);
  for (const coding of codings.reverse()) decoded = await undo(coding, decoded);
  return decoded;
}

async function undo(coding: string, body: Readable): Promise<Readable> {
  // The end of the pipeline tells of what went wrong.
  const through = (decoder: NodeJS.ReadWriteStream) => pipeline(body, decoder, () => {}) as unknown as Readable;
  if (coding === 'gzip' || coding === 'x-gzip') return through(createGunzip());
  if (coding === 'br') return through(createBrotliDecompress());
  if (coding !== 'deflate') throw new Unreadable(`the suite can't decode the content coding "${coding}"`);
  // Both kinds are sent under this name: zlib's, as RFC 9110 has it, and the bare stream.
  const first = await firstByte(body);
  return through(((first ?? 8) & 0x0f) === 8 ? createInflate() : createInflateRaw());
}

/** The first byte of a body, which stays there; undefined where it is empty. */
async function firstByte(body: Readable): Promise<number | undefined> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    if (chunk.length === 0) continue;
    body.unshift(chunk);
    return chunk[0];
  }
  return undefined;
}

async function bytesOf(body: ResponseStream, limit: number): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let left = limit;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    if (left < 0) break;
  }
  return { bytes: Buffer.concat(chunks), cut: left < 0 };
}

const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** Characters of a text in which the place of a fault is looked for. */
const LOCATED = 64 * 1024;

function bodyOf({ bytes, cut }: { bytes: Buffer; cut: boolean }, as: 'text' | 'json'): Body {
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
  } catch {
    return { ...read, text, fault: `parse error${text.length <= LOCATED ? placeIn(text) : ''}` };
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

/** Where a text is no JSON. The parser's own words quote it, and it may hold the key. */
function placeIn(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    return position ? ` at character ${Number(position) + 1}` : '';
  }
}
