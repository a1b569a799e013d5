import { startTurnTimer, type TurnTimer } from './deadline.ts';
import { type Connection, isLane, type Lane } from './exchange.ts';
import { isClosedConnection } from './failure.ts';
import type { MakeSender, OutgoingRequest, RawResponse, Sender } from './senders.ts';

/** The connections to a target. */
export interface Connections {
  /** Assigns a connection to a request. `isCutShort`: the suite itself closes it. */
  assign: (connection: Connection, isCutShort: boolean) => AssignedConnection;
  /** Closes idle connections. Returns whether there were any. */
  closeIdle: () => boolean;
  closeLane: (lane: Lane) => void;
  /** Aborts all requests and closes all connections. */
  close: () => Promise<void>;
}

/** The connection of one request. */
export interface AssignedConnection {
  /** Notes that the whole request is written, which may be after its response. */
  noteWritten: () => void;
  /** Sends the request. Resolves with its response. */
  send: (request: OutgoingRequest) => Promise<RawResponse>;
}

/** A sender and its use. */
interface Pool {
  sender: Sender;
  /** Requests in flight. */
  busy: number;
  /** Whether a request has ended, so that a pooled connection may be idle. */
  isUsed: boolean;
}

/**
 * Concurrent requests to a target that takes few connections: they fit into the shortest queue of
 * connections, which holds five.
 */
const FEW = 4;

/** Turns of the event loop in a timer, at least, because the suite may be busy itself. */
const TURNS = 10;

/**
 * The longest time for a connection to a nearby target. If the target's queue is full, TCP tries
 * again after a second.
 */
const CONNECT_MS = 500;

/** The longest time for a connection to a distant target, as a multiple of the first. */
const CONNECT_FACTOR = 4;

/** New connections that are closed without a response until this counts as a limit. */
const CLOSED_TIMES = 4;

/**
 * Makes the connections to a target. Usually there are as many as concurrent requests, and they are
 * pooled. A prefork server has few workers and gives each to one connection, so idle connections
 * may block it. Then only lanes keep theirs. `onFew` is called with the reason and the number of
 * concurrent requests if the target takes few connections.
 */
export function makeConnections(
  makeSender: MakeSender,
  onFew: (reason: string, limit: number) => void,
): Connections {
  const pools = new Map<Connection, Pool>();
  /** The longest time for a connection, in milliseconds; undefined before the first. */
  let connectMs: number | undefined;
  let keepsOnlyLanes = false;
  /** The number of connections that the target accepts, as far as is known. */
  let limit = Number.POSITIVE_INFINITY;
  let closedTimes = 0;
  const silence = new SilenceWatch(closeIdle, () =>
    keepOnlyLanes('idle connections keep its workers from others'),
  );

  function poolOf(connection: Connection): Pool {
    const existing = pools.get(connection);
    if (existing) return existing;
    const pool = { sender: makeSender(connection), busy: 0, isUsed: false };
    pools.set(connection, pool);
    return pool;
  }

  /** Closes a pool. Its connections with a request in flight close after the response. */
  function closePool(connection: Connection): void {
    const pool = pools.get(connection);
    // `close` rejects if the sender is destroyed before the last response.
    pool?.sender.close().catch(() => {});
    pools.delete(connection);
  }

  function isIdle(connection: Connection, { busy, isUsed }: Pool): boolean {
    // An idle lane only matters if it holds a worker.
    if (isLane(connection)) return keepsOnlyLanes && busy === 0;
    return connection === 'kept' && isUsed;
  }

  function closeIdle(): boolean {
    const idle = [...pools].filter(([connection, pool]) => isIdle(connection, pool));
    for (const [connection] of idle) closePool(connection);
    return idle.length > 0;
  }

  function keepOnlyLanes(reason: string): void {
    keepsOnlyLanes = true;
    closePool('kept');
    onFew(reason, Math.min(limit, FEW));
  }

  /**
   * Slows down if a connection is not accepted in time. The queue of the target may be full: in the
   * standard library of Python it holds five. TCP then tries again after one second, three, and so
   * on.
   */
  const onSlowConnect = () => onFew('connections are taken slowly', FEW);

  /** Notes a new connection that was closed without a response. */
  function noteClosed(): void {
    closedTimes += 1;
    // A server may also close a connection because of an unusual request.
    if (closedTimes < CLOSED_TIMES || limit === 1) return;
    closedTimes = 0;
    limit = limit > FEW ? FEW : 1;
    keepOnlyLanes('connections beyond a few are closed');
  }

  function assign(connection: Connection, isCutShort: boolean): AssignedConnection {
    const pool = poolOf(keepsOnlyLanes && connection === 'kept' ? 'new' : connection);
    pool.busy += 1;
    const limitAtStart = limit;
    const startedAt = performance.now();
    // A request of a lane waits for the one before it, not for its connection.
    const isConnecting = !isLane(connection);
    let connectTimer: TurnTimer | undefined;
    if (isConnecting && connectMs !== undefined) {
      connectTimer = startTurnTimer(connectMs, TURNS, onSlowConnect);
    }
    let stopWaiting: StopWaiting | undefined;
    let isOver = false;

    function noteConnected(): void {
      connectTimer?.stop();
      if (!isConnecting) return;
      connectMs ??= Math.max(CONNECT_MS, CONNECT_FACTOR * (performance.now() - startedAt));
    }

    async function send(request: OutgoingRequest): Promise<RawResponse> {
      try {
        return await pool.sender.request({
          ...request,
          onWrite: () => {
            noteConnected();
            request.onWrite?.();
          },
          onHead: (status) => {
            stopWaiting?.(true);
            return request.onHead(status);
          },
        });
      } catch (error) {
        const isUnexpected = isClosedConnection(error) && !isCutShort;
        if (isUnexpected && connection === 'new' && limitAtStart === limit) noteClosed();
        throw error;
      } finally {
        connectTimer?.stop();
        isOver = true;
        stopWaiting?.(false);
        pool.busy -= 1;
        pool.isUsed = true;
      }
    }

    return {
      noteWritten: () => {
        if (!isOver) stopWaiting = silence.startWaiting();
      },
      send,
    };
  }

  return {
    assign,
    closeIdle,
    closeLane: closePool,
    close: async () => {
      const senders = [...pools.values()].map(({ sender }) => sender);
      await Promise.all(senders.map((sender) => sender.destroy()));
    },
  };
}

/**
 * The longest silence of a nearby target before idle connections are closed. The second one is
 * longer, so that slow requests are not mistaken for blocked workers.
 */
const SILENCES_MS = [150, 400];

/** The longest silence as a multiple of the time of the fastest response. */
const SILENCE_FACTOR = 3;

/**
 * The longest time between the closing of connections and a response that follows from it. Also the
 * allowed silence once this is known. Milliseconds.
 */
const SOON_MS = 50;

/** Ends the wait for a response, which has come or not. Only the first call counts. */
type StopWaiting = (hasResponse: boolean) => void;

/**
 * A watch for a target that is silent because idle connections hold its workers: it closes them and
 * checks whether a response soon follows.
 */
class SilenceWatch {
  readonly #closeIdle: () => boolean;
  readonly #onBlocked: () => void;
  /** Requests that are written and have no response yet. */
  #waiting = 0;
  #fastestMs = Number.POSITIVE_INFINITY;
  #timer: TurnTimer | undefined;
  #closedAt: number | undefined;
  #helpedTimes = 0;

  /** `onBlocked` is called once it is certain that idle connections hold workers. */
  constructor(closeIdle: () => boolean, onBlocked: () => void) {
    this.#closeIdle = closeIdle;
    this.#onBlocked = onBlocked;
  }

  /** Starts to wait for the response to a request that was just written. */
  startWaiting(): StopWaiting {
    const writtenAt = performance.now();
    let isOver = false;
    this.#waiting += 1;
    if (this.#timer === undefined) this.#startTimer();
    return (hasResponse) => {
      if (isOver) return;
      isOver = true;
      this.#waiting -= 1;
      if (hasResponse) this.#noteResponse(performance.now() - writtenAt);
      this.#startTimer();
    };
  }

  #startTimer(): void {
    this.#timer?.stop();
    this.#timer = undefined;
    if (this.#waiting === 0 || !Number.isFinite(this.#fastestMs)) return;
    const leastMs = SILENCES_MS[this.#helpedTimes] ?? SOON_MS;
    const silenceMs = Math.max(leastMs, SILENCE_FACTOR * this.#fastestMs);
    this.#timer = startTurnTimer(silenceMs, TURNS, () => {
      if (!this.#closeIdle()) return;
      this.#closedAt = performance.now();
      this.#startTimer();
    });
  }

  #noteResponse(durationMs: number): void {
    this.#fastestMs = Math.min(this.#fastestMs, durationMs);
    if (this.#closedAt === undefined) return;
    const sinceClosedMs = performance.now() - this.#closedAt;
    this.#closedAt = undefined;
    if (sinceClosedMs <= Math.max(SOON_MS, this.#fastestMs)) {
      this.#helpedTimes += 1;
      // A single time may be chance.
      if (this.#helpedTimes === SILENCES_MS.length) this.#onBlocked();
      return;
    }
    if (this.#helpedTimes < SILENCES_MS.length) this.#helpedTimes = 0;
  }
}
