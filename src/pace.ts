import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { CONCURRENCY, RETRY_PAUSE_MS } from './limits.ts';

/** How fast requests go out: many at a time at first, fewer and later when the target asks for it (429, 503). */
export class Pace {
  readonly #limit = pLimit(CONCURRENCY);
  #pausedUntil = 0;
  #refusals = 0;

  /** Runs `send` when its turn has come. */
  take<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#limit(async () => {
      for (let wait = this.#wait(); wait > 0; wait = this.#wait()) await sleep(wait, undefined, { signal });
      return send();
    });
  }

  #wait(): number {
    return this.#pausedUntil - Date.now();
  }

  /**
   * Notes that the target asked to slow down: halves how many requests are under way at once and holds all back.
   * `retryAfter` is the header's value (RFC 9110, section 10.2.3); without one the pause grows with each refusal.
   * Returns the pause in milliseconds.
   */
  slowDown(retryAfter: string | undefined): number {
    this.#refusals += 1;
    this.#limit.concurrency = Math.max(1, Math.floor(this.#limit.concurrency / 2));
    const asked = retryAfter === undefined ? Number.NaN : this.#delay(retryAfter);
    const pause = Number.isNaN(asked) ? RETRY_PAUSE_MS * 2 ** Math.min(this.#refusals - 1, 6) : asked;
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + pause);
    return pause;
  }

  #delay(retryAfter: string): number {
    if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter) * 1000;
    return Math.max(0, Date.parse(retryAfter) - Date.now());
  }
}
