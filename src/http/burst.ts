import { Buffer } from 'node:buffer';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** How long what is ready waits for the others: most connections are open by then, and no server gives a body up so soon. */
const PATIENCE_MS = 250;

/** How long a target has to take the connections in that are open: some servers take one in each turn of their loop. */
const TAKEN_MS = 15;

/** Says that a request of a burst is ready, and resolves when all others are as well. */
export type Ready = () => Promise<void>;

/**
 * Requests that are to be in flight at the same moment. Connections are opened and heads are sent first; what completes a
 * request is held back until all are as far, so that the target gets them together however quick it is.
 */
export class Burst {
  readonly #room: number;
  readonly #all: Promise<void>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #open = () => {};
  readonly #opened = new Promise<void>((open) => {
    this.#open = open;
  });

  /** Has room for so many requests: no more wait for one another than may be in flight at once. */
  constructor(room: number) {
    this.#room = room;
  }

  /** Takes a request in; undefined where there is no room. */
  join(): Ready | undefined {
    if (this.#all.length >= this.#room) return undefined;
    let ready = () => {};
    this.#all.push(
      new Promise((resolve) => {
        ready = resolve;
      }),
    );
    return () => {
      ready();
      this.#timer ??= setTimeout(this.#open, PATIENCE_MS);
      return this.#opened;
    };
  }

  /** Lets the requests go when all that have joined are ready. */
  async openWhenReady(): Promise<void> {
    await Promise.all(this.#all);
    clearTimeout(this.#timer);
    if (this.#all.length > 1) await sleep(TAKEN_MS);
    // A target in this process takes its turns with the suite.
    for (let turns = 1; turns < this.#all.length; turns += 1) await turn();
    this.#open();
  }
}

/** A body whose last byte waits for the others of a burst; `onWhole` is called when it goes out. */
export async function* heldBack(body: string, ready: Ready, onWhole: () => void): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  if (bytes.length > 1) yield bytes.subarray(0, -1);
  await ready();
  onWhole();
  yield bytes.subarray(-1);
}
