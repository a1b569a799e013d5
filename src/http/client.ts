import type { Settings, Target } from '../settings/settings.ts';
import { type Clock, systemClock } from './clock.ts';
import { makeConnections } from './connections.ts';
import { type Deadline, makeDeadline } from './deadline.ts';
import {
  type Answer,
  answerOf,
  asksToWait,
  type Connection,
  type Exchange,
  header,
  isAborted,
  isAnswered,
  type Lane,
  type Request,
  type Response,
} from './exchange.ts';
import {
  ATTEMPTS,
  describeFailure,
  GATEWAY,
  isGatewayStatus,
  isSilent,
  RetryPolicy,
  whyExcluded,
} from './failure.ts';
import { BEARER } from './key.ts';
import { makePace, type Pace, type PaceSettings } from './pace.ts';
import { type Burst, makeBurst } from './pieces.ts';
import { type Presence, watchPresence } from './presence.ts';
import type { BodyKind, ReadResponse } from './response.ts';
import { type Secrets, secretsOf } from './secrets.ts';
import { type MakeSender, senderFactory } from './senders.ts';
import { makeSendOnce, type SendOptions, USER_AGENT, withHeaders } from './wire.ts';

/**
 * The time after which an absent target counts as gone: a supervisor or a container starts most
 * services faster.
 */
export const AWAY_MS = 10_000;

/** The part of the timeout for a connection, so that its own error comes first. */
const CONNECT_PART = 0.8;

/** The settings of a client. `awayMs` defaults to AWAY_MS, `clock` to the system clock. */
export type ClientSettings = Pick<Settings, 'timeoutMs' | 'deadlineMs' | 'bodyLimit'> &
  PaceSettings & { awayMs?: number; clock?: Clock };

/** A client of one target, with the record of its exchanges. */
export interface Client {
  origin: string;
  /** The path of the base address, without a slash at its end. */
  basePath: string;
  /** The exchanges of the run, in the order in which they were sent. */
  record: Exchange[];
  /** The shortest, the longest and the last time of a response so far. Milliseconds. */
  responseMs: { shortest: number; longest: number; last: number };
  /** The number of attempts of all requests. */
  requestsSent: number;
  /** The start of the run, from which the `at` of each exchange counts. */
  started: Date;
  /** Returns the milliseconds since the start of the run. They never jump. */
  now: () => number;
  deadline: Deadline;
  /** The timeout of a response, in milliseconds. */
  timeoutMs: number;
  secrets: Secrets;
  pace: Pace;
  presence: Presence;
  /** A GET that checks whether the target is available. */
  probe: Request;
  /** The beginning of each request id; undefined if requests have none. */
  requestIds: string | undefined;
  /** The reason to send nothing more, as a clause; undefined while the target responds. */
  gone: string | undefined;
  /** Whether the target has ended for good. */
  isOver: () => boolean;
  /** Whether the path of a request is not one of the interface. */
  isElsewhere: (request: Request) => boolean;
  /**
   * Sends a request and reads the response, whatever its status. A request is sent again after a
   * 429, or if no connection was made. A GET is also sent again after a 503, 502 or 504 and after a
   * lost connection, but a POST may have been carried out. Without a response within `patienceMs`,
   * the exchange has a `failure`. Throws Ended when the run is over, and an error with a
   * reason for `whyExcluded` if the response shows nothing.
   */
  send: (request: Request, bodyKind: BodyKind, patienceMs?: number) => Promise<Answer>;
  /**
   * Calls `use` with a connection for requests that are sent one after the other, and closes it at
   * the end. They count as one concurrent request, so `use` sends no others.
   */
  onOneConnection: <T>(use: (connection: Lane) => Promise<T>) => Promise<T>;
  /**
   * Does the same, but each of its requests counts as one of its own, so `use` may send others as
   * well.
   */
  withConnection: <T>(use: (connection: Lane) => Promise<T>) => Promise<T>;
  /** Makes the requests that `start` sends reach the target together, up to the concurrency. */
  inBurst: <T>(start: () => T) => T;
  /** Closes idle connections. Returns whether there were any. */
  closeIdle: () => boolean;
  close: () => Promise<void>;
}

/** A response, or the error in its place; neither after a gateway's response. */
interface Attempt {
  read?: ReadResponse;
  error?: unknown;
}

/** Makes a client of a target. */
export function makeClient(
  target: Target,
  settings: ClientSettings,
  makeSender?: MakeSender,
): Client {
  const { timeoutMs, clock = systemClock } = settings;
  const { origin, pathname } = new URL(target.baseUrl);
  const basePath = pathname.replace(/\/$/, '');
  const startedAt = clock.now();
  const now = () => clock.now() - startedAt;
  const record: Exchange[] = [];
  const deadline = makeDeadline(settings.deadlineMs, clock);
  const secrets = secretsOf(target);
  const pace = makePace(deadline, settings);
  const connections = makeConnections(
    makeSender ?? senderFactory(target.tls, CONNECT_PART * timeoutMs),
    pace.slowDown,
  );
  const sendOnce = makeSendOnce(target, settings.bodyLimit, connections, {
    secrets,
    deadline,
    now,
  });
  const retryPolicy = new RetryPolicy();
  const presence = watchPresence(
    { deadline, now, isOver: () => client.isOver() },
    isAvailable,
    settings.awayMs ?? AWAY_MS,
  );
  let lanes = 0;
  /** The lanes that hold a slot. */
  const lanesInSlots = new Set<Connection | undefined>();
  let burst: Burst | undefined;
  /** Whether the target has sent any response. */
  let hasResponded = false;
  /** The reason why the last probe got no response. */
  let probeFailure = '';

  const client: Client = {
    origin,
    basePath,
    record,
    responseMs: { shortest: Number.POSITIVE_INFINITY, longest: 0, last: 0 },
    requestsSent: 0,
    started: new Date(),
    now,
    deadline,
    timeoutMs,
    secrets,
    pace,
    presence,
    probe: { method: 'GET', path: basePath, headers: BEARER },
    requestIds: undefined,
    gone: undefined,
    isOver: () => false,
    isElsewhere: () => false,
    send,
    onOneConnection,
    withConnection,
    inBurst,
    closeIdle: connections.closeIdle,
    close: async () => {
      deadline.clear();
      await connections.close();
    },
  };
  return client;

  async function send(
    plainRequest: Request,
    bodyKind: BodyKind,
    patienceMs = timeoutMs,
  ): Promise<Answer> {
    const exchange = beginExchange(plainRequest);
    const { connection } = exchange.request;
    const arriveAndWait = burst?.join();
    for (;;) {
      const onNew = exchange.lost !== undefined;
      const enqueue = lanesInSlots.has(connection) ? pace.sendInSlot : pace.enqueue;
      const { read, error } = await enqueue(async () => {
        await presence.settle();
        return attempt(exchange, bodyKind, { onNew, arriveAndWait, timeoutMs: patienceMs });
      });
      const isRetried =
        read === undefined
          ? await retriesLost(exchange, error)
          : retriesThrottled(exchange, read.response);
      if (!isRetried) return answerOf(exchange, read);
    }
  }

  /** Adds an exchange to the record. */
  function beginExchange(plainRequest: Request): Exchange {
    const id = record.length + 1;
    const headers = { ...plainRequest.headers };
    if (client.requestIds) headers['x-request-id'] = `${client.requestIds}-${id}`;
    const request = withHeaders({ ...plainRequest, headers }, USER_AGENT, target.headers ?? []);
    const exchange: Exchange = { id, request, at: 0, duration: 0, attempts: 0 };
    if (client.isElsewhere(request)) exchange.elsewhere = true;
    record.push(exchange);
    return exchange;
  }

  /** Sends a request once. Without a response of the service, the exchange has a `failure`. */
  async function attempt(
    exchange: Exchange,
    bodyKind: BodyKind,
    options: SendOptions,
  ): Promise<Attempt> {
    if (client.gone !== undefined) {
      void options.arriveAndWait?.();
      exchange.failure = client.gone;
      return {};
    }
    exchange.attempts += 1;
    client.requestsSent += 1;
    delete exchange.failure;
    try {
      const read = await sendOnce(exchange, bodyKind, options);
      const { status } = read.response;
      hasResponded = true;
      if (isGatewayStatus(status)) {
        exchange.failure = `${GATEWAY} ${status} in place of the service`;
        return {};
      }
      presence.noteResponse();
      if (!asksToWait(exchange)) pace.noteResponse();
      return { read };
    } catch (error) {
      if (whyExcluded(error) !== undefined) throw error;
      deadline.check();
      const failure = describeFailure(error, origin, options.timeoutMs, !hasResponded);
      exchange.failure = secrets.showText(failure, 300);
      return { error };
    } finally {
      exchange.duration = Math.max(0, Math.round(now() - exchange.at));
      if (isAnswered(exchange)) noteTime(exchange.duration);
    }
  }

  function noteTime(duration: number): void {
    const { shortest, longest } = client.responseMs;
    client.responseMs = {
      shortest: Math.min(shortest, duration),
      longest: Math.max(longest, duration),
      last: duration,
    };
  }

  /** Whether a request without a response is sent again, after a pause if one helps. */
  async function retriesLost(exchange: Exchange, error: unknown): Promise<boolean> {
    const { request } = exchange;
    // The suite itself closed the connection.
    if (isAborted(request)) return false;
    const lost = (exchange.lost ?? 0) + 1;
    exchange.lost = lost;
    // Closed connections show how few of them the target takes, so they count half.
    const attempts = pace.whyFew === undefined ? lost : Math.ceil(lost / 2);
    const isGone = client.gone !== undefined;
    if (!isGone && retryPolicy.mayRetry(request, attempts, error, hasResponded)) {
      // A gateway responded, and its service may be restarting.
      if (exchange.response) await deadline.pause(50 * lost);
      return true;
    }
    // A request is repeated if it was lost because the target was away.
    return (await isBack(exchange)) && request.method !== 'POST' && lost <= ATTEMPTS;
  }

  /** Whether a request is sent again after a 429 or 503. */
  function retriesThrottled(exchange: Exchange, { status, keyInBody }: Response): boolean {
    if (!asksToWait(exchange)) return false;
    if (keyInBody) exchange.keyBefore = status;
    const reason = pace.noteThrottled(status, header(exchange, 'retry-after'));
    if (reason !== undefined) {
      client.gone = reason;
      exchange.failure = client.gone;
    }
    if (exchange.failure) return false;
    return status !== 503 || exchange.request.method !== 'POST';
  }

  /** Whether the target was away and is back. Gives it up if it is gone, or never responded. */
  async function isBack({ failure, at }: Exchange): Promise<boolean> {
    if (client.gone !== undefined) return false;
    const silentSince = isSilent(failure) ? at : undefined;
    if (!hasResponded) {
      client.gone = failure;
      return false;
    }
    const availability = await presence.check(silentSince);
    if (availability === 'gone') client.gone ??= `the service no longer responds: ${probeFailure}`;
    return availability === 'back';
  }

  /** Whether the service itself responds to the probe, beside all requests in flight. */
  async function isAvailable(): Promise<boolean> {
    const exchange = beginExchange({ ...client.probe, connection: 'new' });
    const { read } = await attempt(exchange, 'text', { onNew: true, timeoutMs });
    probeFailure = exchange.failure ?? '';
    return read !== undefined;
  }

  function onOneConnection<T>(use: (connection: Lane) => Promise<T>): Promise<T> {
    return pace.enqueue(() =>
      withConnection((lane) => {
        lanesInSlots.add(lane);
        return use(lane).finally(() => lanesInSlots.delete(lane));
      }),
    );
  }

  async function withConnection<T>(use: (connection: Lane) => Promise<T>): Promise<T> {
    lanes += 1;
    const lane: Lane = `lane ${lanes}`;
    return use(lane).finally(() => connections.closeLane(lane));
  }

  function inBurst<T>(start: () => T): T {
    const ownBurst = makeBurst(pace.freeSlots);
    burst = ownBurst;
    try {
      return start();
    } finally {
      void ownBurst.openWhenReady();
      burst = undefined;
    }
  }
}
