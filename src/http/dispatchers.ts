import http, { type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createSecureContext, rootCertificates } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { proxyFor } from '../settings/proxies.ts';
import type { Tls } from '../settings/tls.ts';
import { NOT_CONNECTED } from './failure.ts';
import { tunnelBy } from './tunnel.ts';

/** Bytes of an answer's headers: eight times what Node takes by default, because proxies add to them. */
const HEADER_BYTES = 128 * 1024;

/** How long a connection may take where nothing else is said, in milliseconds. */
const CONNECT_MS = 10_000;

/** How long an idle connection is kept: less than most servers keep it. Milliseconds. */
const IDLE_MS = 4000;

/** A request as it goes out. */
export interface Outgoing {
  origin: string;
  method: string;
  /** Sent as it stands. */
  path: string;
  headers?: Record<string, string>;
  /** A stream is sent as it comes; what it throws ends the request. */
  body?: string | Readable | null;
  /** Ends it; its reason is what `request` rejects with, or reading the body. */
  signal: AbortSignal;
  /** Called when it is written to its connection: until then it waits for one, which is no time of the target's. */
  onWrite?: () => void;
}

/** The head of an answer, and the stream of its body. */
export interface Incoming {
  statusCode: number;
  /** Names and values in turn, as received. */
  headers: string[];
  body: Readable;
}

/** What sends requests. */
export interface Sender {
  request(request: Outgoing): Promise<Incoming>;
  /** Closes its connections: those that are idle at once, the others after their answers. */
  close(): Promise<void>;
  destroy(): Promise<void>;
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
 * Makes them, through the proxies of the environment; `connectMs` is how long a connection may take, in milliseconds. A
 * request throws a SettingsError where those proxies are none.
 */
export function makeDispatchers(tls?: Tls, connectMs = CONNECT_MS): Dispatchers {
  // Made once: each would read all certificates that are trusted.
  const secureContext = tls && createSecureContext(tls.ca ? { ...tls, ca: [...rootCertificates, tls.ca] } : tls);
  const ofTls = secureContext && { secureContext };
  const kept = { keepAlive: true, timeout: IDLE_MS, ...ofTls };
  return {
    new: new NodeSender({ ...ofTls }, connectMs),
    pool: () => new NodeSender(kept, connectMs),
    single: () => new NodeSender({ ...kept, maxSockets: 1 }, connectMs),
  };
}

/** Sends by the client of Node. */
class NodeSender implements Sender {
  readonly #options: https.AgentOptions;
  readonly #connectMs: number;
  readonly #connected = new WeakSet<Socket>();
  #agent: Agent | undefined;

  constructor(options: https.AgentOptions, connectMs: number) {
    this.#options = options;
    this.#connectMs = connectMs;
  }

  request({ origin, method, path, headers = {}, body, signal, onWrite = () => {} }: Outgoing): Promise<Incoming> {
    const url = new URL(origin);
    const isTls = url.protocol === 'https:';
    this.#agent ??= this.#agentFor(url);
    const options = {
      ...urlToHttpOptions(url),
      agent: this.#agent,
      method,
      path,
      headers,
      maxHeaderSize: HEADER_BYTES,
    };
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(options);
      let answer: IncomingMessage | undefined;
      const abort = () => {
        (answer ?? request).destroy(signal.reason);
        // One that waits for its connection does not tell.
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort);
      request
        .on('error', reject)
        .on('close', () => signal.removeEventListener('abort', abort))
        .on('socket', (socket) =>
          this.#whenConnected(request, socket, isTls, () => {
            onWrite();
            // Not before: what a stream waits for may be that all connections are there.
            if (isStream(body)) pipeline(body, request, () => {});
          }),
        )
        .on('response', (message) => {
          answer = message;
          resolve({ statusCode: message.statusCode ?? 0, headers: message.rawHeaders, body: message });
        });
      if (signal.aborted) abort();
      else if (!isStream(body)) request.end(body);
    });
  }

  async close(): Promise<void> {
    if (this.#agent === undefined) return;
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const one of sockets ?? []) one.destroy();
  }

  async destroy(): Promise<void> {
    this.#agent?.destroy();
  }

  #agentFor(url: URL): Agent {
    const agent = url.protocol === 'https:' ? new https.Agent(this.#options) : new http.Agent(this.#options);
    const proxy = proxyFor(url, process.env);
    if (proxy) agent.createConnection = tunnelBy(proxy, url.protocol === 'https:', this.#connectMs);
    return agent;
  }

  /** Calls `then` when the connection of a request is there, and ends the request where that takes too long. */
  #whenConnected(request: ClientRequest, socket: Socket, isTls: boolean, then: () => void): void {
    if (this.#connected.has(socket) || (!isTls && !socket.connecting)) {
      then();
      return;
    }
    const timer = setTimeout(() => request.destroy(new Error(NOT_CONNECTED)), this.#connectMs);
    request.once('close', () => clearTimeout(timer));
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      this.#connected.add(socket);
      then();
    });
  }
}

function isStream(body: Outgoing['body']): body is Readable {
  return typeof body === 'object' && body !== null;
}
