import { channel } from 'node:diagnostics_channel';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { isLane, LISTS } from '../../src/http/exchange.ts';
import type { MakeSender, OutgoingRequest, Sender } from '../../src/http/senders.ts';
import type { Running } from './listen.ts';
import { type Patch, type Reply, type Request, Service, serve } from './service.ts';

/** A running service; one without a network has the senders that call it. */
export interface Here extends Running {
  makeSender?: MakeSender;
}

let started = 0;

/**
 * Starts a service that is called in this process without a network, which takes a third of the
 * time. A service that replaces `write` gets a network, and so does every service if SOCKETS is
 * set. The outcomes are the same.
 */
export async function startHere(...patches: Patch[]): Promise<Here> {
  const service = new Service();
  const { write } = service;
  for (const patch of patches) patch(service);
  if (service.write !== write || process.env.SOCKETS) return serve(service);
  started += 1;
  const unlimited = new Calls(service);
  // The client sends list requests one after the other, so they need no limit here.
  const lists = new Calls(service);
  const stop = service.background();
  return {
    baseUrl: `http://service-${started}.test${service.base}`,
    apiKey: service.key,
    makeSender: (connection) => {
      if (connection === LISTS) return lists;
      if (connection === 'new') return new NewCalls(service);
      return isLane(connection) ? new Calls(service, 1) : unlimited;
    },
    close: async () => stop(),
  };
}

/** Calls a service as if each request had its own connection. */
class NewCalls implements Sender {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  request(options: OutgoingRequest) {
    return new Calls(this.#service).request(options);
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** A connection. Some services keep state for each connection. */
interface Connection {
  isBusy: boolean;
}

/** The size limit of a request's path and headers in a Node server, in bytes. */
const HEAD_LIMIT = 16 * 1024;

/** Calls a service as if requests came over a pool of connections, which are reused. */
class Calls implements Sender {
  readonly #service: Service;
  readonly #limit: LimitFunction | undefined;
  #connections: Connection[] = [];

  /** Without a number, the pool has no limit. */
  constructor(service: Service, connections?: number) {
    this.#service = service;
    this.#limit = connections === undefined ? undefined : pLimit(connections);
  }

  request(options: OutgoingRequest) {
    return this.#limit ? this.#limit(() => this.#request(options)) : this.#request(options);
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {}

  async #request(options: OutgoingRequest) {
    const connection = this.#connections.find(({ isBusy }) => !isBusy) ?? { isBusy: false };
    if (!this.#connections.includes(connection)) this.#connections.push(connection);
    connection.isBusy = true;
    try {
      const response = await unlessAborted(
        options.signal as AbortSignal,
        this.#respond(options, connection),
      );
      connection.isBusy = false;
      if (/^close$/i.test(headerIn('connection', response.headers))) this.#close(connection);
      publish(options, response);
      options.onHead(response.statusCode);
      return { ...response, body: response.body ?? Buffer.alloc(0) };
    } catch (error) {
      this.#close(connection);
      throw error;
    }
  }

  #close(connection: Connection): void {
    this.#connections = this.#connections.filter((other) => other !== connection);
  }

  async #respond(options: OutgoingRequest, connection: Connection): Promise<RawResponse> {
    // Other requests get their turn, as they do while a request is on the wire.
    await setImmediate();
    const [path = '', query = ''] = options.path.split('?');
    const body = await textOf(options.body).catch((error) => {
      this.#service.gone();
      throw error;
    });
    const headers = headersOf(options, body);
    const request: Request = {
      method: options.method,
      path,
      query: new URLSearchParams(query),
      headers,
      body,
      connection,
    };
    try {
      return responseOf(await this.#service.handle(request), this.#service.json);
    } catch {
      return { statusCode: 500, headers: [] };
    }
  }
}

/** A response as undici returns it; `headers` are names and values in turn. */
interface RawResponse {
  statusCode: number;
  headers: string[];
  body?: Buffer;
}

function unlessAborted<T>(signal: AbortSignal, response: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    response.then(resolve, reject);
  });
}

async function textOf(body: OutgoingRequest['body']): Promise<string> {
  if (typeof body === 'string' || !body) return body ?? '';
  const chunks: Buffer[] = [];
  for await (const chunk of body as Readable) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Headers that are not joined: a Node server uses the first one and ignores the others. */
const SINGLE_HEADERS =
  /^(authorization|proxy-authorization|content-type|content-length|host|user-agent)$/;

/**
 * Returns the headers as a Node server parses them. Throws if it would reject them as too large.
 */
function headersOf(
  { origin, path, headers, body }: OutgoingRequest,
  text: string,
): Request['headers'] {
  const length = typeof body === 'string' ? { 'content-length': `${Buffer.byteLength(text)}` } : {};
  const parsed: Record<string, string> = { connection: 'keep-alive', ...length };
  let size = path.length;
  for (const [written, value] of Object.entries(headers as Record<string, string>)) {
    validateHeaderValue(written, value);
    size += written.length + value.length;
    const name = written.toLowerCase();
    const before = parsed[name];
    if (before === undefined) parsed[name] = trimmed(value);
    else if (!SINGLE_HEADERS.test(name))
      parsed[name] = `${before}${name === 'cookie' ? '; ' : ', '}${trimmed(value)}`;
  }
  parsed.host ??= `${origin}`.slice('http://'.length);
  if (size > HEAD_LIMIT) throw new Error('a request that needs a network');
  if (body && parsed['content-length'] === undefined) parsed['transfer-encoding'] = 'chunked';
  return parsed;
}

/** Returns the response that the client receives. Throws if a Node server would not send it. */
function responseOf({ status, headers = {}, body }: Reply, json: Service['json']): RawResponse {
  if (status < 200 || status > 999) throw new RangeError(`no status: ${status}`);
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const type = body === undefined || isRaw ? {} : { 'content-type': 'application/json' };
  const all = Object.entries<string>({ ...type, ...headers });
  for (const [name, value] of all) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  const hasBody = body !== undefined && status !== 204 && status !== 304;
  return {
    statusCode: status,
    headers: all.flatMap(([name, value]) => [name, trimmed(`${value}`)]),
    ...(hasBody && { body: isRaw ? Buffer.from(body) : Buffer.from(json(body)) }),
  };
}

/**
 * Returns the value of a header in a flat list of names and values; empty if the header is missing.
 */
function headerIn(name: string, headers: string[]): string {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return at < 0 ? '' : (headers[at + 1] as string);
}

/** Removes white space around a header's value (RFC 9110, section 5.5). */
function trimmed(value: string): string {
  return value.replace(/^[ \t]+|[ \t]+$/g, '');
}

const channels = {
  headers: channel('undici:request:headers'),
  chunk: channel('undici:request:bodyChunkReceived'),
  end: channel('undici:request:trailers'),
};

/** Publishes a response on the diagnostics channels of undici, as undici does. */
function publish(
  { origin, method, path }: OutgoingRequest,
  { statusCode, headers, body }: RawResponse,
): void {
  if (!channels.headers.hasSubscribers) return;
  const request = { origin, method, path };
  const inBytes = headers.map((text) => Buffer.from(text, 'latin1'));
  channels.headers.publish({ request, response: { statusCode, headers: inBytes } });
  if (body) channels.chunk.publish({ request, chunk: body });
  channels.end.publish({ request });
}
