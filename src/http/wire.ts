import { Readable } from 'node:stream';
import { suitePackage } from '../settings/package.ts';
import type { Header, Target } from '../settings/target.ts';
import type { Connections } from './connections.ts';
import { type Deadline, startTurnTimer } from './deadline.ts';
import { type Exchange, isAborted, type Request } from './exchange.ts';
import { fillIn, HEADER_VALUE } from './key.ts';
import { CONCURRENCY } from './pace.ts';
import { type ArriveAndWait, inBurst, inPackets } from './pieces.ts';
import { type BodyKind, makeResponseReader, type ReadResponse } from './response.ts';
import type { Secrets } from './secrets.ts';

/** The options of one attempt. */
export interface SendOptions {
  /** Whether it uses a new connection, whatever the request asks for. */
  onNew: boolean;
  /** The barrier of the burst that the request is in. */
  arriveAndWait?: ArriveAndWait | undefined;
  /** The timeout of the connection, and again of the response, in milliseconds. */
  timeoutMs: number;
}

/** The parts of a client that sending needs. */
interface SendingRun {
  secrets: Secrets;
  deadline: Deadline;
  /** Returns the milliseconds since the run began. */
  now: () => number;
}

/**
 * Sends the request of an exchange once. Records the response and its times in the exchange. Throws
 * undici's error, a TimeoutError, or Unreadable.
 */
export type SendOnce = (
  exchange: Exchange,
  bodyKind: BodyKind,
  options: SendOptions,
) => Promise<ReadResponse>;

/**
 * Turns of the event loop in a timeout, at least. A service in the same process may accept one
 * connection in each turn, and needs a few more for the response.
 */
const TURNS = CONCURRENCY + 16;

const CLOSED_BY_SUITE = 'the suite closed the connection before the response';

/** Makes the only function that inserts the key. `bodyLimit` is the bytes of a list. */
export function makeSendOnce(
  target: Target,
  bodyLimit: number,
  connections: Connections,
  { secrets, deadline, now }: SendingRun,
): SendOnce {
  const { apiKey, headers: addedHeaders = [] } = target;
  const { origin } = new URL(target.baseUrl);
  const reader = makeResponseReader(secrets, bodyLimit);

  /** Returns the headers with secrets in place of their marks. */
  function filledHeaders(headers: Request['headers']): Record<string, string> {
    const fields = Object.entries(headers).map(([name, value]) => {
      return [name, fillInHeader(name, fillIn(value, apiKey), addedHeaders)];
    });
    return Object.fromEntries(fields);
  }

  return async (exchange, bodyKind, { onNew, arriveAndWait, timeoutMs }) => {
    const { request } = exchange;
    const { method, body, framing } = request;
    const hasPlainBody = body !== undefined && framing === undefined;
    const waitsWithinBody = arriveAndWait !== undefined && hasPlainBody;
    if (!waitsWithinBody) await arriveAndWait?.();
    const isCutShort = isAborted(request);
    const connection = onNew ? 'new' : connectionOf(request);
    const { send, noteWritten } = connections.assign(connection, isCutShort);
    exchange.at = Math.round(now());
    const controller = new AbortController();
    const timer = startTurnTimer(timeoutMs, TURNS, () =>
      controller.abort(new DOMException('timed out', 'TimeoutError')),
    );
    const abort = () => controller.abort();
    deadline.signal.addEventListener('abort', abort);
    const onWhole = () => {
      noteWritten();
      timer.restart();
      if (isCutShort && body === undefined) {
        // The request is written by then. A turn later, a fast service may have responded.
        process.nextTick(() => controller.abort(new Error(CLOSED_BY_SUITE)));
      }
      exchange.at = Math.round(now());
    };
    try {
      const text = body && fillIn(body, apiKey, escapeInString);
      const pieces = piecesOf(text, framing, arriveAndWait, onWhole);
      const hasLength = pieces !== undefined && framing !== 'chunked';
      const raw = await send({
        origin,
        method,
        path: fillIn(request.path, apiKey, encodeURIComponent),
        headers: {
          ...filledHeaders(request.headers),
          ...(hasLength && { 'content-length': `${Buffer.byteLength(text ?? '')}` }),
        },
        // The request reports an error of its body.
        body: pieces ? Readable.from(pieces).on('error', () => {}) : (text ?? null),
        signal: controller.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
        // A body in pieces calls `onWhole` itself.
        onWrite: pieces ? () => {} : onWhole,
        onHead: (status) => {
          exchange.wait = Math.max(0, Math.round(now() - exchange.at));
          return reader.limitOf(status, bodyKind);
        },
      });
      const read = await reader.read(raw, bodyKind);
      exchange.response = read.response;
      // While a long body is read, the timer of the deadline cannot fire.
      deadline.check();
      return read;
    } finally {
      timer.stop();
      deadline.signal.removeEventListener('abort', abort);
      void arriveAndWait?.();
    }
  };
}

/** A POST gets a new connection: a pooled one may be closed, and a lost POST can't be repeated. */
function connectionOf({ method, connection }: Request) {
  return connection ?? (method === 'GET' ? 'kept' : 'new');
}

/** Escapes a value for a place within a JSON string. */
const escapeInString = (value: string): string => JSON.stringify(value).slice(1, -1);

function piecesOf(
  text: string | undefined,
  framing: Request['framing'],
  arriveAndWait: ArriveAndWait | undefined,
  onWhole: () => void,
): AsyncGenerator<Buffer> | undefined {
  if (text === undefined) return undefined;
  if (framing) return inPackets(text, framing, onWhole);
  return arriveAndWait && inBurst(text, arriveAndWait, onWhole);
}

/** The name and version of the suite, by which an operator finds a run in the service's log. */
export const USER_AGENT = `${suitePackage.name}/${suitePackage.version}`;

/**
 * Returns a request with a User-Agent, unless it has one, and with the headers of the settings. A
 * mark stands in place of each value; cookies are joined.
 */
export function withHeaders(
  request: Request,
  userAgent: string,
  headers: readonly Header[],
): Request {
  const fields = { ...request.headers };
  const findName = (name: string) =>
    Object.keys(fields).find((field) => field.toLowerCase() === name.toLowerCase());
  if (findName('user-agent') === undefined) fields['user-agent'] = userAgent;
  for (const { name } of headers) {
    const previous = findName(name);
    const isCookie = /^cookie$/i.test(name);
    const value = previous && isCookie ? `${fields[previous]}; ${HEADER_VALUE}` : HEADER_VALUE;
    if (previous) delete fields[previous];
    fields[name] = value;
  }
  return { ...request, headers: fields };
}

/** Replaces the mark in a header by the value of the settings. */
export function fillInHeader(name: string, value: string, headers: readonly Header[]): string {
  const header = headers.find((field) => field.name.toLowerCase() === name.toLowerCase());
  return header ? value.replace(HEADER_VALUE, () => header.value) : value;
}
