import { Buffer, isAscii } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { parseJson, TooMuch } from './json.ts';
import type { ResponseStream } from './response-stream.ts';

/** What is read of a body: at most so many bytes, decoded, and as what. */
export interface Reading {
  limit: number;
  /** Text that nobody parses, JSON, or JSON that may be very long and is parsed as it comes. */
  as: 'text' | 'json' | Parser;
  /** Called with each part of the text; what it throws ends the reading. */
  see?: (part: string) => void;
}

/** Parses a text as it comes. Both throw TooMuch beyond the suite's own limits, and a SyntaxError where it is no JSON. */
export interface Parser {
  push(part: string): void;
  /** What came of it. */
  end(): unknown;
}

export interface Body {
  /** The text; of what is parsed as it comes no more than its beginning. */
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
 * Reads a body, decoding it as it comes (RFC 9110, section 8.4), so that little more than its text is kept. A byte order
 * mark is passed over, as RFC 8259 allows a parser to do. Throws Unreadable where a coding is unknown.
 */
export async function readBody(body: ResponseStream, contentEncoding: string, reading: Reading): Promise<Body> {
  const decoded = await decode(body, contentEncoding);
  try {
    return await readText(decoded, reading);
  } catch (error) {
    if (error instanceof TooMuch) throw new Unreadable(`the body is more than the suite reads: ${error.message}`);
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

/** Decodes UTF-8 that comes in parts, and passes over a byte order mark. ASCII alone, which most JSON is, takes less time. */
class Utf8 {
  /** Made where it is needed: most bodies are shorter than that takes. */
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #isBegun = false;
  /** Whether the part before may have ended within a character. */
  #isOpen = false;

  /** Without a part: the end. Throws where it is not UTF-8. */
  decode(part?: Buffer): string {
    if (part !== undefined && !this.#isOpen && isAscii(part)) {
      this.#isBegun ||= part.length > 0;
      return part.toString('latin1');
    }
    if (part === undefined && this.#decoder === undefined) return '';
    // A mark that comes later is a character.
    this.#decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: this.#isBegun });
    this.#isOpen = part !== undefined && (part.at(-1) ?? 0x80) > 0x7f;
    return this.#decoder.decode(part, { stream: part !== undefined });
  }
}

/** Bytes of a body in another charset that are shown. */
const HEAD = 4096;

/** Of what is parsed as it comes so much is kept as text: lists are many and long. */
const KEPT = 64 * 1024;

/** Bytes after which others get their turn, timers among them. */
const TURN = 256 * 1024;

async function readText(body: ResponseStream, { limit, as, see }: Reading): Promise<Body> {
  const utf8 = new Utf8();
  const parser = typeof as === 'object' ? as : undefined;
  let head = Buffer.alloc(0);
  let [text, bytes, cut, turn] = ['', 0, false, 0];
  let isUtf8 = true;
  let isJson = true;
  const take = (chunk?: Buffer) => {
    try {
      const part = isUtf8 ? utf8.decode(chunk) : '';
      see?.(part);
      if (parser === undefined || text.length < KEPT) text += part;
      if (isJson) parser?.push(part);
    } catch (error) {
      isJson = false;
      if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') isUtf8 = false;
      else if (!(error instanceof SyntaxError)) throw error;
    }
  };
  for await (const chunk of body) {
    const part = chunk.subarray(0, limit - bytes);
    if (bytes < HEAD) head = Buffer.concat([head, part.subarray(0, HEAD)]);
    bytes += part.length;
    cut = part.length < chunk.length;
    take(part);
    if (cut) break;
    turn += part.length;
    if (turn < TURN) continue;
    turn = 0;
    await setImmediate();
  }
  if (!cut) take();
  const byteOrderMark = head.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf));
  const read = { text, bytes, cut, byteOrderMark, value: undefined };
  if (!isUtf8) return { ...read, text: head.toString('latin1'), fault: 'it is not valid UTF-8' };
  if (as === 'text' || cut || bytes === 0) return read;
  try {
    if (isJson) return { ...read, value: parser ? parser.end() : parseJson(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { ...read, fault: `it does not parse${bytes <= KEPT ? placeIn(text) : ''}` };
}

/** Where a text is no JSON. The parser's own words quote it, and it may hold the key. */
function placeIn(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    return position ? `, from character ${Number(position) + 1} on` : '';
  }
}
