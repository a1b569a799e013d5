import { Buffer } from 'node:buffer';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { parseJson, TooMuch } from './json.ts';

/** What is read of a body: at most so many bytes, decoded, and as JSON or not. */
export interface Reading {
  limit: number;
  json: boolean;
}

export interface Body {
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

/** A body that the suite can't read, for a reason of its own or of the coding's. The message is a clause. */
export class Unreadable extends Error {}

/** More than these nobody applies. */
const CODINGS = 4;

/**
 * Reads a body, decoding it as it comes (RFC 9110, section 8.4), so that little more than its text is kept. A byte order
 * mark is passed over, as RFC 8259 allows a parser to do. Throws Unreadable where a coding is unknown or its data broken.
 */
export async function readBody(body: Readable, contentEncoding: string, reading: Reading): Promise<Body> {
  const decoded = await decode(body, contentEncoding);
  try {
    return parsed(await readText(decoded, reading.limit), reading);
  } catch (error) {
    if (decoded === body || !isBroken(error)) throw error;
    throw new Unreadable(`the body can't be decoded as ${contentEncoding}`);
  } finally {
    decoded.destroy();
    body.destroy();
  }
}

function isBroken(error: unknown): boolean {
  return /^(Z_|ERR_(BROTLI|_ERROR)|ERR__ERROR)/.test((error as NodeJS.ErrnoException).code ?? '');
}

async function decode(body: Readable, contentEncoding: string): Promise<Readable> {
  const codings = contentEncoding
    .slice(0, 1000)
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > CODINGS) throw new Unreadable(`the body has more than ${CODINGS} content codings`);
  let decoded = body;
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
  return through((first & 0x0f) === 8 ? createInflate() : createInflateRaw());
}

async function firstByte(body: Readable): Promise<number> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    body.unshift(chunk);
    return (chunk as Buffer)[0] ?? 0;
  }
  return 8;
}

interface Text {
  text: string;
  bytes: number;
  cut: boolean;
  head: Buffer;
  isUtf8: boolean;
}

/** Bytes of a body in another charset that are shown. */
const HEAD = 4096;

async function readText(body: Readable, limit: number): Promise<Text> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const read: Text = { text: '', bytes: 0, cut: false, head: Buffer.alloc(0), isUtf8: true };
  const decode = (chunk?: Buffer) => {
    try {
      if (read.isUtf8) read.text += utf8.decode(chunk, { stream: chunk !== undefined });
    } catch {
      read.isUtf8 = false;
    }
  };
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, limit - read.bytes);
    if (read.bytes < HEAD) read.head = Buffer.concat([read.head, part.subarray(0, HEAD)]);
    read.bytes += part.length;
    read.cut = part.length < chunk.length;
    decode(part);
    if (read.cut) return read;
  }
  decode();
  return read;
}

function parsed({ head, isUtf8, ...read }: Text, { json }: Reading): Body {
  const byteOrderMark = head.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf));
  const body = { ...read, byteOrderMark, value: undefined };
  if (!isUtf8) return { ...body, text: head.toString('latin1'), fault: 'it is not valid UTF-8' };
  if (!json || read.cut || read.bytes === 0) return body;
  try {
    return { ...body, value: parseJson(read.text) };
  } catch (error) {
    if (error instanceof TooMuch) throw new Unreadable(`the body is more than the suite reads: ${error.message}`);
    // The parser's own words quote the text, which may hold the key.
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    return { ...body, fault: `it does not parse${position ? `, from character ${Number(position) + 1} on` : ''}` };
  }
}
