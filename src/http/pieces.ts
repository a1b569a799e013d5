import { Buffer } from 'node:buffer';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Request } from './exchange.ts';

/**
 * The time that a ready request waits for the others of its burst. Most connections are open by
 * then, and no server gives up on a body so soon.
 */
const PATIENCE_MS = 250;

/**
 * The time in which a target accepts the open connections: some servers accept one in each turn of
 * their event loop.
 */
const ACCEPT_MS = 15;

/** Reports that a request of a burst is ready. Resolves when the whole burst is. */
export type ArriveAndWait = () => Promise<unknown>;

/** Requests that reach the target at the same moment. */
export interface Burst {
  /** Adds a request; undefined if the burst is full. */
  join: () => ArriveAndWait | undefined;
  /** Completes all requests when each of them is ready. */
  openWhenReady: () => Promise<void>;
}

/**
 * Makes a burst of at most `size` requests. Connections are opened and heads are sent first. The
 * end of each request is held back until all are ready, so that even a quick target receives them
 * together.
 */
export function makeBurst(size: number): Burst {
  const arrivals: Promise<unknown>[] = [];
  const gate = new EventEmitter();
  const opened = once(gate, 'open');
  const open = () => gate.emit('open');
  let timer: NodeJS.Timeout | undefined;

  function join(): ArriveAndWait | undefined {
    if (arrivals.length >= size) return undefined;
    const request = new EventEmitter();
    arrivals.push(once(request, 'ready'));
    return () => {
      request.emit('ready');
      timer ??= setTimeout(open, PATIENCE_MS);
      return opened;
    };
  }

  async function openWhenReady(): Promise<void> {
    await Promise.all(arrivals);
    clearTimeout(timer);
    if (arrivals.length > 1) await sleep(ACCEPT_MS);
    // A target in this process shares the event loop with the suite.
    for (let turns = 1; turns < arrivals.length; turns += 1) await turn();
    open();
  }

  return { join, openWhenReady };
}

/** Yields a body whose last byte waits for the burst. Calls `onWhole` just before that byte. */
export async function* inBurst(
  body: string,
  arriveAndWait: ArriveAndWait,
  onWhole: () => void,
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  if (bytes.length > 1) yield bytes.subarray(0, -1);
  await arriveAndWait();
  onWhole();
  yield bytes.subarray(-1);
}

/** The number of bytes that are sent one by one: some letters, or pairs of escapes. */
const SINGLE_BYTES = 30;

/** The pause in which a packet leaves before the next is written, in milliseconds. */
const GAP_MS = 5;

type Framing = NonNullable<Request['framing']>;

/**
 * Yields a body in several packets, which servers must join. `onWhole` is called when the last one
 * is sent. Throws at the end of an aborted body.
 */
export async function* inPackets(
  body: string,
  framing: Framing,
  onWhole: () => void,
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  let start = 0;
  for (const end of endsOf(bytes, framing)) {
    // A server may reject the head at once. Chunks after its response would break the connection.
    if (framing !== 'chunked') await sleep(GAP_MS);
    if (end === bytes.length) onWhole();
    yield bytes.subarray(start, end);
    start = end;
  }
  if (!framing.startsWith('aborted')) return;
  // The target receives the packets before the connection is closed.
  await sleep(GAP_MS);
  throw new Error('the suite closed the connection before the response');
}

/** Returns the offsets at which packets end. */
function endsOf(bytes: Buffer, framing: Framing): number[] {
  const { length } = bytes;
  // undici sends the head with the first byte.
  if (framing === 'aborted at the head') return [1];
  if (framing === 'aborted') return [Math.ceil(length / 2)];
  if (framing === 'aborted at the end') return [length];
  return framing === 'bytes' ? singleByteEnds(bytes) : thirdEnds(bytes);
}

/** Returns the ends of single bytes from the first escape or the first letter beyond ASCII on. */
function singleByteEnds(bytes: Buffer): number[] {
  const { length } = bytes;
  const backslash = '\\'.charCodeAt(0);
  const special = bytes.findIndex((byte) => byte > 0x7f || byte === backslash);
  const first = Math.max(1, special);
  const ends = Array.from({ length: SINGLE_BYTES + 1 }, (_, index) =>
    Math.min(length, first + index),
  );
  return [...ends, length];
}

/** Returns the ends of thirds, each moved into the next letter of several bytes if possible. */
function thirdEnds(bytes: Buffer): number[] {
  const { length } = bytes;
  const ends = [1, 2].map((count) => {
    const third = Math.ceil((length * count) / 3);
    // In UTF-8, each byte of a letter but the first begins with the bits 10.
    const within = bytes.findIndex((byte, index) => index >= third && (byte & 0xc0) === 0x80);
    return Math.max(third, within);
  });
  return [...new Set([...ends, length])];
}
