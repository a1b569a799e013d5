import { Buffer } from 'node:buffer';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** How long what is ready waits for the others: most connections are open by then, and no server gives a body up so soon. */
const PATIENCE_MS = 250;

/** How long a target has to take the connections in that are open: some servers take one in each turn of their loop. */
const TAKEN_MS = 15;

/** Says that a request of a burst is ready, and resolves when all others are as well. */
export type Ready = () => Promise<void>;

/**
 * Requests that are to be in flight at the same moment, so many at most: no more wait for one another than may be in
 * flight at once. Connections are opened and heads are sent first; what completes a request is held back until all are
 * as far, so that the target gets them together however quick it is.
 */
export function makeBurst(room: number) {
  const all: Promise<void>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    /** Takes a request in; undefined where there is no room. */
    join: (): Ready | undefined => {
      if (all.length >= room) return undefined;
      let ready = () => {};
      const isReady = new Promise<void>((resolve) => {
        ready = resolve;
      });
      all.push(isReady);
      return () => {
        ready();
        timer ??= setTimeout(open, PATIENCE_MS);
        return opened;
      };
    },
    /** Lets the requests go when all that have joined are ready. */
    openWhenReady: async () => {
      await Promise.all(all);
      clearTimeout(timer);
      if (all.length > 1) await sleep(TAKEN_MS);
      // A target in this process takes its turns with the suite.
      for (let turns = 1; turns < all.length; turns += 1) await turn();
      open();
    },
  };
}

/** A body whose last byte waits for the others of a burst; `onWhole` is called when it goes out. */
export async function* heldBack(body: string, ready: Ready, onWhole: () => void): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  if (bytes.length > 1) yield bytes.subarray(0, -1);
  await ready();
  onWhole();
  yield bytes.subarray(-1);
}
