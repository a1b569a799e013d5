import type { Exchange } from './exchange.ts';
import { isClosedConnection, isNotConnected, isTimeout } from './failure.ts';

/** How often a request is sent before its answer counts as missing: on a kept connection, then on new ones. */
export const ATTEMPTS = 3;

/** How many requests of a run are sent again after a time-out. */
const TIMEOUTS_REPEATED = 2;

/** Tells which requests that got no answer are sent again. */
export class Repeats {
  /** Why an attempt got no answer. */
  readonly #lost = new WeakMap<Exchange, unknown>();
  #timeouts = 0;

  /** Notes why an attempt got no answer. */
  note(exchange: Exchange, error: unknown): void {
    this.#lost.set(exchange, error);
  }

  /** Whether a request may be sent again after so many attempts, and may be expected to get an answer. */
  may(exchange: Exchange, attempts: number, anythingAnswered: boolean): boolean {
    if (attempts >= ATTEMPTS) return false;
    const error = this.#lost.get(exchange);
    // A queue of connections that was full has room by now.
    if (error !== undefined && isNotConnected(error)) return anythingAnswered;
    if (exchange.request.method === 'POST') return false;
    if (error === undefined || isClosedConnection(error)) return true;
    if (!isTimeout(error) || !anythingAnswered) return false;
    // A target that keeps silent costs the whole time-out each time.
    this.#timeouts += 1;
    return this.#timeouts <= TIMEOUTS_REPEATED;
  }
}
