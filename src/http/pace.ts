import pLimit from 'p-limit';
import { CONCURRENCY } from '../settings/limits.ts';
import type { Settings } from '../settings/settings.ts';
import type { Deadline } from './deadline.ts';

/** The first pause after a 429 or 503 without Retry-After; it doubles with each. */
export const RETRY_PAUSE_MS = 100;

/** How long a target may answer nothing but 429 and 503 before the suite gives up: a minute's quota, half refilled. */
export const PATIENCE_MS = 30_000;

/** What a user says of the pace. */
export type PaceSettings = Partial<Pick<Settings, 'concurrency' | 'rate'>>;

/**
 * How fast requests go out: many at a time at first, fewer and later when the target asks for it (429, 503), and more again
 * when it answers.
 */
export class Pace {
  readonly #limit: ReturnType<typeof pLimit>;
  #most: number;
  /** What the user allows: requests at once, and milliseconds between two of them. */
  readonly #cap: number;
  readonly #spacingMs: number;
  #nextAt = 0;
  /** Why only a few requests may be in flight at once; undefined where more may be. */
  whyFew: string | undefined;
  readonly #deadline: Deadline;
  #pausedUntil = 0;
  #lastServed = performance.now();
  #refusals = 0;
  #served = 0;
  /**
   * Answers after which one more request goes out at a time: more with each refusal, so that what is too many is seldom
   * tried.
   */
  #recovery = 1;

  /** `concurrency` requests at once at most, and `rate` a second. */
  constructor(deadline: Deadline, { concurrency, rate }: PaceSettings = {}) {
    this.#cap = concurrency ?? Number.POSITIVE_INFINITY;
    this.#spacingMs = rate === undefined ? 0 : 1000 / rate;
    this.#most = Math.min(CONCURRENCY, this.#cap);
    this.#limit = pLimit(this.#most);
    this.#deadline = deadline;
  }

  /** Runs `send` when its turn has come, in the order of the calls. Throws Ended. */
  readonly take = <T>(send: () => Promise<T>): Promise<T> => this.#limit(() => this.goOn(send));

  /** Runs `send` when nothing is held back, for who has a turn already. Throws Ended. */
  readonly goOn = async <T>(send: () => Promise<T>): Promise<T> => {
    this.#deadline.check();
    if (this.#spacingMs > 0) {
      const at = Math.max(performance.now(), this.#nextAt);
      this.#nextAt = at + this.#spacingMs;
      await this.#deadline.pause(at - performance.now());
    }
    while (this.#pausedUntil > performance.now()) await this.#deadline.pause(this.#pausedUntil - performance.now());
    return send();
  };

  /** How many requests that are sent now go out at once. */
  get room(): number {
    const { concurrency, activeCount, pendingCount } = this.#limit;
    const isHeldBack = this.#spacingMs > 0 || this.#pausedUntil > performance.now();
    return isHeldBack ? 0 : Math.max(0, concurrency - activeCount - pendingCount);
  }

  /** Lets as many requests be in flight at once from now on. */
  allow(wanted: number): void {
    if (this.whyFew) return;
    const most = Math.min(wanted, this.#cap);
    // A target that asked for fewer gets fewer still.
    if (this.#limit.concurrency >= Math.min(this.#most, most)) this.#limit.concurrency = most;
    this.#most = most;
  }

  /** Lets only a few requests, or so many, be in flight at once from now on, because the target takes few connections. */
  slowDown(why: string, most: number): void {
    this.#most = Math.min(this.#most, most);
    this.#limit.concurrency = Math.min(this.#limit.concurrency, most);
    this.whyFew ??= why;
  }

  /** Notes an answer that is neither 429 nor 503. */
  noteAnswer(): void {
    this.#lastServed = performance.now();
    this.#refusals = 0;
    this.#served += 1;
    if (this.#limit.concurrency < this.#most && this.#served % this.#recovery === 0) this.#limit.concurrency += 1;
  }

  /**
   * Notes a 429 or 503: holds all requests back, and lets one at a time go out then, because some services take only
   * one. The pause is what `retryAfter`, the header's value, asks for (RFC 9110, section 10.2.3), and no shorter than
   * one that grows with each refusal. Returns why nothing more is to be expected of the target, a clause; undefined as
   * long as there is hope.
   */
  noteRefusal(retryAfter: string | undefined): string | undefined {
    const growing = RETRY_PAUSE_MS * 2 ** Math.min(this.#refusals, 6);
    const pause = Math.max(delay(retryAfter), growing);
    const now = performance.now();
    if (pause >= this.#deadline.left) {
      return `asks to retry after ${Math.round(pause / 1000)} s, past the run's deadline`;
    }
    if (now - this.#lastServed >= PATIENCE_MS) {
      return `has returned nothing else for ${Math.round((now - this.#lastServed) / 1000)} s`;
    }
    // Refusals of requests that were in flight together count as one.
    if (now >= this.#pausedUntil) {
      this.#refusals += 1;
      if (this.#limit.concurrency > 1) this.#recovery *= 2;
      this.#limit.concurrency = 1;
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    return undefined;
  }
}

/** What a Retry-After asks for in milliseconds; 0 where it can't be read, or is over. */
function delay(retryAfter = ''): number {
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(retryAfter) ? Number(retryAfter) * 1000 : Number.NaN;
  const asked = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds;
  return Number.isNaN(asked) ? 0 : Math.max(0, asked);
}
