import { isLane, type Response, type ShownExchange } from '../http/exchange.ts';
import { HEADER_VALUE, toShell } from '../http/key.ts';
import { shorten } from '../http/value.ts';

/** What nobody sees, or what turns or hides what stands beside it: controls, formats, what is not assigned, half a pair. */
const UNSEEN = /(?![\t\n])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What a runner of a CI takes for a command wherever it stands in a line: `##[`, `##vso[`, `##teamcity[`. */
const COMMAND = /##(?=[\w.-]*\[)/g;

const escaped = (character: string) =>
  character === '\r'
    ? '\\r'
    : character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Makes a text from outside harmless where people and programs read it: what can't be seen becomes an escape, and nothing
 * begins a command of a CI, which its logs run wherever they show it, be it in a report.
 */
export function inert(text: string): string {
  return withoutUnseen(text)
    .replace(COMMAND, '\\u0023#')
    .replace(/^([\t ]*):(?=:)/gm, '$1\\u003a');
}

/** A value as JSON whose text is as harmless: its readers find the same value. */
export function inertJson(value: unknown, indent = 2): string {
  return `${withoutUnseen(JSON.stringify(value, null, indent)).replace(COMMAND, '\\u0023#')}\n`;
}

/** Looks at what is not plain ASCII alone: in a long text that takes a tenth of the time. */
function withoutUnseen(text: string): string {
  return text.replace(/[^\t\n -~]+/g, (part) => part.replace(UNSEEN, escaped));
}

/** The same in one line: nothing that a target sends begins a line of a terminal, or a command of a CI. */
export function inertLine(text: string): string {
  return inert(text).replaceAll('\n', '\\n');
}

/** A text as one word of a POSIX shell. */
export const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A percent-encoded key needs a program; a key of unreserved characters would do without, but nobody here knows it. */
const encoded = (shell: string) => `"$(KEY="${shell}" node -p 'encodeURIComponent(process.env.KEY)')"`;

/**
 * A command for a POSIX shell that repeats what shows a failure, with the variable API_KEY in the key's place: the last
 * request, after those that went out before it on a connection of its own. Undefined where nothing was sent, or a body
 * that no command line could hold.
 */
export function repeat(exchanges: readonly ShownExchange[], origin: string): string | undefined {
  const last = exchanges.at(-1);
  const { connection } = last?.request ?? {};
  const onOne = exchanges.filter(({ request }) => isLane(connection) && request.connection === connection);
  const lines = onOne.length > 0 ? onOne : exchanges.slice(-1);
  if (lines.some(({ request }) => request.cut)) return undefined;
  return last && `curl ${lines.map((one) => argumentsOf(one, origin)).join(' --next ')}`;
}

/** The address of a request; its path may be a whole one, as proxies send it. */
export const urlOf = ({ path }: Pick<ShownExchange['request'], 'path'>, origin: string) =>
  path.startsWith('/') ? `${origin}${path}` : path;

function argumentsOf({ request }: ShownExchange, origin: string): string {
  const { method, path, headers, body, framing } = request;
  const parts = ['-sS -i --globoff --path-as-is'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  for (const [name, value] of Object.entries(headers)) {
    // curl names itself.
    if (name === 'user-agent') continue;
    if (value.includes(HEADER_VALUE)) {
      parts.push(`-H "$(printf '%s\\n' "$CONFORMANCE_HEADERS" | grep '^${name}:')"`);
      // Cookies of the request itself stand beside it.
      if (value === HEADER_VALUE) continue;
    }
    // curl takes a header without a value only in this form.
    parts.push(
      value === ''
        ? `-H ${quote(`${name};`)}`
        : `-H ${toShell(`${name}: ${value.replace(`; ${HEADER_VALUE}`, '')}`, quote)}`,
    );
  }
  if (framing === 'chunked') parts.push(`-H 'transfer-encoding: chunked'`);
  if (body !== undefined) parts.push(`--data-binary ${body === '' ? "''" : toShell(body, quote)}`);
  const isAddress = !path.startsWith('/');
  if (isAddress) parts.push(`--request-target ${toShell(path, quote, encoded)}`);
  parts.push(isAddress ? quote(origin) : toShell(`${origin}${path}`, quote, encoded));
  return parts.join(' ');
}

/** How many of a long row of names are named. */
const NAMED = 6;

/** `1, 2, 3`, or the first of them and how many more there are. */
export function some(names: readonly string[]): string {
  const shown = names.length > NAMED ? names.slice(0, NAMED - 1) : names;
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `GET /v1/users → 200`: an exchange in a few words. */
export function brief({ request, response, failure }: ShownExchange, limit = 80): string {
  return `${request.method} ${shorten(request.path, limit)} → ${response?.status ?? shorten(failure ?? 'no response', limit)}`;
}

/** The beginning of a body, at most `limit` characters, with the length of the whole where it is not the whole. */
export function bodyText({ body, bodyBytes }: Response, limit = body.length): string {
  const shown = body.slice(0, limit);
  return Buffer.byteLength(shown) < bodyBytes ? `${shown}… (${bodyBytes} bytes)` : shown;
}

/** `2026-01-02 03:04 UTC`. */
export function dateText(start: string): string {
  return `${start.slice(0, 10)} ${start.slice(11, 16)} UTC`;
}

/** Milliseconds as seconds: `1.2 s`. */
export function secondsText(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
