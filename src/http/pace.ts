import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { CONCURRENCY, RETRY_PAUSE_MS } from '../settings/limits.ts';

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
   * How many milliseconds to wait after a 429 or 503: as `retryAfter`, the header's value, says (RFC 9110, section
   * 10.2.3); without one it grows with each refusal.
   */
  pauseAfter(retryAfter: string | undefined): number {
    const asked = retryAfter === undefined ? Number.NaN : this.#delay(retryAfter);
    return Number.isNaN(asked) ? RETRY_PAUSE_MS * 2 ** Math.min(this.#refusals, 6) : asked;
  }

  /** Holds all requests back for a pause and halves how many are under way at once from then on. */
  slowDown(pause: number): void {
    this.#refusals += 1;
    this.#limit.concurrency = Math.max(1, Math.floor(this.#limit.concurrency / 2));
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + pause);
  }

  #delay(retryAfter: string): number {
    if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter) * 1000;
    return Math.max(0, Date.parse(retryAfter) - Date.now());
  }
}
