import { timerInTurns } from './deadline.ts';
import { type Connection, isLane } from './exchange.ts';
import { isClosedConnection } from './failure.ts';
import type { MakeSender, Outgoing, Sender } from './senders.ts';

/** A pool of connections, or a single one, kept for the next request; or what opens a new one for each. */
interface Pool {
  sender: Sender;
  /** Requests in flight. */
  busy: number;
  /** Whether a request is over, so that a connection of a pool may be idle, however many requests are in flight. */
  isUsed: boolean;
}

/** The same where the target takes few connections: what waits fits into the shortest queue, which holds five. */
const FEW_AT_ONCE = 4;

/** Turns of the event loop at least in a time for which a target is waited for: the suite may be busy itself. */
const TURNS = 10;

/** How long a connection to a target at hand takes at most: where its queue is full, TCP tries again after a second. */
const CONNECTION_MS = 500;

/** How many times as long as the first a connection may take: to a target far away each takes long. */
const FAR = 4;

/**
 * The connections to a target. Usually as many are open as there were requests at once, and kept. Where idle ones hold
 * the workers of the target (a prefork server has few, each with one connection; others are accepted and get no
 * answer), none is kept but those of lanes, until nothing is answered. `onFew` is called with the reason where the
 * target takes few connections at once, and with how many that are.
 */
export function connectionsBy(makeSender: MakeSender, onFew: (why: string, most: number) => void) {
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
    const pool = pools.get(connection);
    // It may be destroyed while it waits for an answer.
    pool?.sender.close().catch(() => {});
    pools.delete(connection);
  };

  /** Closes what is kept and idle, lanes only where it is known that they hold workers. Whether there was anything. */
  const closeIdle = (): boolean => {
    const idle = [...pools].filter(([connection, { busy, isUsed }]) =>
      isLane(connection) ? areFew && busy === 0 : connection === 'kept' && isUsed,
    );
    for (const [connection] of idle) closePool(connection);
    return idle.length > 0;
  };

  /** From now on only lanes are kept. */
  const holdFew = (why: string): void => {
    areFew = true;
    closePool('kept');
    onFew(why, Math.min(most, FEW_AT_ONCE));
  };

  const watchWritten = watchSilence(closeIdle, () =>
    holdFew('idle connections keep its workers from others'),
  );

  /**
   * The target does not take a connection in time. Where many are opened at once and its queue holds few (five, in the
   * standard library of Python), TCP tries again after a second, after two more, and so on.
   */
  const isSlow = () => onFew('connections are taken slowly', FEW_AT_ONCE);

  /** Notes a new connection that was closed before anything came: where that is often, those beyond a few are. */
  const noteClosed = (): void => {
    closed += 1;
    // A server may cut off what is odd.
    if (closed < 4 || most === 1) return;
    closed = 0;
    most = most > FEW_AT_ONCE ? FEW_AT_ONCE : 1;
    holdFew('connections beyond a few are closed');
  };

  /** Gives a request its connection; one that is cut short is closed by the suite itself. */
  const carry = (connection: Connection, isCutShort: boolean) => {
    const own = areFew && connection === 'kept' ? 'new' : connection;
    const pool = pools.get(own) ?? { sender: makeSender(own), busy: 0, isUsed: false };
    pools.set(own, pool);
    pool.busy += 1;
    const known = most;
    const begun = performance.now();
    // On a lane requests wait for one another.
    const isWatched = !isLane(connection);
    const connecting =
      isWatched && mayTake !== undefined ? timerInTurns(mayTake, TURNS, isSlow) : undefined;
    let heard = (_isAnswered: boolean) => {};
    let isOver = false;
    return {
      /** To be called when the whole request was written, which may be after its answer. */
      written: () => {
        if (!isOver) heard = watchWritten();
      },
      /** Sends it, and resolves when its response is there. */
      send: async (request: Outgoing) => {
        try {
          return await pool.sender.request({
            ...request,
            onWrite: () => {
              connecting?.stop();
              if (isWatched) mayTake ??= Math.max(CONNECTION_MS, FAR * (performance.now() - begun));
              request.onWrite?.();
            },
            onHead: (status) => {
              heard(true);
              return request.onHead(status);
            },
          });
        } catch (error) {
          if (connection === 'new' && known === most && isClosedConnection(error) && !isCutShort)
            noteClosed();
          throw error;
        } finally {
          connecting?.stop();
          isOver = true;
          heard(false);
          pool.busy -= 1;
          pool.isUsed = true;
        }
      },
    };
  };

  /** Ends all requests that are in flight, and closes all. */
  const close = async (): Promise<void> => {
    await Promise.all([...pools.values()].map(({ sender }) => sender.destroy()));
  };

  return { carry, closeIdle, closeLane: closePool, close };
}

/**
 * How long a target at hand may be silent while requests wait and connections are idle: then these may hold its
 * workers. The second time it is longer: what only takes its time for some requests answers sooner by then.
 */
const SILENCES_MS = [150, 400];

/** How many times as long as the quickest answer the target may be silent. */
const UNUSUAL = 3;

/**
 * How soon after connections were closed an answer comes for that reason, and how long a silence is once that is known.
 * Milliseconds.
 */
const SOON_MS = 50;

/**
 * Watches for a target that is silent because idle connections hold its workers: requests wait, nothing comes, and
 * something comes soon after these connections are closed. `free` closes idle connections, and says whether there were
 * any; `onHeld` is called when that has helped. What is returned watches a request that was just written: call its
 * result when the request is answered, and at its end.
 */
function watchSilence(
  free: () => boolean,
  onHeld: () => void,
): () => (isAnswered: boolean) => void {
  /** Requests that were written and got no answer yet. */
  let waiting = 0;
  let quickest = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof timerInTurns> | undefined;
  let freedAt: number | undefined;
  let helped = 0;

  const heard = (waited: number) => {
    quickest = Math.min(quickest, waited);
    if (freedAt === undefined) return;
    const hasHelped = performance.now() - freedAt <= Math.max(SOON_MS, quickest);
    freedAt = undefined;
    // Once may be chance.
    if (hasHelped) {
      helped += 1;
      if (helped === SILENCES_MS.length) onHeld();
    } else if (helped < SILENCES_MS.length) helped = 0;
  };
  /** Waits for the next answer. */
  const listen = () => {
    timer?.stop();
    timer = undefined;
    if (waiting === 0 || !Number.isFinite(quickest)) return;
    const least = SILENCES_MS[helped] ?? SOON_MS;
    timer = timerInTurns(Math.max(least, UNUSUAL * quickest), TURNS, () => {
      if (!free()) return;
      freedAt = performance.now();
      listen();
    });
  };
  return () => {
    const writtenAt = performance.now();
    let isOver = false;
    waiting += 1;
    if (timer === undefined) listen();
    return (isAnswered) => {
      if (isOver) return;
      isOver = true;
      waiting -= 1;
      if (isAnswered) heard(performance.now() - writtenAt);
      listen();
    };
  };
}
