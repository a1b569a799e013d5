import { Readable } from 'node:stream';
import type { Header, Target } from '../settings/target.ts';
import type { connectionsBy } from './connections.ts';
import { type Deadline, timerInTurns } from './deadline.ts';
import { type Exchange, isAborted, type Request } from './exchange.ts';
import { fillIn, HEADER_VALUE } from './key.ts';
import { CONCURRENCY } from './pace.ts';
import { heldBack, inPackets, type Ready } from './pieces.ts';
import { responseReader, type Wanted } from './response.ts';
import type { Secrets } from './secrets.ts';

/** How a request goes out. */
export interface Way {
  /** Whether it goes on a new connection, whatever it asks for. */
  onNew: boolean;
  /** Says that it is ready, where it is one of a burst. */
  ready?: Ready | undefined;
  /** How long the connection may take, and then the answer. Milliseconds. */
  timeoutMs: number;
}

/**
 * Turns of the event loop at least in a time-out: a service in the same process may take in one connection in each, and
 * its answer takes a few more.
 */
const TURNS = CONCURRENCY + 16;

const GIVEN_UP = 'the suite closed the connection before the response';

/** Makes the one place that knows the key; `bodyLimit` is bytes of what may be very long, `now` the time of the run. */
export function wireTo(
  { baseUrl, apiKey, headers: added = [] }: Target,
  bodyLimit: number,
  connections: ReturnType<typeof connectionsBy>,
  { secrets, deadline, now }: { secrets: Secrets; deadline: Deadline; now: () => number },
) {
  const { origin } = new URL(baseUrl);
  const reader = responseReader(secrets, bodyLimit);

  /** The headers as they go out; a mark stands for each secret. */
  const filledIn = (headers: Request['headers']) =>
    Object.entries(headers).map(([name, value]) => [
      name,
      fillInHeader(name, fillIn(value, apiKey), added),
    ]);

  /**
   * Sends the request of an exchange once, and notes the answer and its times there. The time-out counts for the
   * connection, and again for the answer. Returns what was read. Throws undici's error, a TimeoutError, or Unreadable.
   */
  return async (exchange: Exchange, wanted: Wanted, { onNew, ready, timeoutMs }: Way) => {
    const { method, path, headers, body, framing, connection } = exchange.request;
    const isHeld = ready !== undefined && body !== undefined && framing === undefined;
    if (!isHeld) await ready?.();
    // A lost POST can't be repeated, and a connection that is kept may be closed.
    const usual = method === 'GET' ? 'kept' : 'new';
    const isCutShort = isAborted(exchange.request);
    const { send, written } = connections.carry(onNew ? 'new' : (connection ?? usual), isCutShort);
    exchange.at = Math.round(now());
    const abort = new AbortController();
    const timer = timerInTurns(timeoutMs, TURNS, () =>
      abort.abort(new DOMException('timed out', 'TimeoutError')),
    );
    const end = () => abort.abort();
    deadline.signal.addEventListener('abort', end);
    const onWhole = () => {
      written();
      timer.restart();
      // It is written by the next turn, and the fastest response comes later.
      if (isCutShort && body === undefined) setImmediate(() => abort.abort(new Error(GIVEN_UP)));
      exchange.at = Math.round(now());
    };
    try {
      const text = body && fillIn(body, apiKey, (value) => JSON.stringify(value).slice(1, -1));
      const pieces =
        text !== undefined &&
        (framing ? inPackets(text, framing, onWhole) : ready && heldBack(text, ready, onWhole));
      const length = pieces &&
        framing !== 'chunked' && { 'content-length': `${Buffer.byteLength(text)}` };
      const received = await send({
        ...{ origin, method, signal: abort.signal, headersTimeout: 0, bodyTimeout: 0 },
        path: fillIn(path, apiKey, encodeURIComponent),
        headers: { ...Object.fromEntries(filledIn(headers)), ...length },
        // The request tells of what its body ends with.
        body: pieces ? Readable.from(pieces).on('error', () => {}) : (text ?? null),
        // What goes out in pieces waits for nothing as long as it is not whole.
        onWrite: pieces ? () => {} : onWhole,
        onHead: (status) => {
          exchange.wait = Math.max(0, Math.round(now() - exchange.at));
          return reader.limitOf(status, wanted);
        },
      });
      const read = await reader.read(received, wanted);
      exchange.response = read.response;
      // Much to read keeps the timer of the deadline from its turn.
      deadline.check();
      return read;
    } finally {
      timer.stop();
      deadline.signal.removeEventListener('abort', end);
      void ready?.();
    }
  };
}

/**
 * The name of a usual client of such an interface: nothing in a run's requests says that they come from a test.
 */
export const USER_AGENT = 'axios/1.7.9';

/**
 * A request with the name of a client, unless it has one, and the headers that go with all of them: a mark in the place
 * of each value; cookies are put together.
 */
export function withHeaders(
  request: Request,
  userAgent: string,
  headers: readonly Header[],
): Request {
  const all = { ...request.headers };
  const nameIn = (name: string) =>
    Object.keys(all).find((other) => other.toLowerCase() === name.toLowerCase());
  if (nameIn('user-agent') === undefined) all['user-agent'] = userAgent;
  for (const { name } of headers) {
    const same = nameIn(name);
    const value = same && /^cookie$/i.test(name) ? `${all[same]}; ${HEADER_VALUE}` : HEADER_VALUE;
    if (same) delete all[same];
    all[name] = value;
  }
  return { ...request, headers: all };
}

/** The value of a request's header, with that of the settings in the place of its mark. */
export function fillInHeader(name: string, value: string, headers: readonly Header[]): string {
  const own = headers.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return own ? value.replace(HEADER_VALUE, () => own.value) : value;
}
