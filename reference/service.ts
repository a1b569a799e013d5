import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { unlessThrown } from '../src/settings/errors.ts';

export interface NewUser {
  email: string;
  name: string;
}

/**
 * Creates a User Management Service that passes every MUST and every SHOULD: UUIDs as identifiers,
 * 201 with Location and the record, the whole list in one response. It holds its users in memory,
 * those of `people` from the start.
 */
export function createService(apiKey: string, people: NewUser[] = []): RequestListener {
  const users = new Map<string, NewUser & { id: string }>();
  const keyDigest = digestOf(apiKey);
  const add = ({ email, name }: NewUser) => {
    const user = { id: randomUUID(), email, name };
    users.set(user.id, user);
    return user;
  };
  for (const person of people) add(person);

  const create = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { email, name }: Partial<NewUser> = unlessThrown(() => JSON.parse(body)) ?? {};
    if (typeof email !== 'string' || typeof name !== 'string') {
      return respond(response, 400, { error: 'email and name must be strings' });
    }
    const user = add({ email, name });
    respond(response, 201, user, { location: `/v1/users/${user.id}` });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '' } = request;
    const [path = ''] = url.split('?', 1);
    if (!path.startsWith('/v1/')) return respond(response, 404, NOT_FOUND);
    if (!hasKey(request, keyDigest)) return respond(response, 401, UNAUTHORIZED, CHALLENGE);
    if (path === '/v1/users' && method === 'GET') {
      return respond(response, 200, { data: [...users.values()], total: users.size });
    }
    if (path === '/v1/users' && method === 'POST') return create(request, response);
    const [, segment] = /^\/v1\/users\/([^/]+)$/.exec(path) ?? [];
    if (segment === undefined || method !== 'GET') return respond(response, 404, NOT_FOUND);
    const user = users.get(unlessThrown(() => decodeURIComponent(segment)) ?? '');
    return user ? respond(response, 200, user) : respond(response, 404, NOT_FOUND);
  };

  return (request, response) => {
    // A client that aborts its request waits for no response.
    handle(request, response).catch(() => response.destroy());
  };
}

const NOT_FOUND = { error: 'not found' };
const UNAUTHORIZED = { error: 'unauthorized' };
const CHALLENGE = { 'www-authenticate': 'Bearer realm="users"' };

function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const json = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(json)}`,
    ...headers,
  });
  response.end(json);
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

function hasKey({ headers }: IncomingMessage, keyDigest: Buffer): boolean {
  // The name of the scheme is case-insensitive (RFC 9110 section 11.1).
  const [, token = ''] = /^bearer (.*)$/i.exec(headers.authorization ?? '') ?? [];
  return timingSafeEqual(digestOf(token), keyDigest);
}

/** A reference service that listens. */
interface RunningReference {
  baseUrl: string;
  close: () => Promise<void>;
}

/**
 * Serves the reference service on a loopback port; 0 chooses a free one. Rejects if the port is
 * taken.
 */
export async function serveReference(
  apiKey: string,
  people: NewUser[] = [],
  port = 0,
): Promise<RunningReference> {
  const server = createServer(createService(apiKey, people)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const { port: actualPort } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${actualPort}/v1`, close };
}

/**
 * Users of the embedded service from before the run, so that the requirements on such users apply.
 */
const EXISTING_USERS: NewUser[] = [
  { email: 'ada@example.org', name: 'Ada Lovelace' },
  { email: 'grace@example.org', name: 'Grace Hopper' },
];

/** Starts the reference service with a random key, for a run without a target. */
export async function startReference(): Promise<RunningReference & { apiKey: string }> {
  const apiKey = randomBytes(24).toString('base64url');
  const { baseUrl, close } = await serveReference(apiKey, EXISTING_USERS);
  return { apiKey, baseUrl, close };
}
