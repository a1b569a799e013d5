import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';

/** How many pieces a body goes out in. */
const PIECES = 3;

/** A pause that lets a piece leave before the next is written. Milliseconds. */
const GAP_MS = 5;

/** A body in several pieces, never inside a character's bytes only by chance: servers must put them together. */
export async function* inPieces(body: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  for (let start = 0; start < bytes.length; start += size) {
    await sleep(GAP_MS);
    yield bytes.subarray(start, start + size);
  }
}
