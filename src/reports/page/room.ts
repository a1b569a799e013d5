import type { Html } from '../html.ts';

/** Bytes of a page that what a target sent may take: a page of a usual run needs half of it. */
const ROOM = 160_000;

/** Keeps a page small whatever a target sends: takes parts in full as long as there is room for them. */
export class PageRoom {
  #left = ROOM;

  /** The part; or, where it does not fit, what stands in its place. */
  fit<T>(part: Html, otherwise: T): Html | T {
    const size = Buffer.byteLength(String(part));
    if (size > this.#left) return otherwise;
    this.#left -= size;
    return part;
  }
}
