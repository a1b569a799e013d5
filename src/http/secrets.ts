import { isEveryday, type Target } from '../settings/target.ts';
import type { Exchange, Request, ShownExchange, ShownText } from './exchange.ts';
import { differsFromKey, HEADER_VALUE, isSameSignature, KEY, wrongKey } from './key.ts';
import { findRuns, type Redactor, redactorAfterNames, redactorOf } from './redaction.ts';
import { cutMiddle } from './value.ts';

/**
 * Removes secrets from a text, then cuts it at the limit, so that no part of a secret is left at
 * its end.
 */
export type Redact = (text: string, limit?: number) => string;

/**
 * Makes a text of a response fit to leave a run: removes secrets, then cuts it in the middle. A
 * sentence shows at most 1,000 characters if no number is given.
 */
export type ShowText = (text: string, most?: number) => ShownText;

/** Returns the only way to make a ShownText. */
export const makeShowText =
  (redact: Redact): ShowText =>
  (text, most = 1000) =>
    cutMiddle(redact(text), most) as ShownText;

/** Combines shown texts by words of the suite's own code, which hold no secret. */
export const ownWords = (
  words: TemplateStringsArray,
  ...texts: (ShownText | number)[]
): ShownText => String.raw({ raw: words }, ...texts) as ShownText;

/** Characters of a body in reports: a page of a terminal. */
export const EXCERPT_LIMIT = 2000;

/** Characters of the end of a longer body in reports: an item of a list, and its total. */
export const END_LIMIT = 300;

/** Characters of a header's value in reports. */
export const HEADER_LIMIT = 1000;

/** The secrets of a run: the key and the values of added headers. */
export interface Secrets {
  redact: Redact;
  showText: ShowText;
  /** Whether a text contains the key in any form. Never for an everyday key (see isEveryday). */
  finds: (text: string) => boolean;
  /**
   * Whether a text contains the key, more than half of it, or the value of a header, so that it may
   * not be sent in a path. A word of the key, such as `example`, may.
   */
  holds: (text: string) => boolean;
  /** Returns how much of a text to store so that it can be redacted and cut at a limit later. */
  ample: (limit: number) => number;
  /** Returns an exchange without secrets, for reports, the screen and programs. */
  shown: (exchange: Exchange) => ShownExchange;
  keyIsEveryday: boolean;
  /** A wrong key of the same shape. */
  wrongKey: string;
  /** Whether a token, written with marks, differs from the key and is not empty. */
  isWrong: (token: string) => boolean;
  /** Whether a token, written with marks, only differs in the spelling of a JWT's signature. */
  isSameSignature: (token: string) => boolean;
}

/** The characters of a long list. Most of the long lists of a run are the same as the one before. */
const LONG = 10_000;

/** Names before a key: a scheme, a name for credentials, or the user of Basic. */
const CREDENTIALS = 'bearer|token|basic|key|secret|auth|authorization|cookie|password|credentials?';

/** The most characters that Linux accepts as an argument of a command. */
const ARGUMENT_LIMIT = 128 * 1024;

/**
 * Returns the only way to show anything of a run: without its key, the keys of other runs of this
 * process and the values of added headers, and shortened. Checks read responses as received, since
 * a secret may be part of what they check. All forms in which a target may send a secret back are
 * removed: any stack of character encodings, base64 and hexadecimal from any offset, and runs of a
 * third of the secret.
 */
export function secretsOf(target: Pick<Target, 'apiKey' | 'headers'>): Secrets {
  const { apiKey, headers: addedHeaders = [] } = target;
  const keyIsEveryday = isEveryday(apiKey);
  const otherRedactors = rememberKey(apiKey);
  const keyRedactor = keyIsEveryday
    ? redactorAfterNames(apiKey, CREDENTIALS, KEY)
    : redactorOf(apiKey, KEY, { parts: true });
  const headerRedactors = addedHeaders.map(({ name, value }) => {
    const isWord = isEveryday(value) || !/\d/.test(value);
    if (isWord) return redactorAfterNames(value, name, HEADER_VALUE);
    return redactorOf(value, HEADER_VALUE, { parts: true });
  });
  const allRedactors = () => [...otherRedactors(), keyRedactor, ...headerRedactors];

  /** Returns room for the longest secret in its longest form. */
  function margin(): number {
    return 16 * Math.max(...allRedactors().map(({ length }) => length));
  }

  function redact(text: string, limit = text.length): string {
    if (text.length <= limit) return redactAll(text, allRedactors());
    const end = limit + 2 * margin();
    const redacted = redactAll(text.slice(0, end), allRedactors());
    if (text.length < end) return redacted.slice(0, limit);
    // The end of the slice may be the beginning of a secret, so a margin is dropped with it.
    const safeLength = Math.max(0, redacted.length - margin());
    return redacted.slice(0, Math.min(limit, safeLength));
  }

  /** Redacts the end of a longer text, which may begin with the end of a secret. */
  function redactEnd(text: string): string {
    return redactAll(text, allRedactors()).slice(margin()).slice(-END_LIMIT);
  }

  let lastList = { text: '', hasKey: false };
  function finds(text: string): boolean {
    if (text.length < LONG) return keyRedactor.finds(text);
    if (text !== lastList.text) lastList = { text, hasKey: keyRedactor.finds(text) };
    return lastList.hasKey;
  }

  const halfLength = Math.max(8, Math.floor(apiKey.length / 2) + 1);
  function holds(text: string): boolean {
    if (keyRedactor.finds(text)) return true;
    if (!keyIsEveryday && findRuns(text, apiKey, halfLength).length > 0) return true;
    return redactAll(text, headerRedactors) !== text;
  }

  // Most responses have the same headers.
  const shownHeaders = new Map<string, [string, string]>();
  function showHeader([name, value]: [string, string]): [string, string] {
    return memoize(shownHeaders, `${name}: ${value}`, () => [
      redact(name, HEADER_LIMIT),
      redact(value, HEADER_LIMIT),
    ]);
  }

  function show(exchange: Exchange): ShownExchange {
    const { response } = exchange;
    const shown = { ...exchange, request: cutBody(exchange.request) };
    if (response) {
      const body = redact(response.body, EXCERPT_LIMIT);
      const headers = response.headers.map(showHeader);
      shown.response = { ...response, headers, body };
      if (response.bodyEnd !== undefined) shown.response.bodyEnd = redactEnd(response.bodyEnd);
      // The size of a whole body would show the length of a secret in it.
      const isWhole = Buffer.byteLength(response.body) === response.bodyBytes;
      const isShortened = body.length >= EXCERPT_LIMIT;
      if (isWhole && !isShortened) shown.response.bodyBytes = Buffer.byteLength(body);
    }
    return shown as ShownExchange;
  }

  const shownExchanges = new WeakMap<Exchange, ShownExchange>();
  return {
    redact,
    showText: makeShowText(redact),
    finds,
    holds,
    ample: (limit) => limit + 2 * margin(),
    shown: (exchange) => memoize(shownExchanges, exchange, () => show(exchange)),
    keyIsEveryday,
    wrongKey: wrongKey(apiKey),
    isWrong: (token) => differsFromKey(token, apiKey),
    isSameSignature: (token) => isSameSignature(token, apiKey),
  };
}

/** The most keys that are remembered, because each slows down the reports of every later run. */
const REMEMBERED_KEYS = 8;

/** Redactors of the keys of this process's runs, oldest first. */
const redactorsByKey = new Map<string, Redactor>();

/**
 * Remembers the key of a run. Returns a function that lists the redactors of other keys, since a
 * service that two runs judge may send one run the key of the other. They remove no parts, which
 * may be words that both runs use.
 */
function rememberKey(key: string): () => Redactor[] {
  redactorsByKey.delete(key);
  if (!isEveryday(key)) redactorsByKey.set(key, redactorOf(key, KEY, { parts: false }));
  const [oldestKey = ''] = redactorsByKey.keys();
  if (redactorsByKey.size > REMEMBERED_KEYS) redactorsByKey.delete(oldestKey);
  return () => {
    const others = [...redactorsByKey].filter(([otherKey]) => otherKey !== key);
    return others.map(([, redactor]) => redactor);
  };
}

const redactAll = (text: string, redactors: readonly Redactor[]): string =>
  redactors.reduce((redacted, redactor) => redactor.redact(redacted), text);

/** Cuts a body that is too long for a command, which could not repeat the request anyway. */
function cutBody(request: Request): Request {
  const { body = '' } = request;
  if (body.length <= ARGUMENT_LIMIT) return request;
  return { ...request, body: `${body.slice(0, EXCERPT_LIMIT)}…`, cut: true };
}

interface Cache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** Returns the cached value of a key, or makes it. */
function memoize<K, V>(cache: Cache<K, V>, key: K, make: () => V): V {
  const value = cache.get(key) ?? make();
  cache.set(key, value);
  return value;
}
