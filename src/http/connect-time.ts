import { CONNECTION_MS } from '../settings/limits.ts';
import { type Connection, isLane } from './exchange.ts';

/** How many times as long as the first a connection may take: to a target far away each takes long. */
const FAR = 4;

/**
 * Watches how long the target takes to accept connections. Where many are opened at once and its queue holds few (five, in the
 * standard library of Python), TCP tries again after a second, after two more, and so on.
 */
export class ConnectTime {
  /** Called where a connection takes too long. */
  onSlow: () => void = () => {};
  #mayTake: number | undefined;

  /** Watches the connection of a request. What is returned is to be called with the milliseconds that it took, or at the end. */
  watch(connection: Connection): (took?: number) => void {
    // On a lane requests wait for one another.
    const mayTake = isLane(connection) ? undefined : this.#mayTake;
    let isOver = false;
    // What has come meanwhile is looked at first: the suite may have been busy itself.
    const look = () => setImmediate(() => isOver || this.onSlow());
    const timer = mayTake === undefined ? undefined : setTimeout(look, mayTake);
    return (took) => {
      isOver = true;
      clearTimeout(timer);
      if (took !== undefined) this.#mayTake ??= Math.max(CONNECTION_MS, FAR * took);
    };
  }
}
