import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDispatchers } from '../http/dispatchers.ts';
import { describeFailure } from '../http/failure.ts';
import type { Settings, Target } from '../settings/settings.ts';

/** Milliseconds between two requests. */
const PAUSE_MS = 20;

export type FirstAnswer = ReturnType<typeof firstAnswerOf>;

/** Asks a base address whether anything there speaks HTTP at all: any status will do, so no key is sent. */
export function firstAnswerOf({ baseUrl, tls }: Target, { timeoutMs }: Pick<Settings, 'timeoutMs'>) {
  const { origin, pathname, hostname, port, protocol } = new URL(baseUrl);
  const dispatcher = makeDispatchers(tls).new;
  let failure = '';
  const isTaken = async () => {
    const [host, usual] = [hostname.replace(/^\[|\]$/g, ''), protocol === 'https:' ? 443 : 80];
    const socket = connect({ host, port: Number(port) || usual });
    const connected = once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return connected
      .then(
        () => true,
        () => false,
      )
      .finally(() => socket.destroy());
  };
  const isThere = async (milliseconds = timeoutMs) => {
    const signal = AbortSignal.timeout(milliseconds);
    try {
      await dispatcher.request({ origin, path: pathname, method: 'GET', signal, onHead: () => -1 });
      return true;
    } catch (error) {
      failure = describeFailure(error, origin, milliseconds);
      return false;
    }
  };
  const waitFor = async (milliseconds: number, isOver: () => boolean) => {
    const until = performance.now() + milliseconds;
    while (!isOver()) {
      const left = until - performance.now();
      if (left <= 0) return false;
      if (await isThere(Math.min(Math.ceil(left), timeoutMs))) return !isOver();
      await sleep(Math.min(left, PAUSE_MS));
    }
    return false;
  };
  return {
    /** Whether anything takes connections there, be it one that never answers. */
    isTaken,
    /** Whether there is an answer now. */
    isThere,
    /** Waits for one; false where none comes in time, or `isOver` comes first. */
    waitFor,
    /** Why there was no answer the last time, a clause. */
    failure: () => failure,
    close: () => dispatcher.destroy(),
  };
}
