import { isLane, type Request, type ShownExchange } from '../http/exchange.ts';
import { HEADER_VALUE, toShell } from '../http/key.ts';
import type { RecipeStep } from '../requirement/outcome.ts';
import { suitePackage } from '../settings/package.ts';
import { quote } from './text.ts';

/**
 * Returns commands for a POSIX shell that repeat a failure against a service that was just started,
 * with the variable API_KEY in place of the key. They take identifiers from the responses. Empty if
 * a request does not fit into a command.
 */
export function repeatLines(recipe: readonly RecipeStep[], baseUrl: string): string[] {
  if (recipe.length === 0 || recipe.some((step) => !hasSegment(step))) return [];
  const { origin } = new URL(baseUrl);
  const lines: string[] = [];
  let lane: string | undefined;
  for (const [index, step] of recipe.entries()) {
    const { request } = step.exchange;
    const url = urlOf(step, origin, recipe);
    const previous = lines.at(-1);
    const isOnSame = isLane(request.connection) && request.connection === lane;
    if (step.place !== undefined && !step.place.startsWith('request: ')) {
      lines.push(...captureLines(step.exchange, step.place, index, origin));
    } else if (isOnSame && previous !== undefined) {
      lines[lines.length - 1] = `${previous} --next ${curlArguments(request, origin, url)}`;
    } else {
      lines.push(`curl ${curlArguments(request, origin, url)}`);
    }
    lane = request.connection;
  }
  return lines;
}

/** Whether a shown path still has the identifier in it: a part of the key is removed from a path. */
const hasSegment = ({ exchange: { request }, identifier }: RecipeStep): boolean =>
  !request.cut && (identifier === undefined || request.path.includes(identifier.segment));

/** Returns the address of a step, with a variable of the shell in place of an identifier. */
function urlOf(
  { exchange, identifier }: RecipeStep,
  origin: string,
  recipe: readonly RecipeStep[],
): string {
  const url = `${origin}${exchange.request.path}`;
  const place = identifier && recipe[identifier.step]?.place;
  if (place === undefined || place.startsWith('request: ')) return shellUrl(url);
  const { segment, step } = identifier as { segment: string; step: number };
  const at = url.lastIndexOf(segment);
  const end = url.slice(at + segment.length);
  return `${shellUrl(url.slice(0, at))}"$${variable(step)}"${end === '' ? '' : shellUrl(end)}`;
}

const shellUrl = (url: string): string => toShell(url, quote, 'encodeURIComponent');

const variable = (step: number): string => (step === 0 ? 'ID' : `ID${step + 1}`);

/** The text that a script reads. */
const INPUT = 'require("fs").readFileSync(0)';

/** Returns the lines that create a user and store the identifier in a variable. */
function captureLines(
  { request }: ShownExchange,
  place: string,
  step: number,
  origin: string,
): string[] {
  const create = `curl ${curlArguments(request, origin, shellUrl(`${origin}${request.path}`))}`;
  const capture = (command: string, script: string) =>
    `${variable(step)}=$(${command} | tee /dev/stderr | node -p ${quote(script)})`;
  if (place.startsWith('Location')) {
    return [
      capture(create, `/^location:\\s*\\S*?([^/\\s?#]+)\\/?([?#]\\S*)?\\s*$/im.exec(${INPUT})[1]`),
    ];
  }
  const [, source = '', path = ''] = /^(.*?): (.*?)$/s.exec(place) ?? [];
  if (source !== 'list item')
    return [capture(withoutHead(create), valueAt(`JSON.parse(${INPUT})`, path))];
  const { email } = JSON.parse(request.body ?? '{}') as { email?: string };
  const isUser = `(user) => user.email === ${JSON.stringify(email)}`;
  const listing = { ...request, method: 'GET' as const };
  const { body: _, ...list } = listing;
  const line = `curl ${curlArguments(list, origin, shellUrl(`${origin}${request.path}`))}`;
  const script = valueAt(`JSON.parse(${INPUT}).data.find(${isUser})`, path);
  return [create, capture(withoutHead(line), script)];
}

const withoutHead = (command: string): string => command.replace('-sS -i ', '-sS ');

/** Returns the JavaScript expression of an identifier at a place in a value, percent-encoded. */
function valueAt(value: string, path: string): string {
  const [, steps = '', form] = /^(.*?)( \((?:its end|as an integer)\))?$/s.exec(path) ?? [];
  const names = steps === 'the whole body' ? [] : steps.split('.');
  const found = value + names.map((name) => `[${JSON.stringify(name)}]`).join('');
  if (form === ' (its end)') return `/([^/]+)\\/?$/.exec(${found})[1]`;
  return `encodeURIComponent(${found})`;
}

function curlArguments(request: Request, origin: string, url: string): string {
  const { method, path, headers, body, framing } = request;
  const parts = ['-sS -i --globoff --path-as-is'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  if (acceptsCoding(headers)) parts.push('--compressed');
  for (const [name, value] of Object.entries(headers)) {
    // curl sends its own.
    if (name === 'user-agent' && value.startsWith(`${suitePackage.name}/`)) continue;
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
  if (isAbsolute) parts.push(`--request-target ${shellUrl(path)}`);
  parts.push(isAbsolute ? quote(origin) : url);
  return parts.join(' ');
}

/** Whether a response may be encoded, which curl decodes only with an option. */
const acceptsCoding = (headers: Request['headers']): boolean =>
  Object.entries(headers).some(
    ([name, value]) => /^accept-encoding$/i.test(name) && /gzip|deflate|br|zstd/.test(value),
  );
