/** A request as a check writes it: where the key goes stands a mark of key.ts, so this may be kept and printed. */
export interface Request {
  method: 'GET' | 'POST';
  /** The path and query on the target's origin, sent as it stands. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Response {
  status: number;
  /** As received, in order; redacted and shortened. */
  headers: [name: string, value: string][];
  /** The beginning of the decoded body, redacted. */
  body: string;
  /** Bytes of the whole decoded body. */
  bodyBytes: number;
  /** Why the body is no JSON text in UTF-8; absent when it is one, or when there is no body. */
  jsonFault?: string;
  byteOrderMark: boolean;
  /** Whether the key stood in the body, before it was redacted. */
  keyInBody: boolean;
  /** Whether the key stood in a header, before it was redacted. */
  keyInHeader: boolean;
}

/** One request and what came back: plain data without the key. */
export interface Exchange {
  /** Counts the exchanges of a run from 1. */
  id: number;
  request: Request;
  /** Absent when no answer came: see `failure`. */
  response?: Response;
  /** Why no answer came. */
  failure?: string;
  /** Milliseconds from the start of the run to the sending of the (last) request. */
  at: number;
  /** Milliseconds from sending to the end of the body, without waits for 429 and 503. */
  duration: number;
  /** Milliseconds from sending to the head of the answer; absent when none came. */
  wait?: number;
  /** How often it was sent: again after 429 and 503, and once after a lost connection if it was a GET. */
  attempts: number;
}

/** An exchange that was answered, with the whole body for the check that asked; the record keeps the exchange only. */
export interface Answer {
  exchange: Exchange;
  status: number;
  ok: boolean;
  /** The parsed body, or undefined where there is none or it is no JSON; a large integer is a bigint. */
  json: unknown;
  /** The body's text where the status is not 2xx: a refusal need not be JSON. */
  refusal: string;
}

/** The first value of a response's header, or undefined. */
export function header(exchange: Exchange, name: string): string | undefined {
  return exchange.response?.headers.find(([field]) => field.toLowerCase() === name)?.[1];
}

/** Whether an exchange was answered with a 2xx status. */
export function isSuccess({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** Whether a status says that the request was not carried out and may be sent again later (RFC 6585, RFC 9110). */
export function asksToWait(status: number): boolean {
  return status === 429 || status === 503;
}

/** `GET /v1/users → 200`: an exchange in a few words. */
export function brief({ request, response, failure }: Exchange): string {
  return `${request.method} ${shorten(request.path, 80)} → ${response?.status ?? failure}`;
}

/** Shortens a long text and says how long it was. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** A value from a target, as short JSON for a message. */
export function show(value: unknown): string {
  return shorten(value === undefined ? 'nothing' : JSON.stringify(value, digits), 120);
}
