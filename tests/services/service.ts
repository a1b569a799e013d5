import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { listen, type Running } from './listen.ts';

/** A request as a service receives it. */
export interface Request {
  method: string;
  /** Path as sent, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  /** Identifies the connection of the request. */
  connection: object;
}

/** A response before it is written. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /**
   * A string or bytes are sent as they are, other values as JSON. Without it, the response has no
   * body.
   */
  body?: unknown;
}

/** A user as the service stores it. */
export interface User extends NewUser {
  id: string | number;
}

/** The members of a user that a client sends. */
export interface NewUser {
  email: string;
  name: string;
}

/** The user of a create request, or the reason why the request is invalid. */
export type Parsed = NewUser | { error: string };

/**
 * A conforming service made of small steps. A patch replaces steps, and the service is broken or
 * conforms in another way.
 */
export class Service {
  key = 'k3y-Of.the~Service_0815';
  base = '/v1';
  users: User[] = [];

  // Steps are properties, so that a patch can replace a step and still call the original.

  authorised = ({ headers }: Request): boolean => {
    const [, token] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    return token === this.key;
  };

  /** Returns the response to a request without the right credentials. */
  refuse = (_request: Request): Reply => ({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: { error: 'unauthorized' },
  });

  newId = (): string | number => randomUUID();

  parse = (body: string): Parsed => {
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

  /** Returns a user's record as the create and retrieve responses show it. */
  record = (user: User): unknown => user;

  /** Returns a user's record as the list shows it. */
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

  /** Handles a request that is none of the three operations. */
  elsewhere = (_request: Request): Reply | Promise<Reply> => ({
    status: 404,
    body: { error: 'no such page' },
  });

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

  /** Called when a client closes the connection before its request is complete. */
  gone = (): void => {};

  /** Returns the text of a JSON body. */
  json = (body: unknown): string => JSON.stringify(body);

  /** Writes the response. Faults of the connection or of the framing replace it. */
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

  /** Starts background work, such as other writers. The returned function ends it. */
  background: () => () => void = () => () => {};
}

/** Waits as a service waits for its database: other requests are handled meanwhile. */
export async function someTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
}

/** Turns of the event loop in which a connection that a client has closed is gone. */
const CLOSING_TURNS = 5;

/** Waits so long that a client who hangs up is gone, also if the event loop is busy meanwhile. */
export async function waitForHangUp(milliseconds: number): Promise<void> {
  await setTimeout(milliseconds);
  await someTurns(CLOSING_TURNS);
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** A change to the steps of a service. */
export type Patch = (service: Service) => void;

/** Adds a user from before the run. Some requirements are about such users alone. */
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
  // On a busy machine a connection may be idle for longer than the default five seconds.
  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) =>
    // The only error is a request that the client did not complete: it needs no response.
    respond(service, message, response).catch(() => response.destroy()),
  );
  return listen(server, service.base, service.key, service.background());
}

async function respond(
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
