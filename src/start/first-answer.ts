import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDispatchers } from '../http/dispatchers.ts';
import { describeFailure, TIMED_OUT } from '../http/failure.ts';
import type { Settings, Target } from '../settings/settings.ts';

/** Milliseconds between two requests. */
const PAUSE_MS = 20;

/** Asks a base address whether anything there speaks HTTP at all: any status will do, so no key is sent. */
export class FirstAnswer {
  readonly #url: URL;
  readonly #timeoutMs: number;
  readonly #dispatcher: ReturnType<typeof makeDispatchers>['new'];
  /** Why there was no answer the last time, a clause. */
  failure = '';

  constructor({ baseUrl, tls }: Target, { timeoutMs }: Pick<Settings, 'timeoutMs'>) {
    this.#url = new URL(baseUrl);
    this.#timeoutMs = timeoutMs;
    this.#dispatcher = makeDispatchers(tls).new;
  }

  /** Whether anything takes connections there, be it one that never answers. */
  isTaken(): Promise<boolean> {
    const { hostname, port, protocol } = this.#url;
    const host = hostname.replace(/^\[|\]$/g, '');
    return new Promise((told) => {
      const socket = connect({
        host,
        port: Number(port) || (protocol === 'https:' ? 443 : 80),
        timeout: this.#timeoutMs,
      });
      const tell = (isTaken: boolean) => {
        socket.destroy();
        told(isTaken);
      };
      socket
        .once('connect', () => tell(true))
        .once('timeout', () => tell(false))
        .once('error', () => tell(false));
    });
  }

  /** Whether there is an answer now. */
  async isThere(timeoutMs = this.#timeoutMs): Promise<boolean> {
    const { origin, pathname } = this.#url;
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new Error(TIMED_OUT)), timeoutMs);
    try {
      const options = { origin, path: pathname, method: 'GET', signal: abort.signal } as const;
      const { body } = await this.#dispatcher.request(options);
      body.on('error', () => {}).destroy();
      return true;
    } catch (error) {
      this.failure = describeFailure(error, origin, timeoutMs);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for one; false where none comes in time, or `over` comes first. */
  async waitFor(milliseconds: number, isOver: () => boolean): Promise<boolean> {
    const until = performance.now() + milliseconds;
    while (!isOver()) {
      const left = until - performance.now();
      if (left <= 0) return false;
      if (await this.isThere(Math.min(Math.ceil(left), this.#timeoutMs))) return !isOver();
      await sleep(Math.min(left, PAUSE_MS));
    }
    return false;
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}
