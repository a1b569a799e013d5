import { SILENCE_MS } from '../settings/limits.ts';

/** How many times as long as the quickest answer the target may be silent. */
const UNUSUAL = 3;

/** How soon after connections were closed an answer comes for that reason, and how long a silence is once that is known. Milliseconds. */
const SOON_MS = 50;

/** How often closing must have helped: once may be chance. */
const OFTEN = 2;

/**
 * Watches for a target that is silent because idle connections hold its workers: requests wait, nothing comes, and something
 * comes soon after these connections are closed.
 */
export class Silence {
  /** Requests that were written and got no answer yet. */
  #waiting = 0;
  #quickest = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #freedAt = Number.NEGATIVE_INFINITY;
  #helped = 0;
  readonly #free: () => boolean;
  readonly #onHeld: () => void;

  /** `free` closes idle connections, and says whether there were any; `onHeld` is called when that has helped. */
  constructor(free: () => boolean, onHeld: () => void) {
    this.#free = free;
    this.#onHeld = onHeld;
  }

  /** Watches a request that was just written. What is returned is to be called when it is answered, and at its end. */
  watch(): (isAnswered: boolean) => void {
    const writtenAt = performance.now();
    let isOver = false;
    this.#waiting += 1;
    if (this.#timer === undefined) this.#listen();
    return (isAnswered) => {
      if (isOver) return;
      isOver = true;
      this.#waiting -= 1;
      if (isAnswered) this.#heard(performance.now() - writtenAt);
      this.#listen();
    };
  }

  #heard(waited: number): void {
    this.#quickest = Math.min(this.#quickest, waited);
    if (performance.now() - this.#freedAt <= Math.max(SOON_MS, this.#quickest)) {
      this.#helped += 1;
      if (this.#helped === OFTEN) this.#onHeld();
    }
    this.#freedAt = Number.NEGATIVE_INFINITY;
  }

  /** Waits for the next answer. */
  #listen(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === 0 || !Number.isFinite(this.#quickest)) return;
    const least = this.#helped < OFTEN ? SILENCE_MS : SOON_MS;
    // What has come meanwhile is looked at first: the suite may have been busy itself.
    const look = () => setImmediate(() => this.#timer === timer && this.#end());
    const timer = setTimeout(look, Math.max(least, UNUSUAL * this.#quickest));
    this.#timer = timer;
  }

  #end(): void {
    if (!this.#free()) return;
    this.#freedAt = performance.now();
    this.#listen();
  }
}
