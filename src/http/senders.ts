import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { readProxies, type Tls } from '../settings/target.ts';
import { type Connection, isLane } from './exchange.ts';
import {
  BAD_UPGRADE,
  Excluded,
  explainUnsolicited,
  isSwitch,
  isTimeout,
  RESERVED_BY_PROXY,
} from './failure.ts';
import { loadUndici } from './undici.ts';

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
  const proxies = readProxies(process.env);
  const hasProxy = 'httpProxy' in proxies || 'httpsProxy' in proxies;
  const undici = loadUndici();
  const secureContext = tls && makeSecureContext(tls);
  const requestTls = secureContext ? { secureContext } : {};
  const connector = undici.buildConnector({ ...requestTls, timeout: connectTimeoutMs });
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
    return {
      ...senderFrom(agent, queue),
      request: async (outgoing) => {
        const { line, headers, hasUpgrade } = takeHopByHop(outgoing);
        if (line === undefined) return dispatch(agent, outgoing, queue);
        if (hasProxy) throw new Excluded(RESERVED_BY_PROXY);
        const client = new undici.Client(`${outgoing.origin}`, {
          maxHeaderSize: HEADER_BYTES,
          pipelining: 0,
          connect: sendingHeader(connect, line),
        });
        return dispatch(client, { ...outgoing, headers }, queue)
          .catch((error) => {
            if (hasUpgrade && isSwitch(error))
              throw new Excluded('the target switches to another protocol');
            // Node's server does so if it emits the event of an upgrade and nobody handles it.
            if (hasUpgrade && isTimeout(error))
              throw new Excluded('the target does not respond to an offer of another protocol');
            throw error;
          })
          .finally(() => void client.destroy());
      },
    };
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

/**
 * Takes Connection and Upgrade, which undici does not send as they are, from the headers of a
 * request (RFC 9110 section 7.6.1).
 */
function takeHopByHop({ headers }: OutgoingRequest) {
  const fields = Object.entries(headers ?? {});
  const headerOf = (wanted: string): string | undefined =>
    fields.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const upgrade = headerOf('upgrade');
  const rest = fields.filter(([name]) => name.toLowerCase() !== 'upgrade');
  const connection = headerOf('connection');
  const line = upgrade === undefined ? connection : `${connection}\r\nupgrade: ${upgrade}`;
  return { line, headers: Object.fromEntries(rest), hasUpgrade: upgrade !== undefined };
}

/** Returns a connector whose connections send this header in place of undici's own. */
function sendingHeader(
  connect: buildConnector.connector,
  header: string,
): buildConnector.connector {
  return (to, done) =>
    connect(to, (...result) => {
      const [, socket] = result;
      // Despite its type it is undefined after an error.
      if (socket) replaceHeader(socket, header);
      done(...result);
    });
}

function replaceHeader(socket: Socket, header: string): void {
  const write = socket.write.bind(socket);
  // The first bytes are the whole head.
  socket.write = (bytes: string | Uint8Array) => {
    socket.write = write;
    const head = `${bytes}`.replace('connection: close', () => `connection: ${header}`);
    return write(head, 'latin1');
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
    let abortWith: ((reason: Error) => void) | undefined;
    const abort = () => {
      abortWith?.(signal.reason);
      reject(signal.reason);
    };
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
        abortWith = (reason) => controller.abort(reason);
        if (signal.aborted) abort();
        else onWrite?.();
      },
      onResponseStart: (controller, status) => {
        if (status === 101) controller.abort(new Error(BAD_UPGRADE));
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
        reject(explainUnsolicited(error));
      },
    });
  });
}
