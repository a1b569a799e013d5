import { createSecureContext, rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { readProxies } from '../settings/proxies.ts';
import type { Tls } from '../settings/tls.ts';
import { Arriving, type ResponseStream } from './response-stream.ts';
import { EnvHttpProxyAgent } from './undici.ts';

/** Bytes of an answer's headers: eight times what undici takes by default, because proxies add to them. */
const HEADER_BYTES = 128 * 1024;

/** How long a connection may take where nothing else is said, in milliseconds. */
const CONNECT_MS = 10_000;

/** A request as it goes out, with what gives it up. */
export interface Outgoing extends Dispatcher.DispatchOptions {
  signal?: AbortSignal;
}

/** What sends requests. */
export interface Sender {
  /**
   * Sends one, and resolves when the head of its answer is there. `onWrite` is called when it is written to its connection: until
   * then it waits for one, which is no time of the target's.
   */
  request(request: Outgoing, onWrite?: () => void): Promise<Sent>;
  /** Closes its connections: those that are idle at once, the others after their answers. */
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/** The head of an answer, and its body. */
export interface Sent {
  statusCode: number;
  /** Names and values in turn. */
  headers: string[];
  body: ResponseStream;
}

/** Sends requests over connections that are kept, or over a new one each. */
export interface Dispatchers {
  new: Sender;
  /** Makes one with as many connections as are needed at once, which are kept. */
  pool: () => Sender;
  /** Makes one with a single connection, which is kept. */
  single: () => Sender;
}

/**
 * Makes them, through the proxies of the environment; `connectTimeout` is how long a connection may take, in milliseconds.
 * Throws a SettingsError where those proxies are none.
 */
export function makeDispatchers(tls?: Tls, connectTimeout = CONNECT_MS): Dispatchers {
  // Made once: each would read all certificates that are trusted.
  const secureContext = tls && createSecureContext(tls.ca ? { ...tls, ca: [...rootCertificates, tls.ca] } : tls);
  const ofTls = secureContext && { connect: { secureContext }, requestTls: { secureContext } };
  const options = { maxHeaderSize: HEADER_BYTES, ...readProxies(process.env), ...ofTls, connectTimeout };
  return {
    new: senderBy(new EnvHttpProxyAgent({ ...options, pipelining: 0 })),
    pool: () => senderBy(new EnvHttpProxyAgent(options)),
    single: () => senderBy(new EnvHttpProxyAgent({ ...options, connections: 1 })),
  };
}

/** Sends by a dispatcher of undici's. */
export function senderBy(dispatcher: Dispatcher): Sender {
  return {
    request: ({ signal, ...request }, onWrite) =>
      new Promise((resolve, reject) => {
        let body: Arriving | undefined;
        let giveUp = reject;
        const abort = () => giveUp(signal?.reason);
        const over = () => signal?.removeEventListener('abort', abort);
        signal?.addEventListener('abort', abort);
        dispatcher.dispatch(request, {
          onRequestStart: (controller) => {
            giveUp = (reason) => controller.abort(reason);
            if (signal?.aborted) abort();
            else onWrite?.();
          },
          onResponseStart: (controller, statusCode) => {
            if (statusCode < 200) return;
            body = new Arriving(controller);
            const headers = (controller.rawHeaders as Buffer[]).map((part) => part.toString('latin1'));
            resolve({ statusCode, headers, body });
          },
          onResponseData: (_, piece) => body?.take(piece),
          onResponseEnd: () => {
            over();
            body?.end();
          },
          onResponseError: (_, error) => {
            over();
            body?.end(error);
            reject(error);
          },
        });
      }),
    close: () => dispatcher.close(),
    destroy: () => dispatcher.destroy(),
  };
}
