import { isEveryday, type Target } from '../settings/target.ts';
import type { Exchange, Request, ShownExchange } from './exchange.ts';
import { differsFromKey, HEADER_VALUE, isSameSignature, KEY, wrongKey } from './key.ts';
import { anywhere, type Cleaning, inCompany, runFinder } from './redaction.ts';

/**
 * Takes secrets out of a text. With a limit, cuts the text afterwards, so that no part of a secret is left at its end.
 */
export type Redact = (text: string, limit?: number) => string;

/** Characters of a body that reports keep: a page of a terminal. */
export const EXCERPT_LIMIT = 2000;

/** Characters of a header's value that reports keep. */
export const HEADER_LIMIT = 1000;

/** Keys that are remembered; each costs a look at what every later run shows. */
const REMEMBERED = 8;

const remembered = new Map<string, Cleaning>();

/**
 * Remembers the key of a run, and gives the keys of other runs of this process to hide, as they are remembered when it
 * is called: a service that two runs judge may answer one with the key of the other. What such a key shares with other
 * words stays.
 */
function otherKeys(key: string): () => Cleaning[] {
  remembered.delete(key);
  if (!isEveryday(key)) remembered.set(key, anywhere(key, KEY, false));
  const [oldest = ''] = remembered.keys();
  if (remembered.size > REMEMBERED) remembered.delete(oldest);
  return () => [...remembered].flatMap(([other, cleaning]) => (other === key ? [] : [cleaning]));
}

/** What a run knows of its secrets, the key and the values of added headers, and how it keeps them to itself. */
export type Secrets = ReturnType<typeof secretsOf>;

/** After what a word is the key: a scheme, a name for a key, or as the user of Basic. */
const CREDENTIALS = 'bearer|token|basic|key|secret|auth|authorization|cookie|password|credentials?';

/** Characters that Linux takes for an argument of a command. */
const ARGUMENT = 128 * 1024;

/**
 * Makes the one way out: without the key and those of other runs of this process, without the values of added headers,
 * and shortened. What came over the wire stays as it is, for the checks: a key or such a value may be a part of what
 * they read. All forms in which a target may send one back are taken out, and runs of a third of it: whatever encodings
 * of single characters stand over one another, and base64 and hexadecimal wherever they begin.
 */
export function secretsOf({ apiKey, headers: added = [] }: Pick<Target, 'apiKey' | 'headers'>) {
  const keyIsEveryday = isEveryday(apiKey);
  const ofOthers = otherKeys(apiKey);
  const ofKey = keyIsEveryday ? inCompany(apiKey, CREDENTIALS, KEY) : anywhere(apiKey, KEY);
  const ofHeaders = added.map(({ name, value }) =>
    isEveryday(value) || !/\d/.test(value)
      ? inCompany(value, name, HEADER_VALUE)
      : anywhere(value, HEADER_VALUE),
  );
  const halvesIn = keyIsEveryday
    ? () => []
    : runFinder(apiKey, Math.max(8, Math.floor(apiKey.length / 2) + 1));
  const all = () => [...ofOthers(), ofKey, ...ofHeaders];
  const clean = (text: string, cleanings: Cleaning[]) =>
    cleanings.reduce((left, one) => one.clean(left), text);
  // As long as the longest of them is in the longest of its forms.
  const margin = () => 16 * Math.max(...all().map(({ length }) => length));
  const redact: Redact = (text, limit = text.length) => {
    if (text.length <= limit) return clean(text, all());
    const end = limit + 2 * margin();
    const cleaned = clean(text.slice(0, end), all());
    // Where more follows, the end of what is looked at may hold the beginning of a secret, and goes with a margin.
    return cleaned.slice(
      0,
      text.length < end ? limit : Math.min(limit, Math.max(0, cleaned.length - margin())),
    );
  };
  // Many answers have the same.
  const headers = new Map<string, [string, string]>();
  const exchanges = new WeakMap<Exchange, ShownExchange>();
  const header = ([name, value]: [string, string]): [string, string] =>
    once(headers, `${name}: ${value}`, () => [
      redact(name, HEADER_LIMIT),
      redact(value, HEADER_LIMIT),
    ]);
  return {
    redact,
    /** Whether a text holds the key, in any of its forms. Never for an everyday key (see isEveryday). */
    finds: ofKey.finds,
    /**
     * Whether a text holds the key or more than half of it, or the value of a header: it goes into no path. A word of
     * the key, such as `example`, may.
     */
    holds: (text: string) =>
      ofKey.finds(text) || halvesIn(text).length > 0 || clean(text, ofHeaders) !== text,
    /** How much of a text is to be kept, so that it can be redacted and cut at a limit later. */
    ample: (limit: number) => limit + 2 * margin(),
    /** An exchange as it may leave the suite: every report, screen and program gets it from here. */
    shown: (whole: Exchange) =>
      once(exchanges, whole, () => {
        const { request, response } = whole;
        const body = response && redact(response.body, EXCERPT_LIMIT);
        const shown = response && {
          response: { ...response, headers: response.headers.map(header), body },
        };
        return { ...whole, request: inShort(request), ...shown } as ShownExchange;
      }),
    keyIsEveryday,
    /** A key of the same shape that is none. */
    wrongKey: wrongKey(apiKey),
    /** Whether a token that marks describe is another than the key, and not empty. */
    isWrong: (token: string) => differsFromKey(token, apiKey),
    /** Whether a token that marks describe is the key, a JWT, with its signature spelled in another way. */
    isSameSignature: (token: string) => isSameSignature(token, apiKey),
  };
}

/** A request whose body is cut where it is longer than any argument of a command: no line could repeat it. */
function inShort(request: Request): Request {
  const { body = '' } = request;
  return body.length > ARGUMENT
    ? { ...request, body: `${body.slice(0, EXCERPT_LIMIT)}…`, cut: true }
    : request;
}

/** What is made of a thing, made once. */
function once<K, T>(
  made: { get(one: K): T | undefined; set(one: K, of: T): unknown },
  one: K,
  make: () => T,
): T {
  const known = made.get(one) ?? make();
  made.set(one, known);
  return known;
}
