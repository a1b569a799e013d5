import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure, isRefused } from '../http/failure.ts';
import { senderFactory } from '../http/senders.ts';
import { nameOf } from '../settings/names.ts';
import type { Settings, Target } from '../settings/settings.ts';

/** Whether a process accepts connections at a base address, even if it never responds. */
export async function isTaken({ baseUrl }: Target, timeoutMs: number): Promise<boolean> {
  const { hostname } = new URL(baseUrl);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: portOf(baseUrl) });
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
 * Waits for an HTTP response to a request without the key. Returns the last failure, a clause;
 * undefined after a response with any status.
 */
export async function waitForResponse(
  { baseUrl, tls }: Target,
  { timeoutMs, startTimeoutMs }: Settings,
  isEnded: () => boolean,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(baseUrl);
  const sender = senderFactory(tls)('new');
  const until = performance.now() + startTimeoutMs;
  for (;;) {
    const leftMs = Math.max(1, Math.ceil(until - performance.now()));
    const patienceMs = Math.min(leftMs, timeoutMs);
    const signal = AbortSignal.timeout(patienceMs);
    try {
      await sender.request({ origin, path: pathname, method: 'GET', signal, onHead: () => -1 });
      return undefined;
    } catch (error) {
      if (isEnded() || performance.now() >= until) {
        if (isRefused(error)) return nothingListens(baseUrl);
        return describeFailure(error, origin, patienceMs);
      }
    }
    await sleep(20);
  }
}

const nothingListens = (baseUrl: string): string =>
  `nothing listens there; the command may use another port than ${portOf(baseUrl)}, the port of ${nameOf('BASE_URL')}`;

function portOf(baseUrl: string): number {
  const { port, protocol } = new URL(baseUrl);
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
