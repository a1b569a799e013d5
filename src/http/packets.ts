import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from './exchange.ts';

/** How many bytes go out by themselves: some letters, or pairs of escapes. */
const SINGLE_BYTES = 30;

const BACKSLASH = 0x5c;

/** A pause that lets a piece leave before the next is written. Milliseconds. */
const GAP_MS = 5;

type Framing = NonNullable<Request['framing']>;

/** A body in several pieces, which servers must put together. One that is aborted ends in an error. */
export async function* inPackets(body: string, framing: Framing): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  let begin = 0;
  for (const end of endsOf(bytes, framing)) {
    await sleep(GAP_MS);
    yield bytes.subarray(begin, end);
    begin = end;
  }
  if (framing !== 'aborted') return;
  await sleep(GAP_MS);
  throw new Error('the suite closed the connection half-way');
}

/** Whether a byte of UTF-8 is not the first one of a letter. */
const isWithinLetter = (byte: number) => (byte & 0xc0) === 0x80;

/**
 * Where the pieces end: thirds, or a little behind each within a letter of several bytes; or the first half alone, or
 * each byte of the first letters beyond ASCII or escapes.
 */
function endsOf(bytes: Buffer, framing: Framing): number[] {
  const { length } = bytes;
  if (framing === 'aborted') return [Math.ceil(length / 2)];
  if (framing !== 'bytes') {
    const third = (count: number) => {
      const end = Math.ceil((length * count) / 3);
      const withinLetter = bytes.findIndex((byte, at) => at >= end && isWithinLetter(byte));
      return Math.max(end, withinLetter);
    };
    return [...new Set([third(1), third(2), length])];
  }
  const special = bytes.findIndex((byte) => byte > 0x7f || byte === BACKSLASH);
  const first = Math.max(1, special);
  const single = Array.from({ length: SINGLE_BYTES + 1 }, (_, index) => Math.min(length, first + index));
  return [...single, length];
}
