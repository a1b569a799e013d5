import pLimit from 'p-limit';
import type { Settings } from '../settings/settings.ts';
import type { Deadline } from './deadline.ts';

/** Requests in flight at once: enough to hide the latency of a remote target, few enough for a development server. */
export const CONCURRENCY = 64;

/** The first pause after a 429 or 503 without Retry-After; it doubles with each. */
export const RETRY_PAUSE_MS = 100;

/** How long a target may answer nothing but 429 and 503 before the suite gives up: a minute's quota, half refilled. */
export const PATIENCE_MS = 30_000;

/** What a user says of the pace. */
export type PaceSettings = Partial<Pick<Settings, 'concurrency' | 'rate'>>;

/**
 * How fast requests go out: many at a time at first, fewer and later when the target asks for it (429, 503), and more
 * again when it answers. `concurrency` requests at once at most, and `rate` a second.
 */
export function paceBy(
  deadline: Deadline,
  { concurrency: cap = Infinity, rate = Infinity }: PaceSettings = {},
) {
  const { clock } = deadline;
  const spacingMs = 1000 / rate;
  let most = Math.min(CONCURRENCY, cap);
  const limit = pLimit(most);
  /** Why only a few requests may be in flight at once; undefined where more may be. */
  let whyFew: string | undefined;
  let nextAt = 0;
  let pausedUntil = 0;
  let lastServed = clock.now();
  let refusals = 0;
  let served = 0;
  /**
   * Answers after which one more request goes out at a time: more with each refusal, so that what is too many is seldom
   * tried.
   */
  let recovery = 1;

  /** Runs `send` when nothing is held back, for who has a turn already. Throws Ended. */
  const goOn = async <T>(send: () => Promise<T>): Promise<T> => {
    deadline.check();
    const at = Math.max(clock.now(), nextAt);
    nextAt = at + spacingMs;
    const left = () => Math.max(at, pausedUntil) - clock.now();
    while (left() > 0) await deadline.pause(left());
    return send();
  };

  return {
    goOn,
    /** Runs `send` when its turn has come, in the order of the calls. Throws Ended. */
    take: <T>(send: () => Promise<T>): Promise<T> => limit(() => goOn(send)),
    get whyFew() {
      return whyFew;
    },
    /** How many requests that are sent now go out at once. */
    get room(): number {
      const isHeldBack = spacingMs > 0 || pausedUntil > clock.now();
      return isHeldBack
        ? 0
        : Math.max(0, limit.concurrency - limit.activeCount - limit.pendingCount);
    },
    /** Lets as many requests be in flight at once from now on. */
    allow: (wanted: number): void => {
      if (whyFew) return;
      const allowed = Math.min(wanted, cap);
      // A target that asked for fewer gets fewer still.
      if (limit.concurrency >= Math.min(most, allowed)) limit.concurrency = allowed;
      most = allowed;
    },
    /**
     * Lets only a few requests, or so many, be in flight at once from now on, because the target takes few connections.
     */
    slowDown: (why: string, few: number): void => {
      most = Math.min(most, few);
      limit.concurrency = Math.min(limit.concurrency, few);
      whyFew ??= why;
    },
    /** Notes an answer that is neither 429 nor 503. */
    noteAnswer: (): void => {
      lastServed = clock.now();
      refusals = 0;
      served += 1;
      if (limit.concurrency < most && served % recovery === 0) limit.concurrency += 1;
    },
    /**
     * Notes a 429 or 503: holds all requests back, and lets one at a time go out then, because some services take only
     * one. The pause is what `retryAfter`, the header's value, asks for (RFC 9110, section 10.2.3), and no shorter than
     * one that grows with each refusal. Returns why nothing more is to be expected of the target, a clause; undefined
     * as long as there is hope.
     */
    noteRefusal: (retryAfter: string | undefined): string | undefined => {
      const growing = RETRY_PAUSE_MS * 2 ** Math.min(refusals, 6);
      const pause = Math.max(delay(retryAfter), growing);
      const now = clock.now();
      if (pause >= deadline.left())
        return `asks to retry after ${Math.round(pause / 1000)} s, past the run's deadline`;
      const refusedMs = now - lastServed;
      if (refusedMs >= PATIENCE_MS)
        return `has returned nothing else for ${Math.round(refusedMs / 1000)} s`;
      // Refusals of requests that were in flight together count as one.
      if (now >= pausedUntil) {
        refusals += 1;
        if (limit.concurrency > 1) recovery *= 2;
        limit.concurrency = 1;
      }
      pausedUntil = Math.max(pausedUntil, now + pause);
      return undefined;
    },
  };
}

/** What a Retry-After asks for in milliseconds; 0 where it can't be read, or is over. */
function delay(retryAfter = ''): number {
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(retryAfter) ? Number(retryAfter) * 1000 : Number.NaN;
  const asked = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds;
  return Number.isNaN(asked) ? 0 : Math.max(0, asked);
}
