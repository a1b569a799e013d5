import type { Settings, Target } from '../settings/settings.ts';
import { type Clock, systemClock } from './clock.ts';
import { connectionsBy } from './connections.ts';
import { deadlineIn } from './deadline.ts';
import {
  answerOf,
  asksToWait,
  type Exchange,
  header,
  isAborted,
  isLane,
  type Lane,
  LISTS,
  type Request,
} from './exchange.ts';
import {
  ATTEMPTS,
  describeFailure,
  GATEWAY,
  isGateways,
  isKeptByProxy,
  isSilent,
  Repeats,
} from './failure.ts';
import { BEARER } from './key.ts';
import { type PaceSettings, paceBy } from './pace.ts';
import { makeBurst } from './pieces.ts';
import { watchPresence } from './presence.ts';
import type { Read, Wanted } from './response.ts';
import { secretsOf } from './secrets.ts';
import { type MakeSender, sendersBy } from './senders.ts';
import { USER_AGENT, type Way, wireTo, withHeaders } from './wire.ts';

/**
 * How long a target may be away before it counts as gone: a supervisor, or a container, starts most services within
 * that.
 */
export const AWAY_MS = 10_000;

/** How much of the time for an answer a connection may take: the first may be slow, and ends before the timeout. */
const FOR_CONNECTION = 0.8;

/** The settings of a client; `awayMs` is how long the target may be away, absent: some seconds. */
export type ClientSettings = Pick<Settings, 'timeoutMs' | 'deadlineMs' | 'bodyLimit'> &
  PaceSettings & { awayMs?: number; clock?: Clock };

export type Client = ReturnType<typeof clientTo>;

/** Makes what sends requests to one target, one exchange each, and keeps the record of all of them. */
export function clientTo(target: Target, settings: ClientSettings, makeSender?: MakeSender) {
  const { timeoutMs, clock = systemClock } = settings;
  const { origin, pathname } = new URL(target.baseUrl);
  const basePath = pathname.replace(/\/$/, '');
  const begun = clock.now();
  const run = {
    origin,
    /** The base address's path without a slash at its end. */
    basePath,
    /** Every exchange of the run, in the order in which they were sent. */
    record: [] as Exchange[],
    /** Requests that went out, each attempt counted. */
    requestsSent: 0,
    /** When the run began: the zero of every exchange's `at`. */
    started: new Date(),
    /** Milliseconds since the run began, by a clock that never jumps. */
    now: () => clock.now() - begun,
    deadline: deadlineIn(settings.deadlineMs, clock),
    /** How long one answer may take. Milliseconds. */
    timeoutMs,
    secrets: secretsOf(target),
    /** A GET by which it finds out whether the target is there. */
    probe: { method: 'GET', path: basePath, headers: BEARER } as Request,
    /** What the id of every request begins with; undefined where they have none. */
    requestIds: undefined as string | undefined,
    /** Why nothing more is sent, a clause; undefined as long as the target answers. */
    gone: undefined as string | undefined,
    /** Whether it is known that nothing will answer any more. */
    isOver: (): boolean => false,
    /** Whether a request asks at no address of the interface. */
    isElsewhere: (_: Request): boolean => false,
  };
  const { deadline, now, record, secrets } = run;
  const pace = paceBy(deadline, settings);
  const connections = connectionsBy(
    makeSender ?? sendersBy(target.tls, FOR_CONNECTION * timeoutMs),
    pace.slowDown,
  );
  const sendOnce = wireTo(target, settings.bodyLimit, connections, run);
  const repeats = new Repeats();
  let lanes = 0;
  /** Its requests wait for one another. */
  let burst: ReturnType<typeof makeBurst> | undefined;
  let anythingAnswered = false;

  /** Begins the exchange of a request. */
  const enter = (wish: Request): Exchange => {
    const id = record.length + 1;
    const headers = {
      ...wish.headers,
      ...(run.requestIds && { 'x-request-id': `${run.requestIds}-${id}` }),
    };
    const request = withHeaders({ ...wish, headers }, USER_AGENT, target.headers ?? []);
    const exchange: Exchange = { id, request, at: 0, duration: 0, attempts: 0 };
    if (run.isElsewhere(request)) exchange.elsewhere = true;
    record.push(exchange);
    return exchange;
  };

  /** Sends a request once. Where nothing came back, or only a gateway's answer, the exchange says why. */
  const attempt = async (
    exchange: Exchange,
    wanted: Wanted,
    way: Way,
  ): Promise<{ read?: Read; error?: unknown }> => {
    if (run.gone !== undefined) {
      void way.ready?.();
      exchange.failure = run.gone;
      return {};
    }
    exchange.attempts += 1;
    run.requestsSent += 1;
    delete exchange.failure;
    try {
      const read = await sendOnce(exchange, wanted, way);
      const { status } = read.response;
      anythingAnswered = true;
      if (isGateways(status)) {
        exchange.failure = `${GATEWAY} ${status} in place of the service`;
        return {};
      }
      presence.noteAnswer();
      if (!asksToWait(exchange)) pace.noteAnswer();
      return { read };
    } catch (error) {
      if (isKeptByProxy(error)) throw error;
      deadline.check();
      const failure = describeFailure(error, origin, way.timeoutMs, !anythingAnswered);
      exchange.failure = secrets.redact(failure, 300);
      return { error };
    } finally {
      exchange.duration = Math.max(0, Math.round(now() - exchange.at));
    }
  };

  /** Sends the probe on a new connection, beside all that is in flight; whether the service itself answers. */
  const ask = async (): Promise<boolean> => {
    const { read } = await attempt(enter({ ...run.probe, connection: 'new' }), 'text', {
      onNew: true,
      timeoutMs,
    });
    return read !== undefined;
  };
  const presence = watchPresence(run, ask, settings.awayMs ?? AWAY_MS);

  /** Gives the target up where nothing ever came, or nothing comes any more; whether it was away and is back. */
  const isBack = async ({ failure, at }: Exchange): Promise<boolean> => {
    if (run.gone !== undefined) return false;
    const where = anythingAnswered
      ? await presence.whereIs(isSilent(failure) ? at : undefined)
      : 'gone';
    if (where === 'gone') run.gone ??= failure;
    return where === 'back';
  };

  /**
   * Sends a request and reads the answer, whatever its status. After a 429, or where no connection was made, it is sent
   * again, a GET also after a 503, 502 or 504 and a lost connection; a POST may have been carried out. Where no answer
   * comes within `patienceMs`, the exchange says why. Throws Ended when the run is over, and undici's error where
   * isKeptByProxy is true of it.
   */
  const send = async (wish: Request, wanted: Wanted, patienceMs = timeoutMs) => {
    const exchange = enter(wish);
    const { request } = exchange;
    const isInTurn = isLane(request.connection) && request.connection !== LISTS;
    const take = isInTurn ? pace.goOn : pace.take;
    const ready = burst?.join();
    for (let lost = 0; ; ) {
      const { read, error } = await take(async () => {
        await presence.known();
        return attempt(exchange, wanted, { onNew: lost > 0, ready, timeoutMs: patienceMs });
      });
      if (read === undefined) {
        // Nothing is to be expected after the suite itself has hung up.
        if (isAborted(request)) return answerOf(exchange);
        lost += 1;
        exchange.lost = lost;
        // How few connections are few enough is found out by what is closed.
        const tries = pace.whyFew === undefined ? lost : Math.ceil(lost / 2);
        if (run.gone !== undefined || !repeats.may(request, tries, error, anythingAnswered)) {
          // What a target was asked while it was away is asked again.
          const mayRepeat =
            (await isBack(exchange)) && request.method !== 'POST' && lost <= ATTEMPTS;
          if (!mayRepeat) return answerOf(exchange);
        } else if (exchange.response) await deadline.pause(50 * lost);
      } else {
        const { status, keyInBody } = read.response;
        if (!asksToWait(exchange)) return answerOf(exchange, read);
        if (keyInBody) exchange.keyBefore = status;
        const hopeless = pace.noteRefusal(header(exchange, 'retry-after'));
        if (hopeless !== undefined) {
          run.gone = `the target returned ${status} and ${hopeless}`;
          exchange.failure = run.gone;
        }
        if (exchange.failure || (status === 503 && request.method === 'POST'))
          return answerOf(exchange, read);
      }
    }
  };

  /**
   * Gives a connection to requests that are sent one after the other: together they are one of those in flight at once.
   * It is closed when `use` is over.
   */
  const onOneConnection = async <T>(use: (connection: Lane) => Promise<T>): Promise<T> => {
    return pace.take(async () => {
      lanes += 1;
      const lane: Lane = `lane ${lanes}`;
      return use(lane).finally(() => connections.closeLane(lane));
    });
  };

  return Object.assign(run, {
    pace,
    presence,
    send,
    onOneConnection,
    /**
     * Lets the requests whose sending `start` begins be in flight at the same moment, as many of them as may be at
     * once.
     */
    inBurst: <T>(start: () => T): T => {
      burst = makeBurst(pace.room);
      try {
        return start();
      } finally {
        void burst.openWhenReady();
        burst = undefined;
      }
    },
    /** Closes the connections that are kept and idle. */
    closeIdle: connections.closeIdle,
    close: async () => {
      deadline.clear();
      await connections.close();
    },
  });
}
