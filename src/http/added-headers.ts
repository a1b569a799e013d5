import type { Header } from '../settings/headers.ts';
import { EXCERPT_LIMIT, HEADER_LIMIT } from '../settings/limits.ts';
import type { Exchange, Request, ShownExchange } from './exchange.ts';
import { HEADER_VALUE } from './key.ts';
import { otherKeys } from './other-keys.ts';
import { headerRedaction, type Redact } from './redaction.ts';

/** A request with the headers that go with all of them, a mark in the place of each value; cookies are put together. */
export function withHeaders(request: Request, headers: readonly Header[]): Request {
  if (headers.length === 0) return request;
  const all = { ...request.headers };
  for (const { name } of headers) {
    const [same, value = ''] = Object.entries(all).find(([other]) => other.toLowerCase() === name.toLowerCase()) ?? [];
    if (same !== undefined) delete all[same];
    all[name] = same !== undefined && /^cookie$/i.test(name) ? `${value}; ${HEADER_VALUE}` : HEADER_VALUE;
  }
  return { ...request, headers: all };
}

/** The value of a request's header, with that of the settings in the place of its mark. */
export function fillInHeader(name: string, value: string, headers: readonly Header[]): string {
  const own = headers.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return own ? value.replace(HEADER_VALUE, () => own.value) : value;
}

/** What leaves the suite passes through here. */
export interface Showing {
  redact: Redact;
  exchange: (exchange: Exchange) => ShownExchange;
}

/** Characters beyond a limit that tell whether a key stands there. */
const BEYOND = 1000;

/**
 * Makes the one way out: without the key and those of other runs of this process, without the values of the headers that go
 * with every request, and shortened. What came over the wire stays as it is, for the checks: a key or such a value may be a
 * part of what they have to read.
 */
export function shownBy(key: string, redactKey: Redact, headers: readonly Header[]): Showing {
  const others = otherKeys(key);
  const redactHeaders = headerRedaction(headers);
  const redact: Redact = (text, limit = text.length) => {
    const own = others().reduce((left, one) => one(left, limit + BEYOND), text);
    const shown = redactKey(own, limit);
    return headers.length === 0 ? shown : redactHeaders(text.length > limit ? withoutBeginning(shown, headers) : shown);
  };
  const made = new WeakMap<Exchange, ShownExchange>();
  const headersMade = new WeakMap<[string, string], [string, string]>();
  // Many answers have the same object.
  const shownHeader = (header: [string, string]) => {
    const shown = headersMade.get(header) ?? [redact(header[0], HEADER_LIMIT), redact(header[1], HEADER_LIMIT)];
    headersMade.set(header, shown);
    return shown;
  };
  return {
    redact,
    exchange: (exchange) => {
      const { response } = exchange;
      const shown =
        made.get(exchange) ??
        ({
          ...exchange,
          ...(response && {
            response: {
              ...response,
              headers: response.headers.map((header) => shownHeader(header)),
              // It may have been cut before.
              body: redact(withoutBeginning(response.body, headers), EXCERPT_LIMIT),
            },
          }),
        } as ShownExchange);
      made.set(exchange, shown);
      return shown;
    },
  };
}

/** Four characters of a value tell little of it. */
const TELLING = 4;

/** A body without the beginning of a value at its end, where it was cut. */
function withoutBeginning(body: string, headers: readonly Header[]): string {
  for (const { value } of headers) {
    for (let length = value.length - 1; length >= TELLING; length -= 1) {
      if (body.endsWith(value.slice(0, length))) return body.slice(0, -length);
    }
  }
  return body;
}
