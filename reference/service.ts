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
 * The User Management Service in its happy reading: UUIDs as identifiers, 201 with Location and the record, the whole
 * list at once. Users live in memory; `people` are there from the start. Passes every MUST and every SHOULD.
 */
export function createService(apiKey: string, people: NewUser[] = []): RequestListener {
  const users = new Map<string, NewUser & { id: string }>();
  const keyDigest = digestOf(apiKey);
  const add = ({ email, name }: NewUser) => {
    const user = { id: randomUUID(), email, name };
    users.set(user.id, user);
    return user;
  };
  for (const one of people) add(one);

  const create = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { email, name }: Partial<NewUser> = unlessThrown(() => JSON.parse(body)) ?? {};
    if (typeof email !== 'string' || typeof name !== 'string') {
      return say(response, 400, { error: 'email and name must be strings' });
    }
    const user = add({ email, name });
    say(response, 201, user, { location: `/v1/users/${user.id}` });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const [, id] = /^\/v1\/users(?:\/([^/]+))?$/.exec(path) ?? [];
    if (!path.startsWith('/v1/')) return say(response, 404, { error: 'not found' });
    if (!hasKey(request, keyDigest)) {
      return say(
        response,
        401,
        { error: 'unauthorized' },
        { 'www-authenticate': 'Bearer realm="users"' },
      );
    }
    if (path === '/v1/users' && request.method === 'GET') {
      return say(response, 200, { data: [...users.values()], total: users.size });
    }
    if (path === '/v1/users' && request.method === 'POST') return create(request, response);
    const wanted =
      id !== undefined && request.method === 'GET' && unlessThrown(() => decodeURIComponent(id));
    const user = wanted ? users.get(wanted) : undefined;
    return user ? say(response, 200, user) : say(response, 404, { error: 'not found' });
  };

  return (request, response) => {
    // Nobody waits for the answer to a request that breaks off.
    answer(request, response).catch(() => response.destroy());
  };
}

function say(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const json = JSON.stringify(body);
  const length = `${Buffer.byteLength(json)}`;
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers })
    .end(json);
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

function hasKey({ headers }: IncomingMessage, keyDigest: Buffer): boolean {
  // RFC 9110, section 11.1: the scheme's name has no case.
  const [, token = ''] = /^bearer (.*)$/i.exec(headers.authorization ?? '') ?? [];
  return timingSafeEqual(digestOf(token), keyDigest);
}

/** Users who are there before the run, so that it has some to look at. */
const PEOPLE = [
  { email: 'ada@example.org', name: 'Ada Lovelace' },
  { email: 'grace@example.org', name: 'Grace Hopper' },
];

/**
 * Serves the reference service on a loopback port (0: one that is free).
 * Returns its base address and a function that ends it. Rejects when the port is taken.
 */
export async function serveReference(apiKey: string, people: NewUser[] = [], port = 0) {
  const server = createServer(createService(apiKey, people)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close };
}

/** Starts the reference service for a run without a target. `close` ends it. */
export async function startReference() {
  const apiKey = randomBytes(24).toString('base64url');
  return { apiKey, ...(await serveReference(apiKey, PEOPLE)) };
}
