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
import { quote, sanitize } from './text.ts';

/** The most characters of a body, a path or a failure. */
const MAX_TEXT = 1200;

/** The most characters of a path or a failure in a title. */
const MAX_TITLE = 80;

const MAX_HEADERS = 20;
const MAX_HEADER_NAME = 60;
const MAX_HEADER_VALUE = 200;

/** Returns an exchange as text for people: the request, the response and a command to repeat it. */
export function exchangeText(exchange: ShownExchange, baseUrl: string): string {
  const lines = [...requestLines(exchange.request), '', ...responseLines(exchange)];
  const command = curlCommand([exchange], baseUrl);
  if (command !== undefined) lines.push('', `Repeat it with: ${command}`);
  return sanitize(lines.join('\n'));
}

/** Returns `GET /v1/users → 200`. */
export function exchangeTitle({ request, response, failure }: ShownExchange): string {
  const result = response?.status ?? shorten(failure ?? 'no response', MAX_TITLE);
  return `${request.method} ${shorten(request.path, MAX_TITLE)} → ${result}`;
}

/** Returns the lines of a request. */
export function requestLines(request: Request): string[] {
  const { method, path, headers, body, framing, connection } = request;
  const lines = [`${method} ${shorten(path, MAX_TEXT)}`, ...headerLines(Object.entries(headers))];
  if (framing) lines.push(`(${framingText(framing, body)})`);
  if (connection) lines.push(`(on ${connectionText(connection)})`);
  if (body === undefined) return lines;
  if (body === '') return [...lines, '', '(empty body)'];
  return [...lines, '', ...bodyLines(shorten(body, MAX_TEXT))];
}

function framingText(framing: NonNullable<Request['framing']>, body: string | undefined): string {
  if (body === undefined) return 'given up before the response';
  if (framing === 'aborted') return 'given up after half of the body';
  if (framing === 'aborted at the head') return 'given up after the first byte of the body';
  if (framing === 'aborted at the end') return 'given up after the body';
  return `body sent as ${framing}`;
}

function connectionText(connection: Connection): string {
  if (connection === 'kept') return 'a reused connection';
  if (connection === 'new') return 'a new connection';
  return connection.replace('lane', 'connection');
}

/** Returns the lines of a response, or of the failure to get one. */
export function responseLines({ response, failure }: ShownExchange): string[] {
  const reason = failure === undefined ? undefined : shorten(failure, MAX_TEXT);
  if (response === undefined)
    return [reason === undefined ? 'no response' : `no response: ${reason}`];
  const { status, headers, bodyBytes } = response;
  const lines = reason === undefined ? [] : [reason, ''];
  lines.push(`${status} ${STATUS_CODES[status] ?? ''}`.trim(), ...headerLines(headers), '');
  if (bodyBytes === 0) return [...lines, '(no body)'];
  const { text, omission } = bodyBeginning(response, MAX_TEXT);
  lines.push(...bodyLines(text, omission !== ''));
  if (omission !== '') lines.push(omission);
  return lines;
}

/** The beginning of a body, and a note on the length of the whole, which is empty for all of it. */
export interface BodyBeginning {
  text: string;
  omission: string;
}

/** Returns the beginning of a body, at most `limit` characters. */
export function bodyBeginning({ body, bodyBytes }: Response, limit: number): BodyBeginning {
  const text = body.slice(0, limit);
  const isComplete = Buffer.byteLength(text) >= bodyBytes;
  return { text, omission: isComplete ? '' : `… (${bodyBytes} bytes)` };
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

/**
 * Returns the commands that repeat a failure: the last request, and the one before it if the
 * failure shows only in both. Empty if no command line could hold the request.
 */
export function repeatCommands(exchanges: readonly ShownExchange[], baseUrl: string): string[] {
  const command = curlCommand(exchanges, baseUrl);
  if (command === undefined) return [];
  const [previous, last] = exchanges.slice(-2);
  const isPair = previous !== undefined && last !== undefined && needsBoth(previous, last);
  const first = isPair ? curlCommand([previous], baseUrl) : undefined;
  return first === undefined ? [command] : [first, command];
}

/** Whether a failure shows only in both: a creation before a GET, or a list beside a retrieval. */
function needsBoth(
  { request: previous }: ShownExchange,
  { request: last }: ShownExchange,
): boolean {
  if (last.method !== 'GET' || isLane(last.connection)) return false;
  return previous.method === 'POST' || isList(previous) !== isList(last);
}

const isList = ({ path }: Request): boolean => /\/users(\?|$)/.test(path);

/**
 * Returns a command for a POSIX shell that repeats a failure, with the variable API_KEY in place of
 * the key. It sends the last request, after the requests that preceded it on a connection of its
 * own. Undefined if there is no request, or if a body is too long for a command line.
 */
export function curlCommand(
  exchanges: readonly ShownExchange[],
  baseUrl: string,
): string | undefined {
  const { origin } = new URL(baseUrl);
  const last = exchanges.at(-1);
  const lane = last?.request.connection;
  const sent = exchanges.filter(
    (exchange) => exchange === last || (isLane(lane) && exchange.request.connection === lane),
  );
  if (sent.length === 0 || sent.some(({ request }) => request.cut)) return undefined;
  return `curl ${sent.map((exchange) => curlArguments(exchange, origin)).join(' --next ')}`;
}

function curlArguments({ request }: ShownExchange, origin: string): string {
  const { method, path, headers, body, framing } = request;
  const parts = ['-sS -i --globoff --path-as-is'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  if (acceptsCoding(headers)) parts.push('--compressed');
  for (const [name, value] of Object.entries(headers)) {
    // curl sends its own.
    if (name === 'user-agent') continue;
    if (value.includes(HEADER_VALUE)) {
      parts.push(`-H "$(printf '%s\\n' "$CONFORMANCE_HEADERS" | grep '^${name}:')"`);
      // The rest of the value, if there is one, is cookies of the request itself.
      if (value === HEADER_VALUE) continue;
    }
    const header = `${name}: ${value.replace(`; ${HEADER_VALUE}`, '')}`;
    // curl sends a header with an empty value only in this form.
    parts.push(`-H ${value === '' ? quote(`${name};`) : toShell(header, quote)}`);
  }
  if (framing === 'chunked') parts.push(`-H 'transfer-encoding: chunked'`);
  if (body !== undefined) parts.push(`--data-binary ${body === '' ? "''" : toShell(body, quote)}`);
  const isAbsolute = !path.startsWith('/');
  if (isAbsolute) parts.push(`--request-target ${toShell(path, quote, percentEncoded)}`);
  parts.push(isAbsolute ? quote(origin) : toShell(`${origin}${path}`, quote, percentEncoded));
  return parts.join(' ');
}

/** Whether a response may be encoded, which curl decodes only with an option. */
const acceptsCoding = (headers: Request['headers']): boolean =>
  Object.entries(headers).some(
    ([name, value]) => /^accept-encoding$/i.test(name) && /gzip|deflate|br|zstd/.test(value),
  );

/** Returns the key percent-encoded by the shell, because the report does not contain the key. */
const percentEncoded = (shell: string): string =>
  `"$(KEY="${shell}" node -p 'encodeURIComponent(process.env.KEY)')"`;

/**
 * Returns the values in the text of a finding that may occur in a response: statuses, and values as
 * JSON. Pure.
 */
export function valuesNamedIn(got: string): ReadonlySet<string> {
  const statuses = got.match(/(?<!\S)[1-5]\d\d(?= |$)/g) ?? [];
  const strings = got.match(/"(?:[^"\\]|\\.)+"/g) ?? [];
  const literals = got.match(/(?<=^|; )(?:true|false|null|-?\d+(?:\.\d+)?)(?= \(|$|;)/g) ?? [];
  return new Set([...statuses, ...strings, ...literals]);
}
