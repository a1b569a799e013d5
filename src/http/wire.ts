import { Readable } from 'node:stream';
import { CONCURRENCY } from '../settings/limits.ts';
import type { Target } from '../settings/settings.ts';
import { fillInHeader } from './added-headers.ts';
import type { Connections } from './connections.ts';
import type { Deadline } from './deadline.ts';
import type { Exchange, Request } from './exchange.ts';
import { fillIn } from './key.ts';
import { givingUp, heldBack, inPackets, type Ready } from './pieces.ts';
import { responseReader, type Wanted } from './response.ts';
import type { Secrets } from './secrets.ts';
import { timerInTurns } from './turns.ts';

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

/** Makes the one place that knows the key; `bodyLimit` is bytes of what may be very long, `now` the time of the run. */
export function wireTo(
  { baseUrl, apiKey, headers: added = [] }: Target,
  bodyLimit: number,
  connections: Connections,
  { secrets, deadline, now }: { secrets: Secrets; deadline: Deadline; now: () => number },
) {
  const { origin } = new URL(baseUrl);
  const reader = responseReader(secrets, bodyLimit);

  const optionsOf = (request: Request, pieces?: (text: string) => AsyncIterable<Buffer>) => {
    const { method, path, headers, body, framing } = request;
    const text = body && fillIn(body, apiKey, (value) => JSON.stringify(value).slice(1, -1));
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

  /**
   * Sends the request of an exchange once, and notes the answer and its times there. The time-out counts for the
   * connection, and again for the answer. Returns what was read. Throws undici's error, a TimeoutError, or Unreadable.
   */
  return async (exchange: Exchange, wanted: Wanted, { onNew, ready, timeoutMs }: Way) => {
    const { request } = exchange;
    const { framing } = request;
    const isHeld = ready !== undefined && request.body !== undefined && framing === undefined;
    if (!isHeld) await ready?.();
    // A lost POST can't be repeated, and a connection that is kept may be closed.
    const usual = request.method === 'GET' ? 'kept' : 'new';
    const connection = onNew ? 'new' : (request.connection ?? usual);
    const isCutShort = framing === 'aborted';
    const givenUp = isCutShort && request.body === undefined ? givingUp() : undefined;
    const { send, written } = connections.carry(connection, isCutShort);
    exchange.at = Math.round(now());
    return withTimeout(timeoutMs, deadline, async (signal, restart) => {
      const onWhole = () => {
        written();
        restart();
        givenUp?.start();
        exchange.at = Math.round(now());
      };
      const inPieces = isHeld
        ? (text: string) => heldBack(text, ready, onWhole)
        : framing && ((text: string) => inPackets(text, framing, onWhole));
      const isInPieces = inPieces !== undefined && request.body !== undefined;
      const received = await send({
        ...optionsOf(request, inPieces),
        signal: givenUp ? AbortSignal.any([signal, givenUp.signal]) : signal,
        // What goes out in pieces waits for nothing as long as it is not whole.
        onWrite: isInPieces ? () => {} : onWhole,
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
    }).finally(() => void ready?.());
  };
}

/** Sends with a time-out, which `restart` begins anew, and to the end of the run at most. */
async function withTimeout<T>(
  timeoutMs: number,
  deadline: Deadline,
  send: (signal: AbortSignal, restart: () => void) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const timer = timerInTurns(timeoutMs, TURNS, () => abort.abort(new DOMException('timed out', 'TimeoutError')));
  const end = () => abort.abort();
  deadline.signal.addEventListener('abort', end);
  try {
    return await send(abort.signal, timer.restart);
  } finally {
    timer.stop();
    deadline.signal.removeEventListener('abort', end);
  }
}
