import { STATUS_CODES } from 'node:http';
import {
  type Connection,
  isLane,
  type Request,
  type Response,
  type ShownExchange,
} from '../http/exchange.ts';
import { HEADER_VALUE, toShell } from '../http/key.ts';
import { shorten } from '../http/value.ts';
import { unlessThrown } from '../settings/errors.ts';
import { counted } from '../verdict/verdict.ts';
import { inert, quote } from './text.ts';

/** Characters of a body, a path or a failure, and in a few words; of a header, and how many of them. */
const [BODY, BRIEF, HEADER, HEADERS] = [1200, 80, 200, 20];

/** An exchange as text for people: what was sent, what came back, how to repeat it. */
export function exchangeText(exchange: ShownExchange, baseUrl: string): string {
  const line = repeat([exchange], baseUrl);
  const again = line ? ['', `Repeat it with: ${line}`] : [];
  return inert(
    [...requestLines(exchange.request), '', ...responseLines(exchange), ...again].join('\n'),
  );
}

const CONNECTIONS: Partial<Record<Connection, string>> = {
  kept: 'a reused connection',
  new: 'a new connection',
};

/** A request, a line for each part of it. */
export function requestLines({
  method,
  path,
  headers,
  body,
  framing,
  connection,
}: Request): string[] {
  const on = connection && (CONNECTIONS[connection] ?? connection.replace('lane', 'connection'));
  return [
    `${method} ${shorten(path, BODY)}`,
    ...headerLines(Object.entries(headers)),
    ...(framing ? [`(${describeFraming(framing, body)})`] : []),
    ...(on ? [`(on ${on})`] : []),
    ...(body === undefined
      ? []
      : ['', ...(body === '' ? ['(empty body)'] : bodyLines(shorten(body, BODY)))]),
  ];
}

function describeFraming(framing: NonNullable<Request['framing']>, body: string | undefined) {
  if (body === undefined) return 'given up before the response';
  if (framing === 'aborted') return 'given up after half of the body';
  if (framing === 'aborted at the head') return 'given up after the first byte of the body';
  if (framing === 'aborted at the end') return 'given up after the body';
  return `body sent as ${framing}`;
}

/** What came of a request, a line for each part of it. */
export function responseLines({ response, failure }: ShownExchange): string[] {
  const why = failure === undefined ? [] : [shorten(failure, BODY)];
  if (response === undefined) return [['no response', ...why].join(': ')];
  const { status, headers, bodyBytes } = response;
  const head = [`${status} ${STATUS_CODES[status] ?? ''}`.trim(), ...headerLines(headers), ''];
  const [shown, rest] = beginning(response, BODY);
  const body =
    bodyBytes === 0 ? ['(no body)'] : [...bodyLines(shown, rest !== ''), ...(rest ? [rest] : [])];
  return [...why.flatMap((one) => [one, '']), ...head, ...body];
}

/** The beginning of a body, at most `limit` characters, and the length of the whole where it is not the whole. */
export function beginning(
  { body, bodyBytes }: Response,
  limit: number,
): [shown: string, rest: string] {
  const shown = body.slice(0, limit);
  return [shown, Buffer.byteLength(shown) < bodyBytes ? `… (${bodyBytes} bytes)` : ''];
}

function headerLines(headers: [string, string][]): string[] {
  const lines = headers
    .slice(0, HEADERS)
    .map(([name, value]) => `${shorten(name, 60)}: ${shorten(value, HEADER)}`);
  const left = headers.length - lines.length;
  return left === 0 ? lines : [...lines, `(${counted(left, 'more header')})`];
}

/** A percent-encoded key needs a program; a key of unreserved characters would do without, but nobody here knows it. */
const encoded = (shell: string) =>
  `"$(KEY="${shell}" node -p 'encodeURIComponent(process.env.KEY)')"`;

/**
 * A command for a POSIX shell that repeats what shows a failure, with the variable API_KEY in the key's place: the last
 * request, after those that went out before it on a connection of its own. Undefined where nothing was sent, or a body
 * that no command line could hold.
 */
export function repeat(exchanges: readonly ShownExchange[], baseUrl: string): string | undefined {
  const { origin } = new URL(baseUrl);
  const last = exchanges.at(-1);
  const lane = last?.request.connection;
  const sent = exchanges.filter(
    (one) => one === last || (isLane(lane) && one.request.connection === lane),
  );
  if (sent.length === 0 || sent.some(({ request }) => request.cut)) return undefined;
  return `curl ${sent.map((one) => argumentsOf(one, origin)).join(' --next ')}`;
}

/**
 * Returns the commands that repeat a failure: the last request, and the one before it if the
 * failure shows only in both. Empty if no command line could hold the request.
 */
export function repeatLines(exchanges: readonly ShownExchange[], baseUrl: string): string[] {
  const line = repeat(exchanges, baseUrl);
  if (line === undefined) return [];
  const [before, last] = exchanges.slice(-2);
  const isPair = before !== undefined && last !== undefined && needsBoth(before, last);
  const lineBefore = isPair ? repeat([before], baseUrl) : undefined;
  return lineBefore === undefined ? [line] : [lineBefore, line];
}

/** Whether a failure shows only in both: a creation before a GET, or a list beside a retrieval. */
function needsBoth({ request: before }: ShownExchange, { request: last }: ShownExchange): boolean {
  if (last.method !== 'GET' || isLane(last.connection)) return false;
  return before.method === 'POST' || isList(before) !== isList(last);
}

const isList = ({ path }: Request): boolean => /\/users(\?|$)/.test(path);

function argumentsOf({ request }: ShownExchange, origin: string): string {
  const { method, path, headers, body, framing } = request;
  const parts = ['-sS -i --globoff --path-as-is'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  if (asksForCoding(headers)) parts.push('--compressed');
  for (const [name, value] of Object.entries(headers)) {
    // curl names itself.
    if (name === 'user-agent') continue;
    if (value.includes(HEADER_VALUE)) {
      parts.push(`-H "$(printf '%s\\n' "$CONFORMANCE_HEADERS" | grep '^${name}:')"`);
      // Cookies of the request itself stand beside it.
      if (value === HEADER_VALUE) continue;
    }
    const header = `${name}: ${value.replace(`; ${HEADER_VALUE}`, '')}`;
    // curl takes a header without a value only in this form.
    parts.push(`-H ${value === '' ? quote(`${name};`) : toShell(header, quote)}`);
  }
  if (framing === 'chunked') parts.push(`-H 'transfer-encoding: chunked'`);
  if (body !== undefined) parts.push(`--data-binary ${body === '' ? "''" : toShell(body, quote)}`);
  const isAddress = !path.startsWith('/');
  if (isAddress) parts.push(`--request-target ${toShell(path, quote, encoded)}`);
  parts.push(isAddress ? quote(origin) : toShell(`${origin}${path}`, quote, encoded));
  return parts.join(' ');
}

/** Whether a response may be encoded, which curl decodes only with an option. */
const asksForCoding = (headers: Request['headers']): boolean =>
  Object.entries(headers).some(
    ([name, value]) => /^accept-encoding$/i.test(name) && /gzip|deflate|br|zstd/.test(value),
  );

/** `GET /v1/users → 200`: an exchange in a few words. */
export const brief = ({ request, response, failure }: ShownExchange) =>
  `${request.method} ${shorten(request.path, BRIEF)} → ${response?.status ?? shorten(failure ?? 'no response', BRIEF)}`;

const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{[]\s*[}\]]|[{}[\],:]|\s+|[^\s"{}[\],:]+/g;

/**
 * The lines of a body: each member of a JSON text on a line of its own, whose characters stay as they came. What is no
 * JSON text stays as it is; of a part of one (`isCut`) only the beginning is known. Pure.
 */
export function bodyLines(text: string, isCut = false): string[] {
  return (
    /^\s*[{[]/.test(text) && (isCut || unlessThrown(() => JSON.parse(text))) ? indented(text) : text
  ).split('\n');
}

function indented(text: string): string {
  let depth = 0;
  // What is nested deeper stands below one another.
  const newLine = () => `\n${'  '.repeat(Math.min(depth, 12))}`;
  return text.replace(TOKEN, (token) => {
    if (/^[{[]\s*[}\]]$/.test(token)) return token.replace(/\s+/, '');
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth = Math.max(0, depth - 1);
    if (/^[}\]]/.test(token)) return `${newLine()}${token}`;
    if (/^[{[,]/.test(token)) return `${token}${newLine()}`;
    return token === ':' ? ': ' : token.trim();
  });
}

/** What a finding says that came, as it may stand in an answer: statuses, and values as JSON. Pure. */
export function namedIn(got: string): ReadonlySet<string> {
  const statuses = got.match(/(?<!\S)[1-5]\d\d(?= |$)/g) ?? [];
  const texts = got.match(/"(?:[^"\\]|\\.)+"/g) ?? [];
  const others = got.match(/(?<=^|; )(?:true|false|null|-?\d+(?:\.\d+)?)(?= \(|$|;)/g) ?? [];
  return new Set([...statuses, ...texts, ...others]);
}
