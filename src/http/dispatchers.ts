import { subscribe } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { readProxies } from '../settings/proxies.ts';
import type { Tls } from '../settings/tls.ts';
import { EnvHttpProxyAgent } from './undici.ts';

/** Bytes of an answer's headers: eight times what undici takes by default, because proxies add to them. */
const HEADER_BYTES = 128 * 1024;

/** How long a connection may take where nothing else is said, in milliseconds. */
const CONNECT_MS = 10_000;

/** What sends requests: what is used of a dispatcher of undici's. */
export interface Sender {
  request(options: Dispatcher.RequestOptions): Promise<Sent>;
  /** Closes its connections: those that are idle at once, the others after their answers. */
  close(): Promise<void>;
  destroy(): Promise<void>;
}

type Sent = Pick<Dispatcher.ResponseData, 'statusCode'> & { headers: unknown; body: Readable };

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
  listen();
  // Made once: each would read all certificates that are trusted.
  const secureContext = tls && createSecureContext(tls.ca ? { ...tls, ca: [...rootCertificates, tls.ca] } : tls);
  const ofTls = secureContext && { connect: { secureContext }, requestTls: { secureContext } };
  const options = { maxHeaderSize: HEADER_BYTES, ...readProxies(process.env), ...ofTls, connectTimeout };
  return {
    new: new EnvHttpProxyAgent({ ...options, pipelining: 0 }),
    pool: () => new EnvHttpProxyAgent(options),
    single: () => new EnvHttpProxyAgent({ ...options, connections: 1 }),
  };
}

/** What is called when a request is written to its connection, by undici's own object for the request. */
const onWrites = new WeakMap<object, () => void>();
let beingMade: (() => void) | undefined;

let isListening = false;

/** Listens to undici from the first run on: to import the package changes nothing for the process. */
function listen(): void {
  if (isListening) return;
  isListening = true;
  subscribe('undici:request:create', (message) => {
    if (beingMade) onWrites.set((message as { request: object }).request, beingMade);
  });
  subscribe('undici:client:sendHeaders', (message) => onWrites.get((message as { request: object }).request)?.());
}

/**
 * Calls `onWrite` when the request that `send` makes is written to its connection: until then it waits for one, which is no
 * time of the target's.
 */
export function tellWhenWritten<T>(send: () => T, onWrite: () => void): T {
  beingMade = onWrite;
  try {
    return send();
  } finally {
    beingMade = undefined;
  }
}
