import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDispatchers } from '../http/dispatchers.ts';
import { describeFailure, TIMED_OUT } from '../http/failure.ts';
import type { Settings, Target } from '../settings/settings.ts';

/** Milliseconds between two requests. */
const PAUSE_MS = 20;

export type FirstAnswer = ReturnType<typeof firstAnswerOf>;

/** Asks a base address whether anything there speaks HTTP at all: any status will do, so no key is sent. */
export function firstAnswerOf({ baseUrl, tls }: Target, { timeoutMs }: Pick<Settings, 'timeoutMs'>) {
  const { origin, pathname, hostname, port, protocol } = new URL(baseUrl);
  const dispatcher = makeDispatchers(tls).new;
  let failure = '';
  const isTaken = () =>
    new Promise<boolean>((told) => {
      const [host, usual] = [hostname.replace(/^\[|\]$/g, ''), protocol === 'https:' ? 443 : 80];
      const socket = connect({ host, port: Number(port) || usual, timeout: timeoutMs });
      const tell = (taken: boolean) => {
        socket.destroy();
        told(taken);
      };
      socket.once('connect', () => tell(true));
      for (const event of ['timeout', 'error']) socket.once(event, () => tell(false));
    });
  const isThere = async (milliseconds = timeoutMs) => {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new Error(TIMED_OUT)), milliseconds);
    try {
      await dispatcher.request({ origin, path: pathname, method: 'GET', signal: abort.signal, onHead: () => -1 });
      return true;
    } catch (error) {
      failure = describeFailure(error, origin, milliseconds);
      return false;
    } finally {
      clearTimeout(timer);
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
