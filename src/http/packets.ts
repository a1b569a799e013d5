import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';

/** How many pieces a body goes out in. */
const PIECES = 3;

/** How many bytes go out by themselves: some letters, or pairs of escapes. */
const SINGLE_BYTES = 30;

const BACKSLASH = 0x5c;

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
export function inPieces(body: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  return pieces(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
  );
}

/** A body cut between all bytes of its first letters beyond ASCII, or escapes. */
export function byteByByte(body: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  const from = Math.max(
    1,
    bytes.findIndex((byte) => byte > 0x7f || byte === BACKSLASH),
  );
  const to = Math.min(bytes.length, from + SINGLE_BYTES);
  const single = Array.from({ length: to - from }, (_, at) => bytes.subarray(from + at, from + at + 1));
  return pieces([bytes.subarray(0, from), ...single, bytes.subarray(to)]);
}

async function* pieces(all: Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of all) {
    await sleep(GAP_MS);
    yield piece;
  }
}
