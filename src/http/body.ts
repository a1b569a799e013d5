import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { parse } from 'lossless-json';
import { isObject } from '../plan/record.ts';

const decoders: Record<string, (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  // Both kinds are sent under this name: zlib's, as RFC 9110 has it, and the bare stream.
  deflate: (data, options) =>
    ((data[0] ?? 0) & 0x0f) === 8 ? promisify(inflate)(data, options) : promisify(inflateRaw)(data, options),
};

/**
 * Undoes the content codings (RFC 9110, section 8.4), the last applied first.
 * Throws an Error with one sentence when a coding is unknown, the data is broken or larger than `limit` bytes.
 */
async function decodeContent(data: Buffer, contentEncoding: string, limit: number): Promise<Buffer> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  let decoded = data;
  for (const coding of codings.reverse()) {
    const decode = decoders[coding];
    if (decode === undefined) throw new Error(`the content coding "${coding}" is not one that the suite can decode`);
    if (decoded.length === 0) return decoded;
    try {
      decoded = await decode(decoded, { maxOutputLength: limit });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Error(tooLarge(limit));
      throw new Error(`the body can't be decoded as ${coding}`);
    }
  }
  return decoded;
}

/** The sentence for a body over the suite's own bound. */
function tooLarge(limit: number): string {
  return `the body is larger than the ${Math.round(limit / 1024 / 1024)} MiB that the suite reads`;
}

export interface JsonBody {
  text: string;
  /** Bytes, decoded. */
  bytes: number;
  /** The parsed value; an integer that a double can't hold is a bigint. */
  value: unknown;
  byteOrderMark: boolean;
  /** Why it is no JSON text in UTF-8 (RFC 8259, section 8.1); absent when it is one, or when there is no body. */
  fault?: string;
}

/**
 * Reads a body as JSON, decoding it as it comes, so that a large one is not kept several times over. A byte order mark is
 * passed over, as RFC 8259 allows a parser to do. Throws an Error with one sentence as decodeContent does.
 */
export async function readBody(
  body: AsyncIterable<Buffer> | Buffer[],
  contentEncoding: string,
  limit: number,
): Promise<JsonBody> {
  if (/^\s*(identity)?\s*$/i.test(contentEncoding)) return readJson(body, limit);
  const coded: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limit) throw new Error(tooLarge(limit));
    coded.push(chunk);
  }
  return readJson([await decodeContent(Buffer.concat(coded), contentEncoding, limit)], limit);
}

async function readJson(body: AsyncIterable<Buffer> | Buffer[], limit: number): Promise<JsonBody> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  let head = Buffer.alloc(0);
  let fault: string | undefined;
  for await (const chunk of body) {
    if (bytes + chunk.length > limit) throw new Error(tooLarge(limit));
    if (bytes < HEAD) head = Buffer.concat([head, chunk.subarray(0, HEAD)]);
    bytes += chunk.length;
    try {
      if (fault === undefined) text += utf8.decode(chunk, { stream: true });
    } catch {
      fault = 'it is not valid UTF-8';
    }
  }
  try {
    if (fault === undefined) text += utf8.decode();
  } catch {
    fault = 'it is not valid UTF-8';
  }
  const byteOrderMark = head.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf));
  if (fault !== undefined) return { text: head.toString('latin1'), bytes, value: undefined, byteOrderMark, fault };
  if (bytes === 0) return { text, bytes, value: undefined, byteOrderMark };
  try {
    return { text, bytes, value: withAllDigits(text, JSON.parse(text)), byteOrderMark };
  } catch (error) {
    return { text, bytes, value: undefined, byteOrderMark, fault: (error as Error).message };
  }
}

/** Bytes of a body in another charset that are shown. */
const HEAD = 4096;

/**
 * The value with every integer that a double can't hold as a bigint, so that a large identifier keeps its digits; the
 * value itself where there is none, for the parser that can do this takes ten times as long. `total` stays a number.
 */
function withAllDigits(text: string, value: unknown): unknown {
  if (!/[^"\w.-]-?\d{16,}/.test(text)) return value;
  try {
    const exact = parse(text, undefined, (digits) =>
      /^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? BigInt(digits) : Number(digits),
    );
    if (isObject(exact) && isObject(value) && typeof exact.total === 'bigint') exact.total = value.total;
    return exact;
  } catch {
    // Nested too deep for a recursive parser: the plain values have to do.
    return value;
  }
}
