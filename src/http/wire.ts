import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { CONCURRENCY, RECORD_LIMIT } from '../settings/limits.ts';
import type { Target } from '../settings/settings.ts';
import { fillInHeader } from './added-headers.ts';
import { type Body, NOTHING, readBody, Unreadable } from './body.ts';
import { heldBack, type Place } from './burst.ts';
import { Connections } from './connections.ts';
import type { Deadline } from './deadline.ts';
import type { Dispatchers, Outgoing } from './dispatchers.ts';
import type { Exchange, Request } from './exchange.ts';
import { isClosedConnection, TIMED_OUT } from './failure.ts';
import { parseJson } from './json.ts';
import { fillIn } from './key.ts';
import { byteByByte, halfOf, inPieces } from './packets.ts';
import { responseKeeper } from './response-keeper.ts';
import type { ResponseStream } from './response-stream.ts';
import type { Secrets } from './secrets.ts';

/** What is read of an answer: JSON, also where that is a refusal; text that nobody parses; or JSON that may be very long. */
export type Wanted = 'record' | 'text' | 'list';

/** What came back from one attempt; the exchange has the rest. */
export interface Received {
  status: number;
  /** The parsed body, or undefined where there is none or it is no JSON. */
  json: unknown;
  text: string;
  retryAfter: string | undefined;
}

/** How a request goes out. */
export interface Way {
  /** Whether it goes on a new connection, whatever it asks for. */
  onNew: boolean;
  /** Its place in a burst. */
  place?: Place | undefined;
  /** How long the connection may take, and then the answer. Milliseconds. */
  timeoutMs: number;
  /** The time of the run. */
  now: () => number;
}

/**
 * Turns of the event loop at least in a time-out: a service in the same process may take in one connection in each, and its answer
 * takes a few more.
 */
const TURNS = CONCURRENCY + 16;

/** Puts requests on the wire. */
export interface Wire {
  connections: Connections;
  /**
   * Sends the request of an exchange once, and notes the answer and its times there. The time-out counts for the connection, and
   * again for the answer. Throws undici's error, one with the message TIMED_OUT, or Unreadable.
   */
  send: (exchange: Exchange, wanted: Wanted, way: Way) => Promise<Received>;
}

/** Makes the one place that knows the key; `bodyLimit` is bytes of what may be very long. */
export function wireTo(
  { baseUrl, apiKey, headers: added = [] }: Target,
  bodyLimit: number,
  secrets: Secrets,
  dispatchers: Dispatchers,
  deadline: Deadline,
): Wire {
  const { origin } = new URL(baseUrl);
  const keep = responseKeeper(secrets);
  const connections = new Connections(dispatchers);

  const send = async (exchange: Exchange, wanted: Wanted, { onNew, place, now, timeoutMs }: Way): Promise<Received> => {
    const { request } = exchange;
    const isHeld = place !== undefined && request.body !== undefined && request.framing === undefined;
    if (!isHeld) await place?.ready();
    // A lost POST can't be repeated, and a connection that is kept may be closed.
    const carrier = connections.carry(
      onNew ? 'new' : (request.connection ?? (request.method === 'GET' ? 'kept' : 'new')),
    );
    const begun = now();
    exchange.at = Math.round(begun);
    return withTimeout(timeoutMs, deadline, async (signal, restart) => {
      const onWhole = () => {
        carrier.written();
        restart();
        exchange.at = Math.round(now());
      };
      const options = {
        ...optionsOf(request, isHeld ? (text) => heldBack(text, place, onWhole) : undefined),
        signal,
      };
      const answer = await carrier.sender.request(options, () => {
        carrier.connected(now() - begun);
        if (!isHeld) onWhole();
      });
      carrier.answered();
      exchange.wait = Math.max(0, Math.round(now() - exchange.at));
      const headers = pairs(answer.headers);
      const value = (name: string) => headers.find(([field]) => field.toLowerCase() === name)?.[1];
      const isOk = answer.statusCode >= 200 && answer.statusCode < 300;
      const body = await bodyOf(answer.body, value('content-encoding') ?? '', wanted, isOk);
      exchange.response = keep(answer.statusCode, headers, body);
      return { status: answer.statusCode, json: body.value, text: body.text, retryAfter: value('retry-after') };
    })
      .catch((error) => {
        if (isClosedConnection(error) && request.framing !== 'aborted') carrier.closed();
        throw error;
      })
      .finally(() => {
        void place?.ready();
        carrier.over();
      });
  };

  const optionsOf = ({ method, path, headers, body, framing }: Request, inPieces?: Pieces): Outgoing => {
    const text = body && fillIn(body, apiKey, (value) => JSON.stringify(value).slice(1, -1));
    const pieces = inPieces ?? piecesOf(framing);
    const length = pieces && framing !== 'chunked' ? { 'content-length': `${Buffer.byteLength(text ?? '')}` } : {};
    const filled = Object.entries(headers).map(([name, value]) => {
      return [name, fillInHeader(name, fillIn(value, apiKey), added)] as const;
    });
    return {
      ...{ origin, method },
      path: fillIn(path, apiKey, encodeURIComponent),
      headers: { ...Object.fromEntries(filled), ...length },
      // The request tells of what its body ends with.
      body: text === undefined ? null : pieces ? Readable.from(pieces(text)).on('error', () => {}) : text,
      ...{ headersTimeout: 0, bodyTimeout: 0 },
    };
  };

  /** Reads a body. A refusal counts by its status: what can't be read of its body does no harm. */
  const bodyOf = async (body: ResponseStream, coding: string, wanted: Wanted, isOk: boolean) => {
    const limit = wanted === 'list' && isOk ? bodyLimit : RECORD_LIMIT;
    const reading = readBody(body, coding, limit, isOk && wanted !== 'text' ? 'json' : 'text');
    const read = await (isOk ? reading : reading.catch(withoutBody));
    if (read.cut && wanted === 'list' && isOk) {
      throw new Unreadable(`the body is larger than the ${limit / 2 ** 20} MiB of CONFORMANCE_BODY_LIMIT_MIB`);
    }
    const hasKey = secrets.finds(read.text);
    // Much to read keeps the timer of the deadline from its turn.
    deadline.check();
    return { ...read, hasKey, ...(!isOk && wanted === 'record' && !read.cut && { value: jsonIn(read.text) }) };
  };

  return { connections, send };
}

/** Sends with a time-out, which `restart` begins anew, and to the end of the run at most. */
async function withTimeout<T>(
  timeoutMs: number,
  deadline: Deadline,
  send: (signal: AbortSignal, restart: () => void) => Promise<T>,
): Promise<T> {
  // Not AbortSignal.timeout: one that is only held by AbortSignal.any may be collected before it fires.
  const abort = new AbortController();
  let left = TURNS;
  let isOver = false;
  const restart = () => {
    left = TURNS;
    if (!isOver) timer.refresh();
  };
  // A process that was held up for a while has not looked yet: the time passes in as many turns of its loop.
  const pass = () => {
    left -= 1;
    if (left === 0) abort.abort(new Error(TIMED_OUT));
    else if (!isOver) timer.refresh();
  };
  const timer = setTimeout(() => setImmediate(pass), timeoutMs / TURNS);
  const end = () => abort.abort();
  deadline.signal.addEventListener('abort', end);
  try {
    return await send(abort.signal, restart);
  } finally {
    isOver = true;
    clearTimeout(timer);
    deadline.signal.removeEventListener('abort', end);
  }
}

function withoutBody(error: unknown): Body {
  if (!(error instanceof Unreadable)) throw error;
  return NOTHING;
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

type Pieces = (text: string) => AsyncGenerator<Buffer>;

function piecesOf(framing: Request['framing']): Pieces | undefined {
  if (framing === 'bytes') return byteByByte;
  return framing && (framing === 'aborted' ? halfOf : inPieces);
}

function pairs(flat: string[]): [string, string][] {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as [string, string]] : []));
}
