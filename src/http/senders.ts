import { createRequire } from 'node:module';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { readProxies, type Tls } from '../settings/target.ts';
import { type Connection, isLane } from './exchange.ts';
import { hasConnectionHeader, sendHopByHop } from './hop-by-hop.ts';

/** Bytes of an answer's headers: eight times what undici takes by default, because proxies add to them. */
const HEADER_BYTES = 128 * 1024;

/** How long a connection may take where nothing else is said, in milliseconds. */
const CONNECT_MS = 10_000;

/** A request as it goes out, and who hears how far it is. */
export interface Outgoing extends Dispatcher.DispatchOptions {
  /** Gives the request up. */
  signal: AbortSignal;
  /** It is written to its connection: until then it waits for one, which is no time of the target's. */
  onWrite?: () => void;
  /** The head of its response is there; says how many bytes of the body to read; -1 for none. */
  onHead: (status: number) => number;
}

/** What sends requests. */
export type Sender = ReturnType<typeof senderBy>;

/** A response, with its headers as names and values in turn. */
export type Received = Awaited<ReturnType<Sender['request']>>;

/**
 * Makes what sends requests over a new connection each, over as many as are needed at once, which are kept, or over one
 * of their own, which is kept.
 */
export type MakeSender = (connection: Connection) => Sender;

/**
 * Makes them, through the proxies of the environment; `connectTimeout` is how long a connection may take, in
 * milliseconds. Throws a SettingsError where those proxies are none.
 */
export function sendersBy(tls?: Tls, connectTimeout = CONNECT_MS): MakeSender {
  // Loaded for a run alone: it sets what the `fetch` of the process sends by, where nothing else has.
  const undici = createRequire(import.meta.url)('undici') as typeof import('undici');
  // Made once: each would read all certificates that are trusted.
  const secureContext =
    tls && createSecureContext(tls.ca ? { ...tls, ca: [...rootCertificates, tls.ca] } : tls);
  const requestTls = secureContext ? { secureContext } : {};
  const connectTo = undici.buildConnector({ ...requestTls, timeout: connectTimeout });
  const proxies = readProxies(process.env);
  const options = { maxHeaderSize: HEADER_BYTES, ...proxies, requestTls };
  const Agent =
    'httpProxy' in proxies || 'httpsProxy' in proxies ? undici.EnvHttpProxyAgent : undici.Agent;
  return (connection) => {
    const ofKind = isLane(connection)
      ? { connections: 1 }
      : connection === 'new' && { pipelining: 0 };
    const waiting = new Set<Outgoing>();
    // Where a request is given up, undici opens a connection in place of its own. A server of few workers would wait on
    // it for what never comes.
    const connect: typeof connectTo = (to, done) => {
      if (waiting.size === 0) return done(new Error('no request waits for a connection'), null);
      // It asks for the certificate of whom the Host header names; a wrong one there is no matter of the certificate.
      return connectTo({ ...to, servername: '' }, done);
    };
    const sender = senderBy(new Agent({ ...options, ...ofKind, connect }), waiting);
    // A proxy of the user's own would take the header for itself.
    if (Agent !== undici.Agent) return sender;
    return {
      ...sender,
      request: (outgoing) =>
        hasConnectionHeader(outgoing)
          ? sendHopByHop(outgoing, secureContext)
          : sender.request(outgoing),
    };
  };
}

/**
 * Sends by a dispatcher of undici's. Its streams would take several times as long. `waiting` holds the requests that no
 * connection has taken yet.
 */
export function senderBy(dispatcher: Dispatcher, waiting = new Set<Outgoing>()) {
  return {
    /** Sends one, and resolves when its response is there, or more of it than is to be read. */
    request: (outgoing: Outgoing) =>
      new Promise<{ statusCode: number; headers: string[]; body: Buffer }>((resolve, reject) => {
        const { signal, onWrite, onHead, ...request } = outgoing;
        let head = { statusCode: 0, headers: [] as string[] };
        const pieces: Buffer[] = [];
        let left = 0;
        let giveUp = reject;
        waiting.add(outgoing);
        const abort = () => giveUp(signal.reason);
        const end = () => resolve({ ...head, body: Buffer.concat(pieces) });
        const stop = (controller: Dispatcher.DispatchController) => {
          end();
          controller.abort(new Error('nobody reads the rest'));
        };
        signal.addEventListener('abort', abort);
        dispatcher.dispatch(request, {
          onRequestStart: (controller) => {
            waiting.delete(outgoing);
            giveUp = (reason) => controller.abort(reason);
            if (signal.aborted) abort();
            else onWrite?.();
          },
          onResponseStart: (controller, statusCode) => {
            if (statusCode < 200) return;
            head = {
              statusCode,
              headers: (controller.rawHeaders as Buffer[]).map((part) => part.toString('latin1')),
            };
            left = onHead(statusCode);
            if (left < 0) stop(controller);
          },
          onResponseData: (controller, piece) => {
            pieces.push(piece);
            left -= piece.length;
            if (left < 0) stop(controller);
          },
          onResponseEnd: end,
          onResponseError: (_, error) => {
            waiting.delete(outgoing);
            reject(error);
          },
        });
      }),
    /** Closes its connections: those that are idle at once, the others after their responses. */
    close: () => dispatcher.close(),
    destroy: () => dispatcher.destroy(),
  };
}
