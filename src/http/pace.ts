import pLimit from 'p-limit';
import type { Settings } from '../settings/settings.ts';
import type { Deadline } from './deadline.ts';

/**
 * Concurrent requests: enough to hide the latency of a remote target, few enough for a development
 * server.
 */
export const CONCURRENCY = 64;

/** The first pause after a 429 or 503 without Retry-After; it doubles each time. */
export const RETRY_PAUSE_MS = 100;

/**
 * The time with nothing but 429 and 503 after which the suite gives up: half of a quota that is
 * refilled each minute.
 */
export const PATIENCE_MS = 30_000;

/**
 * The longest Retry-After that is waited for: quotas are refilled each minute. A client that is
 * locked out waits longer.
 */
const LONGEST_WAIT_MS = 60_000;

/** The time with nothing but 503 from the start after which the service is in maintenance. */
const MAINTENANCE_MS = 5000;

/**
 * The first time between two requests after a limit on their rate has shown, and the longest. It
 * doubles until the limit shows no more.
 */
const FIRST_SPACING_MS = 15;
const LONGEST_SPACING_MS = 1000;

/** Responses between two 429 or 503 that rule out a limit on the rate. */
const MANY_RESPONSES = 10;

/** The settings of the pace. */
export type PaceSettings = Partial<Pick<Settings, 'concurrency' | 'rate'>>;

/** The number of concurrent requests, and the time between them. */
export interface Pace {
  /** Sends when a slot is free, in the order of the calls. Throws Ended. */
  enqueue: <T>(send: () => Promise<T>) => Promise<T>;
  /** Sends in a slot that the caller holds: a wait for another one might never end. Throws Ended. */
  sendInSlot: <T>(send: () => Promise<T>) => Promise<T>;
  /** The reason why only a few requests may be concurrent; undefined if more may be. */
  readonly whyFew: string | undefined;
  /** The number of requests that could be sent at this moment. */
  readonly freeSlots: number;
  /** Sets the number of concurrent requests. */
  allow: (wanted: number) => void;
  /** Limits the number of concurrent requests, because the target takes few connections. */
  slowDown: (reason: string, limit: number) => void;
  /** Notes a response that is neither 429 nor 503. */
  noteResponse: () => void;
  /**
   * Notes a 429 or 503: pauses all requests and then sends one at a time, because some services
   * take only one. If that is too fast, it keeps a time between them. The pause is that of
   * `retryAfter`, the header's value (RFC 9110, section 10.2.3), but no shorter than one that grows
   * each time. Returns the reason to give the target up; undefined while a retry may succeed.
   */
  noteThrottled: (status: number, retryAfter: string | undefined) => string | undefined;
}

/**
 * Makes a pace that starts with many concurrent requests. It slows down after a 429 or 503, and
 * recovers with other responses. It never exceeds `concurrency` requests at once and `rate`
 * requests a second.
 */
export function makePace(deadline: Deadline, settings: PaceSettings = {}): Pace {
  const { concurrency: cap = Infinity, rate = Infinity } = settings;
  const { clock } = deadline;
  let spacingMs = 1000 / rate;
  let most = Math.min(CONCURRENCY, cap);
  const limit = pLimit(most);
  let whyFew: string | undefined;
  let nextAt = 0;
  let pausedUntil = 0;
  let lastResponseAt = clock.now();
  let throttledTimes = 0;
  let responses = 0;
  let responsesBefore = 0;
  /** Whether the target may limit the rate of requests: a longer time between them may help. */
  let mayBeRate = true;
  /**
   * Responses for each further slot. It doubles each time the target asks to wait, so that the
   * number that was too high is seldom tried again.
   */
  let responsesPerSlot = 1;

  async function sendInSlot<T>(send: () => Promise<T>): Promise<T> {
    deadline.check();
    // A pause may become longer, and another request may be sent, while a request waits.
    const left = () => Math.max(nextAt, pausedUntil) - clock.now();
    while (left() > 0) await deadline.pause(left());
    nextAt = clock.now() + spacingMs;
    return send();
  }

  function allow(wanted: number): void {
    if (whyFew) return;
    const allowed = Math.min(wanted, cap);
    // A limit that is lower after a 429 or 503 stays, unless the new one is lower still.
    if (limit.concurrency >= Math.min(most, allowed)) limit.concurrency = allowed;
    most = allowed;
  }

  function slowDown(reason: string, few: number): void {
    most = Math.min(most, few);
    limit.concurrency = Math.min(limit.concurrency, few);
    whyFew ??= reason;
  }

  function noteResponse(): void {
    lastResponseAt = clock.now();
    throttledTimes = 0;
    responses += 1;
    if (limit.concurrency < most && responses % responsesPerSlot === 0) limit.concurrency += 1;
  }

  function noteThrottled(status: number, retryAfter: string | undefined): string | undefined {
    const growingPause = RETRY_PAUSE_MS * 2 ** Math.min(throttledTimes, 6);
    const asked = retryAfterMs(retryAfter);
    const now = clock.now();
    const throttledMs = now - lastResponseAt;
    const isMaintenance = status === 503 && responses === 0;
    if (isMaintenance && Math.max(throttledMs, asked) >= MAINTENANCE_MS) return IN_MAINTENANCE;
    const pause = Math.max(asked, growingPause);
    const returned = `the target returned ${status} and`;
    if (pause > LONGEST_WAIT_MS) return `${returned} locks the suite out for ${inSeconds(pause)} s`;
    if (pause >= deadline.left()) {
      return `${returned} asks to retry after ${inSeconds(pause)} s, past the run's deadline`;
    }
    if (throttledMs + growingPause > PATIENCE_MS) {
      return `${returned} has returned nothing else for ${inSeconds(throttledMs)} s`;
    }
    // Responses to concurrent requests count as one.
    if (now >= pausedUntil) {
      throttledTimes += 1;
      if (limit.concurrency > 1) responsesPerSlot *= 2;
      else if (asked < growingPause) spaceOut(throttledMs);
      limit.concurrency = 1;
      responsesBefore = responses;
    }
    pausedUntil = Math.max(pausedUntil, now + pause);
    return undefined;
  }

  /**
   * Lengthens the time between requests, because a request so long after the last response came
   * too early.
   */
  function spaceOut(throttledMs: number): void {
    const between = responses - responsesBefore;
    if (!mayBeRate || between === 0 || between >= MANY_RESPONSES) return;
    if (throttledMs > LONGEST_SPACING_MS) return;
    spacingMs = Math.max(FIRST_SPACING_MS, 2 * spacingMs);
    if (spacingMs <= LONGEST_SPACING_MS) return;
    mayBeRate = false;
    spacingMs = 1000 / rate;
  }

  return {
    enqueue: (send) => limit(() => sendInSlot(send)),
    sendInSlot,
    get whyFew() {
      return whyFew;
    },
    get freeSlots() {
      const isPaused = spacingMs > 0 || pausedUntil > clock.now();
      if (isPaused) return 0;
      return Math.max(0, limit.concurrency - limit.activeCount - limit.pendingCount);
    },
    allow,
    slowDown,
    noteResponse,
    noteThrottled,
  };
}

const IN_MAINTENANCE = 'the service answers 503 to everything: is it in maintenance?';

const inSeconds = (milliseconds: number): number => Math.round(milliseconds / 1000);

/** Returns the milliseconds of a Retry-After; 0 if it is invalid or in the past. */
function retryAfterMs(retryAfter = ''): number {
  const isSeconds = /^\s*\d+(\.\d+)?\s*$/.test(retryAfter);
  const milliseconds = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, milliseconds);
}
