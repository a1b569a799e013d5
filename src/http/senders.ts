import { createRequire } from 'node:module';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { readProxies, type Tls } from '../settings/target.ts';
import { type Connection, isLane } from './exchange.ts';
import { hasConnectionHeader, sendHopByHop } from './hop-by-hop.ts';

/** Bytes of response headers: eight times undici's default, because proxies add to them. */
const HEADER_BYTES = 128 * 1024;

/** The default timeout of a connection, in milliseconds. */
const CONNECT_MS = 10_000;

/** A request as undici takes it, with callbacks for its progress. */
export interface OutgoingRequest extends Dispatcher.DispatchOptions {
  /** Aborts the request. */
  signal: AbortSignal;
  /** Called when the request is written. Until then it waits for a connection. */
  onWrite?: () => void;
  /** Called with the status. Returns the number of bytes of the body to read; -1 for none. */
  onHead: (status: number) => number;
}

/** A response as it was received. */
export interface RawResponse {
  statusCode: number;
  /** Names and values in turn. */
  headers: string[];
  body: Buffer;
}

/** A pool of connections. */
export interface Sender {
  /** Sends a request. Resolves at the end of the response, or at the limit of `onHead`. */
  request: (outgoing: OutgoingRequest) => Promise<RawResponse>;
  /** Closes idle connections at once, the others after their responses. */
  close: () => Promise<void>;
  destroy: () => Promise<void>;
}

/**
 * Makes a sender: one with a new connection for each request, one with a pool, or one with a single
 * connection.
 */
export type MakeSender = (connection: Connection) => Sender;

/**
 * Returns a function that makes senders, which use the proxies of the environment. Throws a
 * SettingsError if these proxies are invalid.
 */
export function senderFactory(tls?: Tls, connectTimeoutMs = CONNECT_MS): MakeSender {
  // Loaded only for a run, because loading it changes the dispatcher of the process's `fetch`.
  const undici = createRequire(import.meta.url)('undici') as typeof import('undici');
  const secureContext = tls && makeSecureContext(tls);
  const requestTls = secureContext ? { secureContext } : {};
  const connector = undici.buildConnector({ ...requestTls, timeout: connectTimeoutMs });
  const proxies = readProxies(process.env);
  const hasProxy = 'httpProxy' in proxies || 'httpsProxy' in proxies;
  const Agent = hasProxy ? undici.EnvHttpProxyAgent : undici.Agent;
  const options = { maxHeaderSize: HEADER_BYTES, ...proxies, requestTls };
  return (connection) => {
    const queue = new Set<OutgoingRequest>();
    const connect: typeof connector = (to, done) => {
      // undici replaces the connection of an aborted request. A server with few workers would wait
      // on the replacement for a request that never comes.
      if (queue.size === 0) return done(new Error('no request waits for a connection'), null);
      // By default undici checks the certificate against the Host header, which a case may change.
      return connector({ ...to, servername: '' }, done);
    };
    const agent = new Agent({ ...options, ...poolOptions(connection), connect });
    const sender = senderFrom(agent, queue);
    // The user's proxy would take a Connection header as its own.
    return hasProxy ? sender : withConnectionHeaders(sender, secureContext);
  };
}

/** Makes the context once, because each one reads all trusted certificates. */
function makeSecureContext(tls: Tls): SecureContext {
  if (!tls.ca) return createSecureContext(tls);
  return createSecureContext({ ...tls, ca: [...rootCertificates, tls.ca] });
}

function poolOptions(connection: Connection): { connections?: number; pipelining?: number } {
  if (isLane(connection)) return { connections: 1 };
  return connection === 'new' ? { pipelining: 0 } : {};
}

/** Returns a sender that can also send requests with a Connection header. */
function withConnectionHeaders(sender: Sender, secureContext: SecureContext | undefined): Sender {
  return {
    ...sender,
    request: (outgoing) => {
      if (hasConnectionHeader(outgoing)) return sendHopByHop(outgoing, secureContext);
      return sender.request(outgoing);
    },
  };
}

/**
 * Returns a sender for a dispatcher of undici, which is several times as fast as undici's streams.
 * `queue` holds the requests that wait for a connection.
 */
export function senderFrom(dispatcher: Dispatcher, queue = new Set<OutgoingRequest>()): Sender {
  return {
    request: (outgoing) => dispatch(dispatcher, outgoing, queue),
    close: () => dispatcher.close(),
    destroy: () => dispatcher.destroy(),
  };
}

function dispatch(
  dispatcher: Dispatcher,
  outgoing: OutgoingRequest,
  queue: Set<OutgoingRequest>,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { signal, onWrite, onHead, ...request } = outgoing;
    const chunks: Buffer[] = [];
    let statusCode = 0;
    let headers: string[] = [];
    let bytesLeft = 0;
    let rejectWith = reject;
    const abort = () => rejectWith(signal.reason);
    const finish = () => resolve({ statusCode, headers, body: Buffer.concat(chunks) });
    const stop = (controller: Dispatcher.DispatchController) => {
      finish();
      controller.abort(new Error('the rest of the response is not read'));
    };
    queue.add(outgoing);
    signal.addEventListener('abort', abort);
    dispatcher.dispatch(request, {
      onRequestStart: (controller) => {
        queue.delete(outgoing);
        rejectWith = (reason) => controller.abort(reason);
        if (signal.aborted) abort();
        else onWrite?.();
      },
      onResponseStart: (controller, status) => {
        if (status < 200) return;
        statusCode = status;
        headers = (controller.rawHeaders as Buffer[]).map((part) => part.toString('latin1'));
        bytesLeft = onHead(status);
        if (bytesLeft < 0) stop(controller);
      },
      onResponseData: (controller, chunk) => {
        chunks.push(chunk);
        bytesLeft -= chunk.length;
        if (bytesLeft < 0) stop(controller);
      },
      onResponseEnd: finish,
      onResponseError: (_, error) => {
        queue.delete(outgoing);
        reject(error);
      },
    });
  });
}
