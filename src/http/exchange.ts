/** A request as it is declared: where the key goes stands a mark of key.ts, so this may be kept and printed. */
export interface Request {
  method: 'GET' | 'POST';
  /** The path and query on the target's origin, sent as it stands. */
  path: string;
  /** Sent in this order and case. */
  headers: Record<string, string>;
  body?: string;
  /** Whether `body` is only the beginning of what was sent: in reports alone. */
  cut?: true;
  /**
   * How the body goes out: in chunks, or with its length but in several packets, or each byte in one. `aborted`: the
   * suite closes the connection after half of the body, after its first byte, or after all of it; of a
   * request without a body, before the response. Absent: with its length, at once.
   */
  framing?:
    | 'chunked'
    | 'packets'
    | 'bytes'
    | 'aborted'
    | 'aborted at the head'
    | 'aborted at the end';
  /**
   * Absent: a GET goes on a kept connection and a POST on a new one, because a lost POST can't be repeated. Requests of
   * one lane have a connection of their own, one after the other.
   */
  connection?: Connection;
}

/** A connection of its own, by a number. */
export type Lane = `lane ${number}`;

export type Connection = 'kept' | 'new' | Lane;

/** The lane of lists at the end, which is open while other requests are sent: each of its own takes its turn. */
export const LISTS: Lane = 'lane 0';

export const isLane = (connection: Connection = 'kept'): connection is Lane =>
  connection.startsWith('lane ');

export interface Response {
  status: number;
  /** As received, in order. */
  headers: [name: string, value: string][];
  /** The beginning of the decoded body. */
  body: string;
  /** Bytes of the decoded body that were read. */
  bodyBytes: number;
  /** Whether reading stopped before the end of the body, at the suite's own limit. */
  cut?: true;
  /**
   * Why the body of a 2xx is no JSON text in UTF-8; absent when it is one, when there is none, or when nobody parsed
   * it.
   */
  jsonFault?: string;
  byteOrderMark: boolean;
  /** Whether the key stands in the body. */
  keyInBody: boolean;
  /** Whether the key stands in a header. */
  keyInHeader: boolean;
}

/**
 * One request and what came back, as it came over the wire: an answer may hold the key. What leaves the suite is a
 * ShownExchange.
 */
export interface Exchange {
  /** Counts the exchanges of a run from 1, in the order in which they were sent. */
  id: number;
  request: Request;
  /** Whether it is a valid request of an operation, so that its response must be right. */
  isValid?: true;
  /** Whether it asks at no address of the interface: a proxy that knows nobody there may respond 503, or not at all. */
  elsewhere?: true;
  /** Absent when no answer came: see `failure`. */
  response?: Response;
  /** Why no answer came, or why the one that came is not the service's own (a gateway's 502 or 504). */
  failure?: string;
  /** Milliseconds from the start of the run to the sending of the (last) request. */
  at: number;
  /** Milliseconds from sending to the end of the body, without waits for 429 and 503. */
  duration: number;
  /** Milliseconds from sending to the head of the answer; absent when none came. */
  wait?: number;
  /** How often it was sent: again after 429, and a GET also after 503, 502, 504 and a lost connection. */
  attempts: number;
  /** How many of these got no answer, or only a gateway's; absent where all got one. */
  lost?: number;
  /** The status of an earlier response with the key in its body: a 429 or a 503, after which it was sent again. */
  keyBefore?: number;
}

declare const SHOWN: unique symbol;

/** An exchange without the key, and shortened: only `shown` of a client makes one, and reports take no other. */
export type ShownExchange = Exchange & { readonly [SHOWN]: true };

/** What came back, for the step that asked; only the exchange is kept. */
export type Answer = ReturnType<typeof answerOf>;

/** The first value of a response's header, or undefined. */
export const header = (exchange: Exchange, name: string): string | undefined =>
  exchange.response?.headers.find(([field]) => field.toLowerCase() === name)?.[1];

/** Whether the service itself answered; a gateway that could not reach it did not. */
export const isAnswered = ({ response, failure }: Exchange): boolean =>
  response !== undefined && failure === undefined;

/** When the response was complete, or given up, in milliseconds of the run; 0 of what was not sent. */
export const endOf = (exchange?: Pick<Exchange, 'at' | 'duration'>): number =>
  exchange === undefined ? 0 : exchange.at + exchange.duration;

/** Whether a status is a 2xx. */
export const isOk = (status = 0): boolean => status >= 200 && status < 300;

/** Whether an exchange was answered with a 2xx status. */
export const isSuccess = ({ response }: Exchange): boolean => isOk(response?.status);

/** Whether the service itself failed; a 503 asks to come back later. */
export function isServerError({ response }: Exchange): boolean {
  const status = response?.status ?? 0;
  return status >= 500 && status !== 503;
}

/** Whether the response asks to come back later (RFC 6585 section 4, RFC 9110 section 15.6.4). */
export const asksToWait = ({
  response,
  elsewhere,
}: Pick<Exchange, 'response' | 'elsewhere'>): boolean =>
  response?.status === 429 || (response?.status === 503 && !elsewhere);

/** Whether a response tells what became of its request: not if there is none, or a 503, or a gateway's. */
export const isTelling = (exchange: Exchange): boolean =>
  isAnswered(exchange) && !asksToWait(exchange);

/** Whether the suite itself gives a request up before the response. */
export const isAborted = ({ framing }: Request): boolean => framing?.startsWith('aborted') === true;

/** Whether a request that was waited for got no answer, at first or at all, or one that says nothing of it. */
export function isLost(exchange: Exchange): boolean {
  if (isAborted(exchange.request)) return false;
  return !isAnswered(exchange) || (exchange.lost ?? 0) > 0 || asksToWait(exchange);
}

/**
 * The answer of an exchange, with its body where one was read. `status` is 0 where no answer came, or only a gateway's;
 * `json` is the parsed body, of a list without its items, and undefined where there is none or it is no JSON; `text` is
 * of a list no more than its beginning.
 */
export function answerOf(exchange: Exchange, body?: { value: unknown; text: string }) {
  const status = isAnswered(exchange) ? (exchange.response?.status ?? 0) : 0;
  return { exchange, status, ok: isOk(status), json: body?.value, text: body?.text ?? '' };
}

/**
 * How long the slowest of some exchanges took, in milliseconds; 0 of none. A record is too long for arguments of a
 * call.
 */
export const slowest = (record: readonly Exchange[]): number =>
  record.reduce((most, { duration }) => Math.max(most, duration), 0);
