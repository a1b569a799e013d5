import { STATUS_CODES } from 'node:http';
import type { Request, Response, ShownExchange } from '../http/exchange.ts';
import { shorten } from '../http/value.ts';
import { unlessThrown } from '../settings/errors.ts';
import { counted } from '../verdict/verdict.ts';
import { sanitize } from './text.ts';
import { findValue } from './wrong-part.ts';

/** The most characters of a body, a path or a failure. */
const MAX_TEXT = 1200;

/** The most characters of a path or a failure in a title. */
const MAX_TITLE = 80;

const MAX_HEADERS = 20;
const MAX_HEADER_NAME = 60;
const MAX_HEADER_VALUE = 200;

/** Returns an exchange as text for people: the request and the response. */
export const exchangeText = (exchange: ShownExchange): string =>
  sanitize([...requestLines(exchange.request), '', ...responseLines(exchange)].join('\n'));

/** Returns `GET /v1/users → 200`. */
export function exchangeTitle({ request, response, failure }: ShownExchange): string {
  const result = response?.status ?? shorten(failure ?? 'no response', MAX_TITLE);
  return `${request.method} ${shorten(request.path, MAX_TITLE)} → ${result}`;
}

/** Returns the lines of a request. */
export function requestLines(request: Request): string[] {
  const { method, path, headers, body, framing, connection } = request;
  const lines = [`${method} ${shorten(path, MAX_TEXT)}`, ...headerLines(Object.entries(headers))];
  if (framing) lines.push(`(sent: ${framing})`);
  if (connection) lines.push(`(connection: ${connection})`);
  if (body === undefined) return lines;
  if (body === '') return [...lines, '', '(empty body)'];
  return [...lines, '', ...bodyLines(shorten(body, MAX_TEXT))];
}

/** Returns the lines of a response, or of the failure to get one. */
export function responseLines({ response, failure }: ShownExchange): string[] {
  const reason = failure === undefined ? undefined : shorten(failure, MAX_TEXT);
  if (response === undefined)
    return [reason === undefined ? 'no response' : `no response: ${reason}`];
  const { status, headers, body, bodyBytes, bodyEnd } = response;
  const lines = reason === undefined ? [] : [reason, ''];
  lines.push(`${status} ${STATUS_CODES[status] ?? ''}`.trim(), ...headerLines(headers), '');
  if (bodyBytes === 0) return [...lines, '(no body)'];
  const beginning = body.slice(0, MAX_TEXT);
  if (isWhole(response, beginning)) return [...lines, ...bodyLines(beginning)];
  lines.push(...bodyLines(beginning, true), `… (${bodyBytes} bytes)`);
  if (bodyEnd !== undefined) lines.push(`… ${bodyEnd}`);
  return lines;
}

function headerLines(headers: [string, string][]): string[] {
  const lines = headers
    .slice(0, MAX_HEADERS)
    .map(
      ([name, value]) => `${shorten(name, MAX_HEADER_NAME)}: ${shorten(value, MAX_HEADER_VALUE)}`,
    );
  const omitted = headers.length - lines.length;
  if (omitted > 0) lines.push(`(${counted(omitted, 'more header')})`);
  return lines;
}

/** Whether a text is all of the body of a response. */
const isWhole = ({ bodyBytes }: Response, text: string): boolean =>
  Buffer.byteLength(text) >= bodyBytes;

/** A response on one line. */
export interface Excerpt {
  text: string;
  /** The wrong part of the text: where it begins and ends. */
  mark?: [start: number, end: number];
}

/** The most characters of a body in an excerpt. */
const MAX_EXCERPT = 200;

/**
 * Returns a response on one line: its status and its body around the first of some values, or the
 * beginning of the body if it has none of them.
 */
export function excerptOf(
  { response, failure = 'no response' }: ShownExchange,
  values: ReadonlySet<string>,
): Excerpt {
  if (response === undefined) return { text: failure };
  const { status, body, bodyBytes, bodyEnd = '' } = response;
  const source = isWhole(response, body) ? body : `${body} … ${bodyEnd}`;
  const isStatus = values.has(`${status}`);
  const [start, end] = (isStatus ? undefined : findValue(source, values)) ?? [0, 0];
  const from = end > MAX_EXCERPT ? start - MAX_EXCERPT / 2 : 0;
  const to = from + MAX_EXCERPT;
  const head = `${status} ${from > 0 ? '… ' : ''}`;
  const size = to - from < source.length ? ` (${bodyBytes} bytes)` : '';
  const text = `${head}${source.slice(from, to)}${to < source.length ? '…' : ''}${size}`;
  if (isStatus) return { text, mark: [0, `${status}`.length] };
  const shift = head.length - from;
  return end === 0 ? { text } : { text, mark: [start + shift, Math.min(end, to) + shift] };
}

/**
 * Returns the lines of a body: each member of JSON on its own line, with its characters unchanged.
 * Any other text stays as it is. With `isCut`, the text is only the beginning of a body. Pure.
 */
export function bodyLines(text: string, isCut = false): string[] {
  const mayBeJson = /^\s*[{[]/.test(text);
  const isJson = mayBeJson && (isCut || unlessThrown(() => JSON.parse(text)) !== undefined);
  return (isJson ? indentJson(text) : text).split('\n');
}

const JSON_TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{[]\s*[}\]]|[{}[\],:]|\s+|[^\s"{}[\],:]+/g;

/** The deepest indentation. Deeper members are not indented further. */
const MAX_DEPTH = 12;

function indentJson(text: string): string {
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(Math.min(depth, MAX_DEPTH))}`;
  return text.replace(JSON_TOKEN, (token) => {
    if (/^[{[]\s*[}\]]$/.test(token)) return token.replace(/\s+/, '');
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth = Math.max(0, depth - 1);
    if (/^[}\]]/.test(token)) return `${newLine()}${token}`;
    if (/^[{[,]/.test(token)) return `${token}${newLine()}`;
    return token === ':' ? ': ' : token.trim();
  });
}
