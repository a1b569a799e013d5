import { FEW_AT_ONCE } from '../settings/limits.ts';
import type { Dispatchers, Sender } from './dispatchers.ts';
import { type Connection, isLane, type Lane } from './exchange.ts';
import { watchSilence } from './silence.ts';

export type Connections = ReturnType<typeof connectionsBy>;

/** A pool of connections, or a single one, kept for the next request. */
interface Pool {
  sender: Sender;
  /** Requests in flight. */
  busy: number;
  /** Whether a request is over, so that a connection of a pool may be idle, however many requests are in flight. */
  isUsed: boolean;
}

/** How long a connection to a target at hand takes at most: where its queue is full, TCP tries again after a second. */
const CONNECTION_MS = 500;

/** How many times as long as the first a connection may take: to a target far away each takes long. */
const FAR = 4;

/** How many new connections must be closed: a server may cut off what is odd. */
const OFTEN = 4;

/**
 * The connections to a target. Usually as many are open as there were requests at once, and kept. Where idle ones hold
 * the workers of the target (a prefork server has few, each with one connection; others are accepted and get no
 * answer), none is kept but those of lanes, until nothing is answered. `onFew` is called with the reason where the
 * target takes few connections at once, and with how many that are.
 */
export function connectionsBy(dispatchers: Dispatchers, onFew: (why: string, most: number) => void) {
  const pools = new Map<Connection, Pool>();
  /** How long a connection may take, in milliseconds; undefined before the first. */
  let mayTake: number | undefined;
  let areFew = false;
  /**
   * How many connections may be open at once, where more were closed; how many requests that knew it were closed all
   * the same.
   */
  let most = Number.POSITIVE_INFINITY;
  let closed = 0;

  /** Closes connections: those that wait for an answer after it. */
  const closePool = (connection: Connection): void => {
    // It may be destroyed while it waits for an answer.
    void pools
      .get(connection)
      ?.sender.close()
      .catch(() => {});
    pools.delete(connection);
  };

  /** Closes what is kept and idle, lanes only where it is known that they hold workers. Whether there was anything. */
  const closeIdle = (): boolean => {
    const idle = [...pools].filter(([connection, { busy, isUsed }]) =>
      isLane(connection) ? areFew && busy === 0 : isUsed,
    );
    for (const [connection] of idle) closePool(connection);
    return idle.length > 0;
  };

  /** From now on only lanes are kept. */
  const holdFew = (why: string): void => {
    areFew = true;
    for (const connection of pools.keys()) if (!isLane(connection)) closePool(connection);
    onFew(why, Math.min(most, FEW_AT_ONCE));
  };

  const watchWritten = watchSilence(closeIdle, () => holdFew('idle connections keep its workers from others'));

  /**
   * Watches whether the target takes a connection in time. Where many are opened at once and its queue holds few (five, in the
   * standard library of Python), TCP tries again after a second, after two more, and so on. Call the result with the
   * milliseconds that it took, or at the end.
   */
  const watchConnection = (): ((took?: number) => void) => {
    let isOver = false;
    // What has come meanwhile is looked at first: the suite may have been busy itself.
    const look = () => setImmediate(() => isOver || onFew('connections are taken slowly', FEW_AT_ONCE));
    const timer = mayTake === undefined ? undefined : setTimeout(look, mayTake);
    return (took) => {
      isOver = true;
      clearTimeout(timer);
      if (took !== undefined) mayTake ??= Math.max(CONNECTION_MS, FAR * took);
    };
  };

  /** Notes a new connection that was closed before anything came: where that is often, those beyond a few are. */
  const noteClosed = (): void => {
    closed += 1;
    if (closed < OFTEN || most === 1) return;
    closed = 0;
    most = most > FEW_AT_ONCE ? FEW_AT_ONCE : 1;
    holdFew('connections beyond a few are closed');
  };

  const poolFor = (connection: Connection): Pool | undefined => {
    if (connection === 'new' || (areFew && !isLane(connection))) return undefined;
    const make = isLane(connection) ? dispatchers.single : dispatchers.pool;
    const pool = pools.get(connection) ?? { sender: make(), busy: 0, isUsed: false };
    pools.set(connection, pool);
    pool.busy += 1;
    return pool;
  };

  /** Gives a request the sender that carries it, and what is to be called when it is so far. */
  const carry = (connection: Connection) => {
    const pool = poolFor(connection);
    const known = most;
    // On a lane requests wait for one another.
    const connected = isLane(connection) ? () => {} : watchConnection();
    let heard = (_isAnswered: boolean) => {};
    return {
      sender: pool?.sender ?? dispatchers.new,
      /** It has a connection, so many milliseconds after it was given to the sender. */
      connected,
      /** The whole request was written. */
      written: () => {
        heard = watchWritten();
      },
      /** The head of the answer is there. */
      answered: () => heard(true),
      /** The connection was closed before the whole answer was there. */
      closed: () => {
        if (connection === 'new' && known === most) noteClosed();
      },
      /** Nothing more comes: to be called in any case. */
      over: () => {
        connected();
        heard(false);
        if (!pool) return;
        pool.busy -= 1;
        pool.isUsed = true;
      },
    };
  };

  /** Ends all requests that are in flight, and closes all. */
  const close = async (): Promise<void> => {
    const all = [dispatchers.new, ...[...pools.values()].map(({ sender }) => sender)];
    await Promise.all(all.map((one) => one.destroy()));
  };

  return { carry, closeIdle, closeLane: (lane: Lane) => closePool(lane), close };
}
