import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

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
    const given = parse(await text(request));
    if (given === undefined) return say(response, 400, { error: 'email and name must be strings' });
    const user = add(given);
    say(response, 201, user, { location: `/v1/users/${user.id}` });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const [, id] = /^\/v1\/users(?:\/([^/]+))?$/.exec(path) ?? [];
    if (!path.startsWith('/v1/')) return say(response, 404, { error: 'not found' });
    if (!hasKey(request, keyDigest)) {
      return say(response, 401, { error: 'unauthorized' }, { 'www-authenticate': 'Bearer realm="users"' });
    }
    if (path === '/v1/users' && request.method === 'GET') {
      return say(response, 200, { data: [...users.values()], total: users.size });
    }
    if (path === '/v1/users' && request.method === 'POST') return create(request, response);
    const user = id !== undefined && request.method === 'GET' ? users.get(decoded(id)) : undefined;
    return user ? say(response, 200, user) : say(response, 404, { error: 'not found' });
  };

  return (request, response) => {
    // Nobody waits for the answer to a request that breaks off.
    answer(request, response).catch(() => response.destroy());
  };
}

function say(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  const json = JSON.stringify(body);
  const length = `${Buffer.byteLength(json)}`;
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers }).end(json);
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

function hasKey({ headers }: IncomingMessage, keyDigest: Buffer): boolean {
  // RFC 9110, section 11.1: the scheme's name has no case.
  const [, token = ''] = /^bearer (.*)$/i.exec(headers.authorization ?? '') ?? [];
  return timingSafeEqual(digestOf(token), keyDigest);
}

function parse(body: string): NewUser | undefined {
  try {
    const { email, name } = JSON.parse(body);
    return typeof email === 'string' && typeof name === 'string' ? { email, name } : undefined;
  } catch {
    return undefined;
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
