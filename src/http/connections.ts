import { FEW_AT_ONCE } from '../settings/limits.ts';
import type { Dispatchers, Sender } from './dispatchers.ts';
import { type Connection, isLane, type Lane } from './exchange.ts';
import { watchSilence } from './silence.ts';

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
 * The connections to a target. Usually as many are open as there were requests at once, and kept. Where idle ones hold the
 * workers of the target (a prefork server has few, each with one connection; others are accepted and get no answer), none is
 * kept but those of lanes, until nothing is answered.
 */
export class Connections {
  /** Called with the reason where the target takes few connections at once, and with how many that are, if that is known. */
  onFew: (why: string, most?: number) => void = () => {};
  readonly #dispatchers: Dispatchers;
  readonly #pools = new Map<Connection, Pool>();
  readonly #watchSilence = watchSilence(
    () => this.closeIdle(),
    () => this.#holdFew('idle connections keep its workers from others'),
  );
  /** How long a connection may take, in milliseconds; undefined before the first. */
  #mayTake: number | undefined;
  #areFew = false;
  /** How many connections may be open at once, where more were closed; how many requests that knew it were closed all the same. */
  #most = Number.POSITIVE_INFINITY;
  #closed = 0;

  constructor(dispatchers: Dispatchers) {
    this.#dispatchers = dispatchers;
  }

  /** Gives a request the sender that carries it, and what is to be called when it is so far. */
  carry(connection: Connection) {
    const pool = this.#poolFor(connection);
    const most = this.#most;
    // On a lane requests wait for one another.
    const connected = isLane(connection) ? () => {} : this.#watchConnection();
    let heard = (_isAnswered: boolean) => {};
    return {
      sender: pool?.sender ?? this.#dispatchers.new,
      /** It has a connection, so many milliseconds after it was given to the sender. */
      connected,
      /** The whole request was written. */
      written: () => {
        heard = this.#watchSilence();
      },
      /** The head of the answer is there. */
      answered: () => heard(true),
      /** The connection was closed before the whole answer was there. */
      closed: () => {
        if (connection === 'new' && most === this.#most) this.#noteClosed();
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
  }

  /**
   * Watches whether the target takes a connection in time. Where many are opened at once and its queue holds few (five, in the
   * standard library of Python), TCP tries again after a second, after two more, and so on. Call the result with the
   * milliseconds that it took, or at the end.
   */
  #watchConnection(): (took?: number) => void {
    let isOver = false;
    // What has come meanwhile is looked at first: the suite may have been busy itself.
    const look = () => setImmediate(() => isOver || this.onFew('connections are taken slowly'));
    const timer = this.#mayTake === undefined ? undefined : setTimeout(look, this.#mayTake);
    return (took) => {
      isOver = true;
      clearTimeout(timer);
      if (took !== undefined) this.#mayTake ??= Math.max(CONNECTION_MS, FAR * took);
    };
  }

  /** Notes a new connection that was closed before anything came: where that is often, those beyond a few are. */
  #noteClosed(): void {
    this.#closed += 1;
    if (this.#closed < OFTEN || this.#most === 1) return;
    this.#closed = 0;
    this.#most = this.#most > FEW_AT_ONCE ? FEW_AT_ONCE : 1;
    this.#holdFew('connections beyond a few are closed', this.#most);
  }

  /** Closes the connection of a lane, which nobody needs any more. */
  closeLane(lane: Lane): void {
    const pool = this.#pools.get(lane);
    if (pool) this.#close(lane, pool);
  }

  /** Ends all requests that are in flight, and closes all. */
  async close(): Promise<void> {
    const all = [this.#dispatchers.new, ...[...this.#pools.values()].map(({ sender }) => sender)];
    await Promise.all(all.map((one) => one.destroy()));
  }

  #poolFor(connection: Connection): Pool | undefined {
    if (connection === 'new' || (this.#areFew && !isLane(connection))) return undefined;
    const pool = this.#pools.get(connection) ?? {
      sender: isLane(connection) ? this.#dispatchers.single() : this.#dispatchers.pool(),
      busy: 0,
      isUsed: false,
    };
    this.#pools.set(connection, pool);
    pool.busy += 1;
    return pool;
  }

  /** Closes what is kept and idle, lanes only where it is known that they hold workers. Whether there was anything. */
  closeIdle(): boolean {
    const idle = [...this.#pools].filter(([connection, { busy, isUsed }]) =>
      isLane(connection) ? this.#areFew && busy === 0 : isUsed,
    );
    for (const [connection, pool] of idle) this.#close(connection, pool);
    return idle.length > 0;
  }

  /** Closes connections: those that wait for an answer after it. */
  #close(connection: Connection, { sender }: Pool): void {
    this.#pools.delete(connection);
    // It may be destroyed while it waits for an answer.
    sender.close().catch(() => {});
  }

  /** From now on only lanes are kept. */
  #holdFew(why: string, most?: number): void {
    this.#areFew = true;
    for (const [connection, pool] of this.#pools) if (!isLane(connection)) this.#close(connection, pool);
    this.onFew(why, most);
  }
}
