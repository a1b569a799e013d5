import { Buffer } from 'node:buffer';
import { EXCERPT_LIMIT, HEADER_LIMIT } from '../settings/limits.ts';
import type { Body } from './body.ts';
import { isOk, type Response } from './exchange.ts';
import type { Redaction } from './redaction.ts';

/** Headers of an answer that are kept. */
export const MOST_HEADERS = 100;

/** What the suite reads of an answer's headers: kept also behind as many, and so many characters of each. */
const READ = ['location', 'content-type', 'www-authenticate', 'retry-after'];
const READ_LIMIT = 16_000;

/** Headers that are one object for all answers that have the same, and how long they may be. */
const MOST_SHARED = 1000;
const SHARED_LENGTH = 200;

/** Keeps no more than reports have room for; thousands of answers would fill the memory. */
export function responseKeeper({ ample, finds }: Redaction) {
  const known = new Map<string, [string, string]>();
  const shared = ([name, value]: [string, string]): [string, string] => {
    const line = `${name}: ${value}`;
    const limit = isRead(name) ? READ_LIMIT : ample(HEADER_LIMIT);
    const header = known.get(line) ?? [beginning(name, ample(HEADER_LIMIT)), beginning(value, limit)];
    if (known.size < MOST_SHARED && line.length <= SHARED_LENGTH) known.set(line, header);
    return header;
  };
  return (status: number, headers: [name: string, value: string][], body: Body): Response => ({
    status,
    headers: headers.filter(([name], index) => index < (isRead(name) ? 2 : 1) * MOST_HEADERS).map(shared),
    body: beginning(body.text, ample(EXCERPT_LIMIT)),
    bodyBytes: body.bytes,
    ...(body.cut && { cut: true }),
    ...(body.fault !== undefined && isOk(status) && { jsonFault: body.fault }),
    byteOrderMark: body.byteOrderMark,
    keyInBody: finds(body.text),
    keyInHeader: finds(headers.map(([, text]) => text).join('\n')),
  });
}

const isRead = (name: string) => READ.includes(name.toLowerCase());

/** Of a long text a copy: a part of a string keeps the whole in memory. */
function beginning(text: string, limit: number): string {
  return text.length <= limit ? text : Buffer.from(text.slice(0, limit)).toString();
}
