import { setMaxListeners } from 'node:events';
import { NotVerified } from '../requirement/outcome.ts';

/** The end of a run before its checks are through: the deadline has passed, or the person interrupts it. */
export class RunEnd {
  /** Aborts at the end. */
  readonly signal: AbortSignal;
  /** Rejects with NotVerified at the end. */
  readonly reached: Promise<never>;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #why = '';

  constructor(deadlineMs: number) {
    this.signal = this.#controller.signal;
    // Every request and every pause listens to it.
    setMaxListeners(0, this.signal);
    this.reached = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.error()));
    });
    this.reached.catch(() => {});
    this.#timer = setTimeout(() => this.end('the deadline of the run has passed'), deadlineMs);
  }

  /** Ends the run now; the first reason counts. */
  end(why: string): void {
    this.#why ||= why;
    this.#controller.abort();
  }

  /** What ends a check at the end of the run. */
  error(): NotVerified {
    return new NotVerified(this.#why);
  }

  /** Takes the deadline back, when all is done. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
