import { Buffer } from 'node:buffer';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Request } from './exchange.ts';

/**
 * How long what is ready waits for the others: most connections are open by then, and no server gives a body up so
 * soon.
 */
const PATIENCE_MS = 250;

/** How long a target has to take the connections in that are open: some servers take one in each turn of their loop. */
const TAKEN_MS = 15;

/** Says that a request of a burst is ready, and resolves when all others are as well. */
export type Ready = () => Promise<unknown>;

/**
 * Requests that are to be in flight at the same moment, so many at most: no more wait for one another than may be in
 * flight at once. Connections are opened and heads are sent first; what completes a request is held back until all are
 * as far, so that the target gets them together however quick it is.
 */
export function makeBurst(room: number) {
  const all: Promise<unknown>[] = [];
  let timer: NodeJS.Timeout | undefined;
  const burst = new EventEmitter();
  const opened = once(burst, 'open');
  const open = () => burst.emit('open');
  return {
    /** Takes a request in; undefined where there is no room. */
    join: (): Ready | undefined => {
      if (all.length >= room) return undefined;
      const request = new EventEmitter();
      all.push(once(request, 'ready'));
      return () => {
        request.emit('ready');
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
export async function* heldBack(
  body: string,
  ready: Ready,
  onWhole: () => void,
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  if (bytes.length > 1) yield bytes.subarray(0, -1);
  await ready();
  onWhole();
  yield bytes.subarray(-1);
}

/** How many bytes go out by themselves: some letters, or pairs of escapes. */
const SINGLE_BYTES = 30;

/** A pause that lets a piece leave before the next is written. Milliseconds. */
const GAP_MS = 5;

type Framing = NonNullable<Request['framing']>;

/**
 * A body in several pieces, which servers must put together; `onWhole` is called when the last of them goes out. One
 * that is aborted ends in an error.
 */
export async function* inPackets(
  body: string,
  framing: Framing,
  onWhole: () => void,
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  let begin = 0;
  for (const end of endsOf(bytes, framing)) {
    // A server that rejects it on its head leaves chunks unread, which must not come after its response.
    if (framing !== 'chunked') await sleep(GAP_MS);
    if (end === bytes.length) onWhole();
    yield bytes.subarray(begin, end);
    begin = end;
  }
  if (!framing.startsWith('aborted')) return;
  // The target gets what was written before the connection is closed.
  await sleep(GAP_MS);
  throw new Error('the suite closed the connection before the response');
}

/**
 * Where the pieces end: thirds, or a little behind each within a letter of several bytes; or the first half alone, or
 * each byte of the first letters beyond ASCII or escapes.
 */
function endsOf(bytes: Buffer, framing: Framing): number[] {
  const { length } = bytes;
  // undici sends the head with the first byte.
  if (framing === 'aborted at the head') return [1];
  if (framing === 'aborted') return [Math.ceil(length / 2)];
  if (framing === 'aborted at the end') return [length];
  if (framing !== 'bytes') {
    const thirds = [1, 2].map((count) => Math.ceil((length * count) / 3));
    // Of a letter in UTF-8 each byte but the first has these two bits.
    const withinLetter = (end: number) =>
      bytes.findIndex((byte, at) => at >= end && (byte & 0xc0) === 0x80);
    return [...new Set([...thirds.map((end) => Math.max(end, withinLetter(end))), length])];
  }
  const special = bytes.findIndex((byte) => byte > 0x7f || byte === '\\'.charCodeAt(0));
  const first = Math.max(1, special);
  const single = Array.from({ length: SINGLE_BYTES + 1 }, (_, index) =>
    Math.min(length, first + index),
  );
  return [...single, length];
}
