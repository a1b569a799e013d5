import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure } from '../http/failure.ts';
import { sendersBy } from '../http/senders.ts';
import type { Target } from '../settings/target.ts';

/** Milliseconds between two requests. */
const PAUSE_MS = 20;

/** Whether anything takes connections at a base address, be it one that never answers. */
export async function isTaken({ baseUrl }: Target, timeoutMs: number): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const [host, usual] = [hostname.replace(/^\[|\]$/g, ''), protocol === 'https:' ? 443 : 80];
  const socket = connect({ host, port: Number(port) || usual });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Asks a base address for so many milliseconds, in one request at least, whether anything there speaks HTTP at all: any
 * status will do, so no key is sent. Why none came in time, or before `isOver`, a clause; undefined where one came.
 */
export async function whyNoAnswer(
  { baseUrl, tls }: Target,
  timeoutMs: number,
  milliseconds = timeoutMs,
  isOver = () => true,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(baseUrl);
  const sender = sendersBy(tls)('new');
  const until = performance.now() + milliseconds;
  for (;;) {
    const left = Math.max(1, Math.min(Math.ceil(until - performance.now()), timeoutMs));
    const request = { origin, path: pathname, method: 'GET', signal: AbortSignal.timeout(left) } as const;
    try {
      await sender.request({ ...request, onHead: () => -1 });
      return undefined;
    } catch (error) {
      if (isOver() || performance.now() >= until) return describeFailure(error, origin, left);
    }
    await sleep(PAUSE_MS);
  }
}
