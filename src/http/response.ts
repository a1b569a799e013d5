import { Buffer, isUtf8 } from 'node:buffer';
import { nameOf } from '../settings/names.ts';
import { codingsIn, decode, foreignNamesIn } from './content-coding.ts';
import { isOk, type Response } from './exchange.ts';
import { END_LIMIT, EXCERPT_LIMIT, HEADER_LIMIT, type Secrets } from './secrets.ts';
import type { RawResponse } from './senders.ts';
import { Unreadable } from './unreadable.ts';
import { parseJson } from './value.ts';

/** The kind of a body: JSON, text that is not parsed, or JSON that may be very long. */
export type BodyKind = 'record' | 'text' | 'list';

/** A response, limited to what reports have room for, and its whole body. */
export interface ReadResponse extends Pick<Body, 'text' | 'value'> {
  response: Response;
}

/** A body that was read, and its properties. */
interface Body extends Pick<Response, 'bodyBytes' | 'byteOrderMark' | 'cut' | 'jsonFault'> {
  /** The text; of a body that is not UTF-8, each byte as a character. */
  text: string;
  /** The parsed value; undefined if the body was not parsed or is not JSON. */
  value: unknown;
}

const EMPTY: Body = { text: '', bodyBytes: 0, byteOrderMark: false, value: undefined };

/** The most bytes of a body other than a list's, and the most characters of an item of a list. */
export const RECORD_LIMIT = 1024 * 1024;

/** The number of headers that an exchange stores. */
export const MOST_HEADERS = 100;

/** Headers that checks read. They are stored with more characters, and twice as far down. */
const CHECKED_HEADERS = ['location', 'content-type', 'www-authenticate', 'retry-after'];
const CHECKED_HEADER_LIMIT = 16_000;

/** Bytes of a list that is kept to be compared with the next one. */
const KEPT_LIMIT = 4 * 2 ** 20;

/** The reader of the responses of a run. */
export interface ResponseReader {
  /** Returns how many bytes of a body are read. */
  limitOf: (status: number, bodyKind: BodyKind) => number;
  /** Reads a response. Throws Unreadable. */
  read: (raw: RawResponse, bodyKind: BodyKind) => Promise<ReadResponse>;
}

/** Makes a reader of responses. `bodyLimit` is the bytes of a list. */
export function makeResponseReader(secrets: Secrets, bodyLimit: number): ResponseReader {
  const { ample, finds } = secrets;
  const isList = (status: number, bodyKind: BodyKind) => bodyKind === 'list' && isOk(status);
  const limitOf = (status: number, bodyKind: BodyKind) =>
    isList(status, bodyKind) ? bodyLimit : RECORD_LIMIT;

  // Most lists are the bytes of the one before, and are parsed once.
  let last: { bytes: Buffer; encoding: string; body: Body; keyInBody: boolean } | undefined;

  async function read(raw: RawResponse, bodyKind: BodyKind): Promise<ReadResponse> {
    const { statusCode: status, body: bytes } = raw;
    const headers = pairsOf(raw.headers);
    const [, encoding = ''] = headers.find(([name]) => /^content-encoding$/i.test(name)) ?? [];
    const isJson = bodyKind === 'record' || isList(status, bodyKind);
    const limit = limitOf(status, bodyKind);
    const same =
      isList(status, bodyKind) && last?.encoding === encoding && last.bytes.equals(bytes)
        ? last
        : undefined;
    const body =
      same?.body ??
      (await readBody(bytes, encoding, limit, isJson).catch((error) => {
        // A rejection counts by its status, whether or not its body can be read.
        if (isOk(status) || !(error instanceof Unreadable)) throw error;
        return EMPTY;
      }));
    const [foreignName] = foreignNamesIn(encoding);
    if (foreignName !== undefined && body.jsonFault !== undefined && isOk(status)) {
      throw new Unreadable(`the suite can't decode "${foreignName}", which is no content coding`);
    }
    if (body.cut && isList(status, bodyKind)) {
      const mebibytes = bodyLimit / 2 ** 20;
      const setting = nameOf('CONFORMANCE_BODY_LIMIT_MIB');
      throw new Unreadable(`the body is larger than the ${mebibytes} MiB of ${setting}`);
    }
    const { text, value, jsonFault, ...properties } = body;
    const keyInBody = same?.keyInBody ?? finds(text);
    if (isList(status, bodyKind) && bytes.length <= KEPT_LIMIT) {
      last = { bytes, encoding, body, keyInBody };
    }
    const values = headers.map(([, headerValue]) => headerValue);
    const response: Response = {
      status,
      headers: storedHeaders(headers),
      body: beginningOf(text, ample(EXCERPT_LIMIT)),
      ...(text.length > EXCERPT_LIMIT && { bodyEnd: copy(text.slice(-ample(END_LIMIT))) }),
      ...properties,
      ...(jsonFault !== undefined && isOk(status) && { jsonFault }),
      keyInBody,
      keyInHeader: finds(values.join('\n')),
    };
    return { response, text, value };
  }

  /** Limits headers, because thousands of responses would fill the memory. */
  function storedHeaders(headers: Response['headers']): Response['headers'] {
    const limit = ample(HEADER_LIMIT);
    const isStored = ([name]: [string, string], index: number) =>
      index < (isChecked(name) ? 2 * MOST_HEADERS : MOST_HEADERS);
    return headers.filter(isStored).map(([name, value]) => {
      const valueLimit = isChecked(name) ? CHECKED_HEADER_LIMIT : limit;
      return [beginningOf(name, limit), beginningOf(value, valueLimit)];
    });
  }

  return { limitOf, read };
}

const isChecked = (name: string): boolean => CHECKED_HEADERS.includes(name.toLowerCase());

/** Returns names and values in pairs. */
function pairsOf(flat: readonly string[]): Response['headers'] {
  const pairs: Response['headers'] = [];
  for (let index = 0; index < flat.length; index += 2) {
    pairs.push([flat[index] ?? '', flat[index + 1] ?? '']);
  }
  return pairs;
}

/** Returns the beginning of a text; a copy, because a substring keeps the whole in memory. */
function beginningOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return copy(text.slice(0, limit));
}

const copy = (text: string): string => Buffer.from(text).toString();

/** The codes of zlib's errors for bytes that are not encoded as their coding says. */
const NOT_ENCODED = /^(Z_|ERR_(BROTLI|_ERROR)|ERR__ERROR)/;

/** The most content codings of a body: no service applies more. */
const MOST_CODINGS = 4;

/**
 * Reads and decodes a body (RFC 9110, section 8.4) of at most `limit` bytes, and parses JSON. Skips
 * the name of a coding that does not exist, and a byte order mark, as RFC 8259 allows. Throws
 * Unreadable if the suite cannot decode a coding, or if the body has too many values.
 */
export async function readBody(
  received: Buffer,
  encoding: string,
  limit: number,
  isJson: boolean,
): Promise<Body> {
  const codings = codingsIn(encoding);
  // An empty body has nothing to decode, whatever its header says.
  if (received.length > 0 && codings.length > MOST_CODINGS) {
    throw new Unreadable(`the body has more than ${MOST_CODINGS} content codings`);
  }
  let bytes = received;
  try {
    for (const coding of codings.reverse()) {
      if (bytes.length > 0) bytes = await decode(coding, bytes, limit);
    }
  } catch (error) {
    if (!NOT_ENCODED.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // A body that was not read to its end can't be decoded.
    if (received.length > limit) return { ...EMPTY, cut: true };
    return { ...EMPTY, jsonFault: `it can't be decoded as ${encoding}` };
  }
  const isCut = bytes.length > limit;
  return parseBody(bytes.subarray(0, limit), isCut, isJson);
}

const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

function parseBody(bytes: Buffer, isCut: boolean, isJson: boolean): Body {
  const byteOrderMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const body: Body = { text: '', bodyBytes: bytes.length, byteOrderMark, value: undefined };
  if (isCut) body.cut = true;
  // The limit may cut a character in half.
  if (!isCut && !isUtf8(bytes)) {
    return { ...body, text: bytes.toString('latin1'), jsonFault: 'it is not valid UTF-8' };
  }
  const text = bytes.toString('utf8', byteOrderMark ? BYTE_ORDER_MARK.length : 0);
  if (!isJson || isCut || bytes.length === 0) return { ...body, text };
  // Each value has a character before it.
  if (bytes.length > 2 * MOST_VALUES && countValues(bytes) > MOST_VALUES) {
    throw new Unreadable(`the body has more than ${MOST_VALUES.toLocaleString('en')} JSON values`);
  }
  try {
    return { ...body, text, value: parseJson(text) };
  } catch (error) {
    return { ...body, text, jsonFault: describeSyntaxError(error as Error) };
  }
}

/** Describes a parse error without its message, which quotes the text and maybe the key. */
function describeSyntaxError({ message }: Error): string {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (!position) return 'parse error';
  return `parse error at character ${Number(position) + 1}`;
}

/** More values than a list of 200,000 users has: even a short one takes some 60 bytes of memory. */
const MOST_VALUES = 3_000_000;

/** Counts the values of a JSON text at most, by the character before each. */
function countValues(bytes: Buffer): number {
  let count = 0;
  for (const character of Buffer.from(',[{')) {
    // A search is faster than a loop over the bytes of a long text.
    for (let at = bytes.indexOf(character); at >= 0; at = bytes.indexOf(character, at + 1))
      count += 1;
  }
  return count;
}
