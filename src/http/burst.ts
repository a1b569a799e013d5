import { Buffer } from 'node:buffer';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** How long what is ready waits for the others: most connections are open by then, and no server gives a body up so soon. */
const PATIENCE_MS = 250;

/** How long a target has to take the connections in that are open: some servers take one in each turn of their loop. */
const TAKEN_MS = 15;

/** One request of a burst. */
export interface Place {
  /** Resolves when all others are ready as well. */
  ready: () => Promise<void>;
}

/**
 * Requests that are to be in flight at the same moment. Connections are opened and heads are sent first; what completes a
 * request is held back until all are as far, so that the target gets them together however quick it is.
 */
export class Burst {
  #room: number;
  #size = 0;
  #awaited = 0;
  #isClosed = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #open = () => {};
  readonly #opened = new Promise<void>((open) => {
    this.#open = open;
  });

  /** Has room for so many requests: no more wait for one another than may be under way at once. */
  constructor(room: number) {
    this.#room = room;
  }

  /** Takes a request in; undefined where there is no room. */
  join(): Place | undefined {
    if (this.#isClosed || this.#room === 0) return undefined;
    this.#room -= 1;
    this.#size += 1;
    this.#awaited += 1;
    let isReady = false;
    return {
      ready: () => {
        if (!isReady) this.#awaited -= 1;
        isReady = true;
        this.#timer ??= setTimeout(this.#open, PATIENCE_MS);
        this.#openIfAll();
        return this.#opened;
      },
    };
  }

  /** Takes in no more requests. */
  close(): void {
    this.#isClosed = true;
    this.#openIfAll();
  }

  #openIfAll(): void {
    if (!this.#isClosed || this.#awaited > 0 || this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    void this.#openWhenTaken();
  }

  async #openWhenTaken(): Promise<void> {
    if (this.#size > 1) await sleep(TAKEN_MS);
    // A target in this process takes its turns with the suite.
    for (let turns = 1; turns < this.#size; turns += 1) await turn();
    this.#open();
  }
}

/** A body whose last byte waits for the others of a burst; `onWhole` is called when it goes out. */
export async function* heldBack(body: string, place: Place, onWhole: () => void): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  if (bytes.length > 1) yield bytes.subarray(0, -1);
  await place.ready();
  onWhole();
  yield bytes.subarray(-1);
}
