import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure } from '../http/failure.ts';
import { sendersBy } from '../http/senders.ts';
import type { Settings, Target } from '../settings/settings.ts';

/** Milliseconds between two requests. */
const PAUSE_MS = 20;

export type FirstAnswer = ReturnType<typeof firstAnswerOf>;

/** Asks a base address whether anything there speaks HTTP at all: any status will do, so no key is sent. */
export function firstAnswerOf({ baseUrl, tls }: Target, { timeoutMs }: Pick<Settings, 'timeoutMs'>) {
  const { origin, pathname, hostname, port, protocol } = new URL(baseUrl);
  const sender = sendersBy(tls)('new');
  return {
    /** Whether anything takes connections there, be it one that never answers. */
    isTaken: async () => {
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
    },
    /**
     * Waits for an answer, in one request at least. Why none came in time, or before `isOver`, a clause; undefined
     * where one came.
     */
    waitFor: async (milliseconds: number, isOver: () => boolean) => {
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
    },
    close: () => sender.destroy(),
  };
}
