/** A request with marks of key.ts in place of secrets, so that it can be stored and printed. */
export interface Request {
  method: 'GET' | 'POST';
  /** The path and query on the target's origin, sent as written. */
  path: string;
  /** Sent in this order and case. */
  headers: Record<string, string>;
  body?: string;
  /** Whether `body` is only the beginning of the body that was sent. Only reports have it. */
  cut?: true;
  /**
   * The way in which the body is sent: in chunks, or with its length but in several packets, or
   * each byte in a packet. `aborted`: the suite closes the connection after half of the body, after
   * its first byte, or after all of it; without a body, before the response. Absent: with its
   * length, at once.
   */
  framing?:
    | 'chunked'
    | 'packets'
    | 'bytes'
    | 'aborted'
    | 'aborted at the head'
    | 'aborted at the end';
  /**
   * Absent: a GET uses a pooled connection and a POST a new one, because a lost POST can't be
   * repeated.
   */
  connection?: Connection;
}

/** A numbered connection whose requests are sent one after the other. */
export type Lane = `lane ${number}`;

/** `kept` is any connection of the pool. */
export type Connection = 'kept' | 'new' | Lane;

/** The lane of the final lists. It is open while other requests are sent, so each list queues. */
export const LISTS: Lane = 'lane 0';

export const isLane = (connection: Connection = 'kept'): connection is Lane =>
  connection.startsWith('lane ');

export interface Response {
  status: number;
  /** As received, in order. */
  headers: [name: string, value: string][];
  /** The beginning of the decoded body. */
  body: string;
  /** The end of a long decoded body, which `body` lacks. */
  bodyEnd?: string;
  /** Bytes of the decoded body that were read. */
  bodyBytes: number;
  /** Whether the suite stopped reading at its own limit. */
  cut?: true;
  /**
   * The reason why the body of a 2xx is no JSON text in UTF-8. Absent for valid JSON, for no body,
   * and for a body that was not parsed.
   */
  jsonFault?: string;
  byteOrderMark: boolean;
  /** Whether the body contains the key. */
  keyInBody: boolean;
  /** Whether a header contains the key. */
  keyInHeader: boolean;
}

/**
 * A request and its response as received, so the response may contain the key. Reports get a
 * ShownExchange instead.
 */
export interface Exchange {
  /** Counts the exchanges of a run from 1, in the order in which they were sent. */
  id: number;
  request: Request;
  /** Whether it is a valid request of an operation, so that its response must be right. */
  isValid?: true;
  /**
   * Whether the path is not one of the interface: a proxy without a service for it may respond 503,
   * or not at all.
   */
  elsewhere?: true;
  /** Absent without a response: see `failure`. */
  response?: Response;
  /** The reason why there is no response, or only a gateway's 502 or 504. */
  failure?: string;
  /** Milliseconds from the start of the run to the sending of the (last) request. */
  at: number;
  /** Milliseconds from sending to the end of the body, without waits for 429 and 503. */
  duration: number;
  /** Milliseconds from sending to the head of the response; absent without a response. */
  wait?: number;
  /** The number of times that it was sent; see `send` of Client. */
  attempts: number;
  /** Attempts without a response, or with only a gateway's; absent if there were none. */
  lost?: number;
  /** The status of an earlier response with the key in its body: a 429 or a 503. */
  keyBefore?: number;
}

declare const SHOWN: unique symbol;

/** An exchange without the key, and shortened. Only `shown` of Secrets makes one. */
export type ShownExchange = Exchange & { readonly [SHOWN]: true };

/**
 * A text without the key, and shortened. Only `showText` of Secrets makes one, and `ownWords`
 * combines them.
 */
export type ShownText = string & { readonly [SHOWN]: true };

/** An exchange with the body of its response. Only the exchange is stored in the history. */
export interface Answer {
  exchange: Exchange;
  /** 0 without a response of the service itself. */
  status: number;
  /** Whether the status is a 2xx. */
  ok: boolean;
  /** The parsed body; undefined if it is empty, not JSON, or not parsed. */
  json: unknown;
  text: string;
}

/** A body as text and as a parsed value. */
interface ReadBody {
  value: unknown;
  text: string;
}

/** Returns an exchange with the body that was read. */
export function answerOf(exchange: Exchange, body?: ReadBody): Answer {
  const status = isAnswered(exchange) ? (exchange.response?.status ?? 0) : 0;
  return { exchange, status, ok: isOk(status), json: body?.value, text: body?.text ?? '' };
}

/** Returns the first value of a response header. */
export const header = (exchange: Exchange, name: string): string | undefined =>
  exchange.response?.headers.find(([field]) => field.toLowerCase() === name)?.[1];

/** Whether the service itself responded, rather than a gateway that could not reach it. */
export const isAnswered = ({ response, failure }: Exchange): boolean =>
  response !== undefined && failure === undefined;

/** Returns the end of an exchange, in milliseconds of the run; 0 if it was not sent. */
export const endOf = (exchange?: Pick<Exchange, 'at' | 'duration'>): number =>
  exchange === undefined ? 0 : exchange.at + exchange.duration;

/** Whether a status is a 2xx. */
export const isOk = (status = 0): boolean => status >= 200 && status < 300;

/** Whether the status of the response is a 2xx. */
export const isSuccess = ({ response }: Exchange): boolean => isOk(response?.status);

/** Whether the service failed. A 503 only asks to retry later. */
export function isServerError({ response }: Exchange): boolean {
  const status = response?.status ?? 0;
  return status >= 500 && status !== 503;
}

/** Whether the response asks to retry later (RFC 6585 section 4, RFC 9110 section 15.6.4). */
export function asksToWait({
  response,
  elsewhere,
}: Pick<Exchange, 'response' | 'elsewhere'>): boolean {
  if (response?.status === 503) return !elsewhere;
  return response?.status === 429;
}

/** Whether a response shows the result of its request: a 503 and a gateway's response do not. */
export const isTelling = (exchange: Exchange): boolean =>
  isAnswered(exchange) && !asksToWait(exchange);

/** Whether the suite itself aborts a request before the response. */
export const isAborted = ({ framing }: Request): boolean => framing?.startsWith('aborted') === true;

/** Whether an attempt that was not aborted got no response, or the last one shows no result. */
export function isLost(exchange: Exchange): boolean {
  if (isAborted(exchange.request)) return false;
  return !isAnswered(exchange) || (exchange.lost ?? 0) > 0 || asksToWait(exchange);
}
