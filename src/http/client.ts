import type { Settings, Target } from '../settings/settings.ts';
import type { Header } from '../settings/target.ts';
import { drawUserAgent, withHeaders } from './added-headers.ts';
import { type Connections, connectionsBy } from './connections.ts';
import { Deadline } from './deadline.ts';
import { answerOf, asksToWait, type Exchange, header, isLane, type Lane, type Request } from './exchange.ts';
import { ATTEMPTS, describeFailure, GATEWAY, isGateways, isKeptByProxy, isSilent, Repeats } from './failure.ts';
import { BEARER } from './key.ts';
import { Pace, type PaceSettings } from './pace.ts';
import { makeBurst } from './pieces.ts';
import { watchPresence } from './presence.ts';
import type { Read, Wanted } from './response.ts';
import { type Secrets, secretsOf } from './secrets.ts';
import { type MakeSender, sendersBy } from './senders.ts';
import { type Way, wireTo } from './wire.ts';

/** How long a target may be away before it counts as gone: a supervisor, or a container, starts most services within that. */
export const AWAY_MS = 10_000;

/** How much of the time for an answer a connection may take: the first may be slow, and ends before the timeout. */
const FOR_CONNECTION = 0.8;

/** The pause before a gateway is asked again. Milliseconds. */
const GATEWAY_PAUSE_MS = 50;

/** Characters of the sentence on why no answer came. */
const FAILURE_LIMIT = 300;

/** What a client looks at; `awayMs` is how long the target may be away, absent: some seconds. */
export type ClientSettings = Pick<Settings, 'timeoutMs' | 'deadlineMs' | 'bodyLimit'> &
  PaceSettings & { awayMs?: number };

/** Sends requests to one target, one exchange each, and keeps the record of all of them. */
export class Client {
  readonly origin: string;
  /** The base address's path without a slash at its end. */
  readonly basePath: string;
  /** Every exchange of the run, in the order in which they were sent. */
  readonly record: Exchange[] = [];
  /** Requests that went out, each attempt counted. */
  requestsSent = 0;
  /** When the run began: the zero of every exchange's `at`. */
  readonly started = new Date();
  readonly deadline: Deadline;
  /** How long one answer may take. Milliseconds. */
  readonly timeoutMs: number;
  readonly secrets: Secrets;
  readonly pace: Pace;
  readonly presence: ReturnType<typeof watchPresence>;
  /** A GET by which it finds out whether the target is there. */
  probe: Request;
  /** What the id of every request begins with; undefined where they have none. */
  requestIds: string | undefined;
  /** Why nothing more is sent, a clause; undefined as long as the target answers. */
  gone: string | undefined;
  /** Whether it is known that nothing will answer any more. */
  isOver: () => boolean = () => false;
  /** Whether a request asks at no address of the interface. */
  isElsewhere: (request: Request) => boolean = () => false;
  readonly #headers: readonly Header[];
  readonly #userAgent = drawUserAgent();
  readonly #started = performance.now();
  readonly #connections: Connections;
  readonly #sendOnce: ReturnType<typeof wireTo>;
  readonly #repeats = new Repeats();
  #lanes = 0;
  /** The connection of all requests that need no new one. */
  #only: Lane | undefined;
  /** Its requests wait for one another. */
  #burst: ReturnType<typeof makeBurst> | undefined;
  #anythingAnswered = false;

  constructor(
    target: Target,
    settings: ClientSettings,
    makeSender: MakeSender = sendersBy(target.tls, FOR_CONNECTION * settings.timeoutMs),
  ) {
    const url = new URL(target.baseUrl);
    this.origin = url.origin;
    this.basePath = url.pathname.replace(/\/$/, '');
    this.probe = { method: 'GET', path: this.basePath, headers: BEARER };
    this.#headers = target.headers ?? [];
    this.secrets = secretsOf(target);
    this.timeoutMs = settings.timeoutMs;
    this.deadline = new Deadline(settings.deadlineMs);
    this.pace = new Pace(this.deadline, settings);
    this.#connections = connectionsBy(makeSender, (why, most) => this.pace.slowDown(why, most));
    this.#sendOnce = wireTo(target, settings.bodyLimit, this.#connections, this);
    this.presence = watchPresence(this, () => this.#ask(), settings.awayMs ?? AWAY_MS);
  }

  /** Milliseconds since the run began, by a clock that never jumps. */
  readonly now = (): number => performance.now() - this.#started;

  /**
   * Sends a request and reads the answer, whatever its status. After a 429, or where no connection was made, it is sent
   * again, a GET also after a 503, 502 or 504 and a lost connection; a POST may have been carried out. Where no answer
   * comes within `patienceMs`, the exchange says why. Throws Ended when the run is over, and undici's error where
   * isKeptByProxy is true of it.
   */
  async send(wish: Request, wanted: Wanted, patienceMs = this.timeoutMs) {
    const isAny = wish.connection === undefined || wish.connection === 'kept';
    const exchange = this.#enter(this.#only && isAny ? { ...wish, connection: this.#only } : wish);
    const { request } = exchange;
    const take = this.#only || isLane(request.connection) ? this.pace.goOn : this.pace.take;
    const ready = this.#burst?.join();
    for (let lost = 0; ; ) {
      const { read, error } = await take(async () => {
        await this.presence.known();
        return this.#attempt(exchange, wanted, { onNew: lost > 0, ready, timeoutMs: patienceMs });
      });
      if (read === undefined) {
        // Nothing is to be expected after the suite itself has hung up.
        if (request.framing === 'aborted') return answerOf(exchange);
        lost += 1;
        exchange.lost = lost;
        // How few connections are few enough is found out by what is closed.
        const tries = this.pace.whyFew === undefined ? lost : Math.ceil(lost / 2);
        const mayRepeat = this.gone === undefined && this.#repeats.may(request, tries, error, this.#anythingAnswered);
        if (!mayRepeat) {
          // What a target was asked while it was away is asked again.
          const isBack = await this.#unanswered(exchange);
          if (!isBack || request.method === 'POST' || lost > ATTEMPTS) return answerOf(exchange);
        } else if (exchange.response) await this.deadline.pause(GATEWAY_PAUSE_MS * lost);
      } else {
        const { status, keyInBody } = read.response;
        if (!asksToWait(exchange)) return answerOf(exchange, read.body);
        if (keyInBody) exchange.keyBefore = status;
        const hopeless = this.pace.noteRefusal(header(exchange, 'retry-after'));
        if (hopeless !== undefined) {
          this.gone = `the target returned ${status} and ${hopeless}`;
          exchange.failure = this.gone;
        }
        if (exchange.failure || (status === 503 && request.method === 'POST')) return answerOf(exchange, read.body);
      }
    }
  }

  /**
   * Gives a connection to requests that are sent one after the other: together they are one of those in flight at once. It is
   * closed when `use` is over.
   */
  onOneConnection<T>(use: (connection: Lane) => Promise<T>): Promise<T> {
    if (this.#only) return use(this.#only);
    return this.pace.take(async () => {
      this.#lanes += 1;
      const lane: Lane = `lane ${this.#lanes}`;
      return use(lane).finally(() => this.#connections.closeLane(lane));
    });
  }

  /** The same for all requests until `send` is over that need no new connection; nothing else may be in flight. */
  allOnOneConnection(send: () => Promise<void>): Promise<void> {
    return this.onOneConnection(async (lane) => {
      this.#only = lane;
      await send().finally(() => {
        this.#only = undefined;
      });
    });
  }

  /** Lets the requests whose sending `start` begins be in flight at the same moment, as many of them as may be at once. */
  inBurst<T>(start: () => T): T {
    this.#burst = makeBurst(this.pace.room);
    try {
      return start();
    } finally {
      void this.#burst.openWhenReady();
      this.#burst = undefined;
    }
  }

  /** Closes the connections that are kept and idle. */
  readonly closeIdle = () => this.#connections.closeIdle();

  async close(): Promise<void> {
    this.deadline.clear();
    await this.#connections.close();
  }

  /** Begins the exchange of a request. */
  #enter(wish: Request): Exchange {
    const id = this.record.length + 1;
    const headers = { ...wish.headers, ...(this.requestIds && { 'x-request-id': `${this.requestIds}-${id}` }) };
    const request = withHeaders({ ...wish, headers }, this.#userAgent, this.#headers);
    const exchange: Exchange = { id, request, at: 0, duration: 0, attempts: 0 };
    if (this.isElsewhere(request)) exchange.elsewhere = true;
    this.record.push(exchange);
    return exchange;
  }

  /** Sends a request once. Where nothing came back, or only a gateway's answer, the exchange says why. */
  async #attempt(exchange: Exchange, wanted: Wanted, way: Way): Promise<{ read?: Read; error?: unknown }> {
    if (this.gone !== undefined) {
      void way.ready?.();
      exchange.failure = this.gone;
      return {};
    }
    exchange.attempts += 1;
    this.requestsSent += 1;
    delete exchange.failure;
    try {
      const read = await this.#sendOnce(exchange, wanted, way);
      const { status } = read.response;
      this.#anythingAnswered = true;
      if (isGateways(status)) {
        exchange.failure = `${GATEWAY} ${status} in place of the service`;
        return {};
      }
      this.presence.noteAnswer();
      if (!asksToWait(exchange)) this.pace.noteAnswer();
      return { read };
    } catch (error) {
      if (isKeptByProxy(error)) throw error;
      this.deadline.check();
      const failure = describeFailure(error, this.origin, way.timeoutMs, !this.#anythingAnswered);
      exchange.failure = this.secrets.redact(failure, FAILURE_LIMIT);
      return { error };
    } finally {
      exchange.duration = Math.max(0, Math.round(this.now() - exchange.at));
    }
  }

  /** Gives the target up where nothing ever came, or nothing comes any more; whether it was away and is back. */
  async #unanswered(exchange: Exchange): Promise<boolean> {
    if (this.gone !== undefined) return false;
    const since = isSilent(exchange.failure) ? exchange.at : undefined;
    const where = this.#anythingAnswered ? await this.presence.whereIs(since) : 'gone';
    if (where === 'gone') this.gone ??= exchange.failure;
    return where === 'back';
  }

  /** Sends the probe on a new connection, beside all that is in flight; whether the service itself answers. */
  async #ask(): Promise<boolean> {
    const exchange = this.#enter({ ...this.probe, connection: 'new' });
    const { read } = await this.#attempt(exchange, 'text', { onNew: true, timeoutMs: this.timeoutMs });
    return read !== undefined;
  }
}
