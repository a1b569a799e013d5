import { Buffer, isUtf8 } from 'node:buffer';
import { nameOf } from '../settings/names.ts';
import { codingsIn, decode, foreignNamesIn } from './content-coding.ts';
import { isOk, type Response } from './exchange.ts';
import { EXCERPT_LIMIT, HEADER_LIMIT, type Secrets } from './secrets.ts';
import type { Received } from './senders.ts';
import { Unreadable } from './unreadable.ts';
import { parseJson } from './value.ts';

/**
 * What is read of an answer: JSON, also where that is a refusal; text that nobody parses; or JSON that may be very
 * long.
 */
export type Wanted = 'record' | 'text' | 'list';

/** A response that was read: what is kept of it, and its body for the step that asked. */
export type Read = Pick<Body, 'text' | 'value'> & { response: Response };

/** A body that was read, and what is noted of it. */
interface Body extends Pick<Response, 'bodyBytes' | 'byteOrderMark' | 'cut' | 'jsonFault'> {
  /** The text; of what is not UTF-8 each byte as a character. */
  text: string;
  /** The parsed value, where it was asked for and is there. */
  value: unknown;
}

const NOTHING: Body = { text: '', bodyBytes: 0, byteOrderMark: false, value: undefined };

/**
 * Bytes of any body but a list's: a record, or a refusal, of which no more is looked at. Of a list, characters of an
 * item.
 */
export const RECORD_LIMIT = 1024 * 1024;

/** Headers of an answer that are kept. */
export const MOST_HEADERS = 100;

/** What the suite reads of an answer's headers: kept also behind as many, and so many characters of each. */
const READ = ['location', 'content-type', 'www-authenticate', 'retry-after'];
const READ_LIMIT = 16_000;

const isRead = (name: string) => READ.includes(name.toLowerCase());

/** Makes what reads responses; `bodyLimit` is bytes of what may be very long. */
export function responseReader({ ample, finds }: Secrets, bodyLimit: number) {
  const isLong = (status: number, wanted: Wanted) => wanted === 'list' && isOk(status);
  /** How many bytes of a body are read. */
  const limitOf = (status: number, wanted: Wanted) =>
    isLong(status, wanted) ? bodyLimit : RECORD_LIMIT;

  /**
   * Reads a response. Of it no more is kept than reports have room for: thousands would fill the memory. Throws
   * Unreadable.
   */
  const read = async (
    { statusCode: status, headers: flat, body: bytes }: Received,
    wanted: Wanted,
  ): Promise<Read> => {
    const headers = flat.flatMap((name, at): Response['headers'] =>
      at % 2 ? [] : [[name, flat[at + 1] ?? '']],
    );
    const [, coding = ''] = headers.find(([name]) => /^content-encoding$/i.test(name)) ?? [];
    const isJson = wanted === 'record' || isLong(status, wanted);
    const body = await readBody(bytes, coding, limitOf(status, wanted), isJson).catch((error) => {
      // A refusal counts by its status: what can't be read of its body does no harm.
      if (isOk(status) || !(error instanceof Unreadable)) throw error;
      return NOTHING;
    });
    const [foreign] = foreignNamesIn(coding);
    if (foreign !== undefined && body.jsonFault !== undefined && isOk(status))
      throw new Unreadable(`the suite can't decode "${foreign}", which is no content coding`);
    if (body.cut && isLong(status, wanted))
      throw new Unreadable(
        `the body is larger than the ${bodyLimit / 2 ** 20} MiB of ${nameOf('CONFORMANCE_BODY_LIMIT_MIB')}`,
      );
    const { text, value, jsonFault, ...noted } = body;
    const shown = ample(HEADER_LIMIT);
    const response: Response = {
      status,
      headers: headers
        .filter(([name], index) => index < (isRead(name) ? 2 : 1) * MOST_HEADERS)
        .map(([name, one]) => [
          beginning(name, shown),
          beginning(one, isRead(name) ? READ_LIMIT : shown),
        ]),
      body: beginning(text, ample(EXCERPT_LIMIT)),
      ...noted,
      ...(jsonFault !== undefined && isOk(status) && { jsonFault }),
      keyInBody: finds(text),
      keyInHeader: finds(headers.map(([, one]) => one).join('\n')),
    };
    return { response, text, value };
  };

  return { limitOf, read };
}

/** Of a long text a copy: a part of a string keeps the whole in memory. */
const beginning = (text: string, limit: number): string =>
  text.length <= limit ? text : Buffer.from(text.slice(0, limit)).toString();

/** Codes of what is not encoded as it says. */
const BROKEN = /^(Z_|ERR_(BROTLI|_ERROR)|ERR__ERROR)/;

/** More than these nobody applies. */
const CODINGS = 4;

/**
 * Reads a body of at most so many bytes, decoded (RFC 9110, section 8.4), and parses it where it is asked for as JSON.
 * A body under a name that is no content coding is read as it stands. A byte order mark is passed over, as RFC 8259
 * allows a parser to do. Throws Unreadable if the suite cannot decode a coding, or if the values are too many.
 */
export async function readBody(
  received: Buffer,
  encoding: string,
  limit: number,
  isJson: boolean,
): Promise<Body> {
  const codings = codingsIn(encoding);
  // A body without content has nothing to decode, whatever its header says.
  if (received.length > 0 && codings.length > CODINGS)
    throw new Unreadable(`the body has more than ${CODINGS} content codings`);
  let bytes = received;
  try {
    for (const coding of codings.reverse())
      if (bytes.length > 0) bytes = await decode(coding, bytes, limit);
  } catch (error) {
    if (!BROKEN.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return received.length > limit
      ? { ...NOTHING, cut: true }
      : { ...NOTHING, jsonFault: `it can't be decoded as ${encoding}` };
  }
  return parsed(bytes.subarray(0, limit), bytes.length > limit || undefined, isJson);
}

const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

function parsed(bytes: Buffer, cut: true | undefined, isJson: boolean): Body {
  const byteOrderMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const read = { bodyBytes: bytes.length, byteOrderMark, value: undefined, ...(cut && { cut }) };
  // What is cut may end within a character.
  if (!cut && !isUtf8(bytes))
    return { ...read, text: bytes.toString('latin1'), jsonFault: 'it is not valid UTF-8' };
  const text = bytes.toString('utf8', byteOrderMark ? BYTE_ORDER_MARK.length : 0);
  if (!isJson || cut || bytes.length === 0) return { ...read, text };
  if (bytes.length > MOST_VALUES && valuesIn(bytes) > MOST_VALUES)
    throw new Unreadable(`the body has more than ${MOST_VALUES.toLocaleString('en')} JSON values`);
  try {
    return { ...read, text, value: parseJson(text) };
  } catch (error) {
    // The parser's own words quote the text, which may hold the key.
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    const place = position ? ` at character ${Number(position) + 1}` : '';
    return { ...read, text, jsonFault: `parse error${place}` };
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
