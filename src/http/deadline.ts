import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The run has ended before the plan was carried out; the message is a clause that says why. */
export class Ended extends Error {}

const PASSED = 'the deadline of the run has passed';

/** The end of a run before its plan is carried out: the time is up, or somebody interrupts it. */
export class Deadline {
  readonly #controller = new AbortController();
  /** Aborts at the end. */
  readonly signal: AbortSignal = this.#controller.signal;
  readonly #timer: NodeJS.Timeout;
  readonly #endsAt: number;

  constructor(milliseconds: number) {
    // Every request and every pause listens to it.
    setMaxListeners(0, this.signal);
    this.#endsAt = performance.now() + milliseconds;
    this.#timer = setTimeout(() => this.end(PASSED), milliseconds);
  }

  /** Ends the run now; the first reason counts. */
  end(why: string): void {
    this.#controller.abort(new Ended(why));
  }

  /** Milliseconds until the time is up. */
  get left(): number {
    return this.#endsAt - performance.now();
  }

  /** Throws Ended when the run is over. Looks at the clock itself, because a busy process is late with its timers. */
  check(): void {
    if (this.left <= 0) this.end(PASSED);
    this.signal.throwIfAborted();
  }

  /** Waits; not at all for a time that is negative. Throws Ended when the run ends meanwhile. */
  async pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: this.signal }).catch(() => {});
    this.check();
  }

  /** Takes the deadline back, when all is done. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
