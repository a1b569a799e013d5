import { channel } from 'node:diagnostics_channel';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { isLane, LISTS } from '../../src/http/exchange.ts';
import type { MakeSender, OutgoingRequest, Sender } from '../../src/http/senders.ts';
import type { Running } from './listen.ts';
import { type Patch, type Reply, type Request, Service, serve } from './service.ts';

/** A service that runs, with what reaches it where no network does. */
export interface Here extends Running {
  makeSender?: MakeSender;
}

let started = 0;

/**
 * Starts a service that is called in this process, which takes a third of the time. One that writes its answers in its
 * own way gets a network all the same, and every one where SOCKETS is set: what comes of a run does not depend on it.
 */
export async function startHere(...patches: Patch[]): Promise<Here> {
  const service = new Service();
  const { write } = service;
  for (const patch of patches) patch(service);
  if (service.write !== write || process.env.SOCKETS) return serve(service);
  started += 1;
  const many = new Calls(service);
  // Its requests go out one after the other as it is, and none waits for a turn.
  const lists = new Calls(service);
  const stop = service.background();
  return {
    baseUrl: `http://service-${started}.test${service.base}`,
    apiKey: service.key,
    makeSender: (connection) => {
      if (connection === LISTS) return lists;
      if (connection === 'new') return new NewCalls(service);
      return isLane(connection) ? new Calls(service, 1) : many;
    },
    close: async () => stop(),
  };
}

/** Calls a service as requests would of which each has a connection of its own. */
class NewCalls implements Sender {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  request(options: OutgoingRequest) {
    return new Calls(this.#service, 1).request(options);
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** A connection, by which a service may tell clients from one another. */
interface Connection {
  isBusy: boolean;
}

/** Bytes of a request's path and headers that a server of Node's takes. */
const HEAD_LIMIT = 16 * 1024;

/** Calls a service as requests over so many connections would, each kept for the next. */
class Calls implements Sender {
  readonly #service: Service;
  readonly #inTurn: LimitFunction | undefined;
  #connections: Connection[] = [];

  /** Without a number of connections there are as many as are needed. */
  constructor(service: Service, connections?: number) {
    this.#service = service;
    this.#inTurn = connections === undefined ? undefined : pLimit(connections);
  }

  request(options: OutgoingRequest) {
    return this.#inTurn ? this.#inTurn(() => this.#request(options)) : this.#request(options);
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {}

  async #request(options: OutgoingRequest) {
    const connection = this.#connections.find(({ isBusy }) => !isBusy) ?? { isBusy: false };
    if (!this.#connections.includes(connection)) this.#connections.push(connection);
    connection.isBusy = true;
    try {
      const answer = await unlessAborted(
        options.signal as AbortSignal,
        this.#answer(options, connection),
      );
      connection.isBusy = false;
      if (/^close$/i.test(headerIn('connection', answer.headers))) this.#close(connection);
      hear(options, answer);
      options.onHead(answer.statusCode);
      return { ...answer, body: answer.body ?? Buffer.alloc(0) };
    } catch (error) {
      this.#close(connection);
      throw error;
    }
  }

  #close(connection: Connection): void {
    this.#connections = this.#connections.filter((one) => one !== connection);
  }

  async #answer(options: OutgoingRequest, connection: Connection): Promise<Answer> {
    // Others get their turn, as they do while something is on its way.
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
      return answerOf(await this.#service.handle(request), this.#service.json);
    } catch {
      return { statusCode: 500, headers: [] };
    }
  }
}

/** An answer as undici gives it; `headers` are names and values in turn. */
interface Answer {
  statusCode: number;
  headers: string[];
  body?: Buffer;
}

function unlessAborted<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    answer.then(resolve, reject);
  });
}

async function textOf(body: OutgoingRequest['body']): Promise<string> {
  if (typeof body === 'string' || !body) return body ?? '';
  const chunks: Buffer[] = [];
  for await (const chunk of body as Readable) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Of these a server of Node's takes the first, and puts others of one name together. */
const TAKEN_ONCE =
  /^(authorization|proxy-authorization|content-type|content-length|host|user-agent)$/;

/** The headers as a server of Node's gives them. Throws where it would take no more of them. */
function headersOf(
  { origin, path, headers, body }: OutgoingRequest,
  text: string,
): Request['headers'] {
  const length = typeof body === 'string' ? { 'content-length': `${Buffer.byteLength(text)}` } : {};
  const own: Record<string, string> = {
    connection: 'keep-alive',
    ...length,
  };
  let size = path.length;
  for (const [written, value] of Object.entries(headers as Record<string, string>)) {
    validateHeaderValue(written, value);
    size += written.length + value.length;
    const name = written.toLowerCase();
    const before = own[name];
    if (before === undefined) own[name] = trimmed(value);
    else if (!TAKEN_ONCE.test(name))
      own[name] = `${before}${name === 'cookie' ? '; ' : ', '}${trimmed(value)}`;
  }
  own.host ??= `${origin}`.slice('http://'.length);
  if (size > HEAD_LIMIT) throw new Error('a request that needs a network');
  if (body && own['content-length'] === undefined) own['transfer-encoding'] = 'chunked';
  return own;
}

/** What the client gets of a reply. Throws where a server of Node's would not send it. */
function answerOf({ status, headers = {}, body }: Reply, json: Service['json']): Answer {
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

/** The value of a header in a flat list of names and values; empty where it is not there. */
function headerIn(name: string, headers: string[]): string {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return at < 0 ? '' : (headers[at + 1] as string);
}

/** Without the white space around a header's value (RFC 9110, section 5.5). */
function trimmed(value: string): string {
  return value.replace(/^[ \t]+|[ \t]+$/g, '');
}

const heard = {
  headers: channel('undici:request:headers'),
  chunk: channel('undici:request:bodyChunkReceived'),
  end: channel('undici:request:trailers'),
};

/** Tells of an answer where undici tells of it, for those who listen there. */
function hear(
  { origin, method, path }: OutgoingRequest,
  { statusCode, headers, body }: Answer,
): void {
  if (!heard.headers.hasSubscribers) return;
  const request = { origin, method, path };
  const inBytes = headers.map((text) => Buffer.from(text, 'latin1'));
  heard.headers.publish({ request, response: { statusCode, headers: inBytes } });
  if (body) heard.chunk.publish({ request, chunk: body });
  heard.end.publish({ request });
}
