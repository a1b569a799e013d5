import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';

/** How many pieces a body goes out in. */
const PIECES = 3;

/** A pause that lets a piece leave before the next is written. Milliseconds. */
const GAP_MS = 5;

/** What ends a body that is given up half-way. */
export const HUNG_UP = 'the suite closed the connection half-way';

/** The first half of a body, and then its end. Throws an error with the message HUNG_UP. */
export async function* halfOf(body: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  yield bytes.subarray(0, Math.ceil(bytes.length / 2));
  await sleep(GAP_MS);
  throw new Error(HUNG_UP);
}

/** A body in several pieces, never inside a character's bytes only by chance: servers must put them together. */
export async function* inPieces(body: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  for (let start = 0; start < bytes.length; start += size) {
    await sleep(GAP_MS);
    yield bytes.subarray(start, start + size);
  }
}
