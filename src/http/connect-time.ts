import { type Connection, isLane } from './exchange.ts';

/** How long a connection to a target at hand takes at most: where its queue is full, TCP tries again after a second. */
const CONNECTION_MS = 500;

/** How many times as long as the first a connection may take: to a target far away each takes long. */
const FAR = 4;

/**
 * Watches how long the target takes to accept connections. Where many are opened at once and its queue holds few (five, in the
 * standard library of Python), TCP tries again after a second, after two more, and so on. What is returned watches the connection
 * of a request: call its result with the milliseconds that the connection took, or at the end.
 */
export function watchConnections(onSlow: () => void): (connection: Connection) => (took?: number) => void {
  let usual: number | undefined;
  return (connection) => {
    // On a lane requests wait for one another.
    const mayTake = isLane(connection) ? undefined : usual;
    let isOver = false;
    // What has come meanwhile is looked at first: the suite may have been busy itself.
    const look = () => setImmediate(() => isOver || onSlow());
    const timer = mayTake === undefined ? undefined : setTimeout(look, mayTake);
    return (took) => {
      isOver = true;
      clearTimeout(timer);
      if (took !== undefined) usual ??= Math.max(CONNECTION_MS, FAR * took);
    };
  };
}
