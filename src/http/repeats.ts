import type { Request } from './exchange.ts';
import { isClosedConnection, isNotConnected, isTimeout } from './failure.ts';

/** How often a request is sent before its answer counts as missing: on a kept connection, then on new ones. */
export const ATTEMPTS = 3;

/** How many requests of a run are sent again after a time-out. */
const TIMEOUTS_REPEATED = 2;

/** Tells which requests that got no answer are sent again. */
export class Repeats {
  #timeouts = 0;

  /**
   * Whether a request may be sent again after so many attempts, and may be expected to get an answer. `error` is why it got none;
   * undefined after a gateway's answer.
   */
  may({ method }: Request, attempts: number, error: unknown, anythingAnswered: boolean): boolean {
    if (attempts >= ATTEMPTS) return false;
    // A queue of connections that was full has room by now.
    if (error !== undefined && isNotConnected(error)) return anythingAnswered;
    if (method === 'POST') return false;
    if (error === undefined || isClosedConnection(error)) return true;
    if (!isTimeout(error) || !anythingAnswered) return false;
    // A target that keeps silent costs the whole time-out each time.
    this.#timeouts += 1;
    return this.#timeouts <= TIMEOUTS_REPEATED;
  }
}
