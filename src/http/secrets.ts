import { EXCERPT_LIMIT, HEADER_LIMIT } from '../settings/limits.ts';
import { isEveryday, type Target } from '../settings/target.ts';
import type { Exchange, Request, ShownExchange } from './exchange.ts';
import { differsFromKey, KEY, wrongKey } from './key.ts';
import { anywhere, type Cleaning, redaction } from './redaction.ts';

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

/** Characters that Linux takes for an argument of a command. */
const ARGUMENT = 128 * 1024;

/**
 * Makes the one way out: without the key and those of other runs of this process, without the values of added headers, and
 * shortened. What came over the wire stays as it is, for the checks: a key or such a value may be a part of what they read.
 */
export function secretsOf({ apiKey, headers: added = [] }: Pick<Target, 'apiKey' | 'headers'>) {
  const ofRun = redaction(apiKey, added, otherKeys(apiKey));
  const { redact } = ofRun;
  // Many answers have the same.
  const headers = new Map<string, [string, string]>();
  const exchanges = new WeakMap<Exchange, ShownExchange>();
  const header = ([name, value]: [string, string]): [string, string] =>
    once(headers, `${name}: ${value}`, () => [redact(name, HEADER_LIMIT), redact(value, HEADER_LIMIT)]);
  return {
    ...ofRun,
    /** An exchange as it may leave the suite: every report, screen and program gets it from here. */
    shown: (whole: Exchange) =>
      once(exchanges, whole, () => {
        const exchange = { ...whole, request: inShort(whole.request) };
        const { response } = exchange;
        if (response === undefined) return exchange as ShownExchange;
        const body = redact(response.body, EXCERPT_LIMIT);
        return { ...exchange, response: { ...response, headers: response.headers.map(header), body } } as ShownExchange;
      }),
    keyIsEveryday: isEveryday(apiKey),
    /** A key of the same shape that is none. */
    wrongKey: wrongKey(apiKey),
    /** Whether a token that marks describe is another than the key, and not empty. */
    isWrong: (token: string) => differsFromKey(token, apiKey),
  };
}

/** A request whose body is cut where it is longer than any argument of a command: no line could repeat it. */
function inShort(request: Request): Request {
  const { body = '' } = request;
  return body.length > ARGUMENT ? { ...request, body: `${body.slice(0, EXCERPT_LIMIT)}…`, cut: true } : request;
}

/** What is made of a thing, made once. */
function once<K, T>(made: { get(one: K): T | undefined; set(one: K, of: T): unknown }, one: K, make: () => T): T {
  const known = made.get(one) ?? make();
  made.set(one, known);
  return known;
}
