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

/** The settings of the pace. */
export type PaceSettings = Partial<Pick<Settings, 'concurrency' | 'rate'>>;

/** The number of concurrent requests, and the time between them. */
export interface Pace {
  /** Sends when a slot is free, in the order of the calls. Throws Ended. */
  enqueue: <T>(send: () => Promise<T>) => Promise<T>;
  /** Sends after the pauses of the pace, for a caller that has a slot already. Throws Ended. */
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
   * take only one. The pause is that of `retryAfter`, the header's value (RFC 9110, section
   * 10.2.3), but no shorter than one that grows each time. Returns the reason to give the target
   * up, as a clause; undefined while a retry may succeed.
   */
  noteThrottled: (retryAfter: string | undefined) => string | undefined;
}

/**
 * Makes a pace that starts with many concurrent requests. It slows down after a 429 or 503, and
 * recovers with other responses. It never exceeds `concurrency` requests at once and `rate`
 * requests a second.
 */
export function makePace(deadline: Deadline, settings: PaceSettings = {}): Pace {
  const { concurrency: cap = Infinity, rate = Infinity } = settings;
  const { clock } = deadline;
  const spacingMs = 1000 / rate;
  let most = Math.min(CONCURRENCY, cap);
  const limit = pLimit(most);
  let whyFew: string | undefined;
  let nextAt = 0;
  let pausedUntil = 0;
  let lastResponseAt = clock.now();
  let throttledTimes = 0;
  let responses = 0;
  /**
   * Responses for each further slot. It doubles each time the target asks to wait, so that the
   * number that was too high is seldom tried again.
   */
  let responsesPerSlot = 1;

  async function sendInSlot<T>(send: () => Promise<T>): Promise<T> {
    deadline.check();
    const at = Math.max(clock.now(), nextAt);
    nextAt = at + spacingMs;
    // A pause may become longer while a request waits.
    const left = () => Math.max(at, pausedUntil) - clock.now();
    while (left() > 0) await deadline.pause(left());
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

  function noteThrottled(retryAfter: string | undefined): string | undefined {
    const growingPause = RETRY_PAUSE_MS * 2 ** Math.min(throttledTimes, 6);
    const pause = Math.max(retryAfterMs(retryAfter), growingPause);
    if (pause >= deadline.left()) {
      return `asks to retry after ${Math.round(pause / 1000)} s, past the run's deadline`;
    }
    const now = clock.now();
    const throttledMs = now - lastResponseAt;
    if (throttledMs >= PATIENCE_MS) {
      return `has returned nothing else for ${Math.round(throttledMs / 1000)} s`;
    }
    // Responses to concurrent requests count as one.
    if (now >= pausedUntil) {
      throttledTimes += 1;
      if (limit.concurrency > 1) responsesPerSlot *= 2;
      limit.concurrency = 1;
    }
    pausedUntil = Math.max(pausedUntil, now + pause);
    return undefined;
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

/** Returns the milliseconds of a Retry-After; 0 if it is invalid or in the past. */
function retryAfterMs(retryAfter = ''): number {
  const isSeconds = /^\s*\d+(\.\d+)?\s*$/.test(retryAfter);
  const milliseconds = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, milliseconds);
}
