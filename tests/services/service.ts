import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { listen, type Running } from './listen.ts';

export interface User {
  id: string | number;
  email: string;
  name: string;
}

export interface Request {
  method: string;
  /** Path as sent, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  /** The connection on which it came, to tell one from another. */
  connection: object;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a string or bytes; absent: no body. */
  body?: unknown;
}

/**
 * A conforming service in many small steps: a patch replaces one of them, and what comes out is broken, or conforming
 * in another way.
 */
export class Service {
  key = 'k3y-Of.the~Service_0815';
  base = '/v1';
  users: User[] = [];

  // The steps, as properties, so that a patch can replace each and call the one before.

  authorised = ({ headers }: Request): boolean => {
    const [, token] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    return token === this.key;
  };

  /** The answer to a request without the right credentials. */
  refuse = (_request: Request): Reply => ({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: { error: 'unauthorized' },
  });

  newId = (): string | number => randomUUID();

  /** The user in a create request's body, or why there is none. */
  parse = (body: string): { email: string; name: string } | { error: string } => {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return { error: 'the body is no JSON' };
    }
    const { email, name } = (value ?? {}) as { email?: unknown; name?: unknown };
    if (typeof email !== 'string' || typeof name !== 'string')
      return { error: 'email and name must be strings' };
    return { email, name };
  };

  store = (user: User): void => {
    this.users.push(user);
  };

  find = (id: string): User | undefined => this.users.find((user) => String(user.id) === id);

  /** A user's record as the create and the retrieve answer show it. */
  record = (user: User): unknown => user;

  /** A user's record as the list shows it. */
  item = (user: User): unknown => this.record(user);

  listed = (): User[] => this.users;

  total = (): unknown => this.users.length;

  list = (_request: Request): Reply | Promise<Reply> => ({
    status: 200,
    body: { data: this.listed().map((user) => this.item(user)), total: this.total() },
  });

  create = (request: Request): Reply | Promise<Reply> => {
    const parsed = this.parse(request.body);
    if ('error' in parsed) return this.invalid(parsed.error);
    const user = { id: this.newId(), ...parsed };
    this.store(user);
    return this.created(user);
  };

  created = (user: User): Reply => ({
    status: 201,
    headers: { location: `${this.base}/users/${encodeURIComponent(user.id)}` },
    body: this.record(user),
  });

  invalid = (error: string): Reply => ({ status: 400, body: { error } });

  retrieve = (id: string, _request: Request): Reply | Promise<Reply> => {
    const user = this.find(id);
    return user ? { status: 200, body: this.record(user) } : this.missing(id);
  };

  missing = (_id: string): Reply => ({ status: 404, body: { error: 'not found' } });

  /** Any request that is none of the three operations. */
  elsewhere = (_request: Request): Reply => ({ status: 404, body: { error: 'no such page' } });

  handle = (request: Request): Reply | Promise<Reply> => {
    const operation = request.path.startsWith(`${this.base}/`)
      ? request.path.slice(this.base.length)
      : '';
    const [, segment] = /^\/users\/([^/]+)$/.exec(operation) ?? [];
    if (operation !== '/users' && segment === undefined) return this.elsewhere(request);
    if (!this.authorised(request)) return this.refuse(request);
    if (segment === undefined)
      return request.method === 'POST' ? this.create(request) : this.list(request);
    const id = decode(segment);
    return id === undefined ? this.invalid('the path is malformed') : this.retrieve(id, request);
  };

  /** A client that has hung up half-way. */
  gone = (): void => {};

  /** The text of a body that is sent as JSON. */
  json = (body: unknown): string => JSON.stringify(body);

  /** Writes the answer; replaced by what breaks below HTTP's semantics. */
  write = (response: ServerResponse, reply: Reply, _request: Request): void => {
    const { status, headers = {}, body } = reply;
    if (body === undefined) {
      response.writeHead(status, headers).end();
      return;
    }
    const raw = typeof body === 'string' || Buffer.isBuffer(body);
    const type = raw ? {} : { 'content-type': 'application/json' };
    response.writeHead(status, { ...type, ...headers }).end(raw ? body : this.json(body));
  };

  /** Runs beside the service until it is closed: other writers, for example. */
  background: () => () => void = () => () => {};
}

/** Waits as long as a query of a database takes: other requests get their turn meanwhile. */
export async function someTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

export type Patch = (service: Service) => void;

/** Somebody is there before the run, without whom nothing can be said of such users. */
export const withPeople: Patch = ({ users }) => {
  users.push({ id: randomUUID(), email: 'ada@example.org', name: 'Ada Lovelace' });
};

/** Starts a service with patches on a free loopback port. */
export async function start(...patches: Patch[]): Promise<Running> {
  const service = new Service();
  for (const patch of patches) patch(service);
  return serve(service);
}

/** Lets a service listen on a free loopback port. */
export function serve(service: Service): Promise<Running> {
  // A client that has hung up is owed no answer.
  // On a busy machine the next request of a connection may take longer than the usual five seconds.
  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) =>
    answer(service, message, response).catch(() => response.destroy()),
  );
  return listen(server, service.base, service.key, service.background());
}

async function answer(
  service: Service,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message) chunks.push(chunk as Buffer);
  } catch (error) {
    service.gone();
    throw error;
  }
  const [path = '', query = ''] = (message.url ?? '').split('?');
  const request: Request = {
    method: message.method ?? '',
    path,
    query: new URLSearchParams(query),
    headers: message.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    connection: message.socket,
  };
  try {
    service.write(response, await service.handle(request), request);
  } catch {
    response.writeHead(500).end();
  }
}
