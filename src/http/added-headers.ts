import type { Header } from '../settings/headers.ts';
import type { Exchange, Request } from './exchange.ts';
import { HEADER_VALUE } from './key.ts';
import { headerRedaction, type Redact, redactValue } from './redaction.ts';

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

/** What is made of the record for everybody but the checks: the values of the headers that go with every request are out. */
export interface Shown {
  redact: Redact;
  exchange: (exchange: Exchange) => Exchange;
  /** The same of any plain data. */
  value: <T>(value: T) => T;
}

/**
 * Makes it of the redaction of the key. The record itself keeps what a target sent, but for the key: a check may have to read
 * what is the value of a header as well, such as an address.
 */
export function shownBy(redactKey: Redact, headers: readonly Header[]): Shown {
  if (headers.length === 0) return { redact: redactKey, exchange: (exchange) => exchange, value: (value) => value };
  const redact = headerRedaction(headers);
  const made = new WeakMap<Exchange, Exchange>();
  return {
    redact: (text, limit) => redact(redactKey(text), limit),
    value: <T>(value: T) => redactValue(value, redact) as T,
    exchange: (exchange) => {
      const { response } = exchange;
      if (response === undefined) return exchange;
      const shown = made.get(exchange) ?? {
        ...exchange,
        response: {
          ...response,
          headers: response.headers.map(([name, value]) => [redact(name), redact(value)] as [string, string]),
          body: redact(withoutBeginning(response.body, headers)),
        },
      };
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
