import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { bodyLimit } from 'hono/body-limit';

export interface NewUser {
  email: string;
  name: string;
}

interface User extends NewUser {
  id: string;
}

/**
 * The User Management Service in its happy reading: UUIDs as identifiers, 201 with Location and the record, the whole
 * list at once. Users live in memory; `people` are there from the start. Passes every MUST and every SHOULD.
 */
export function createService(apiKey: string, people: NewUser[] = []): Hono {
  const users = new Map(
    people.map((one) => ({ id: randomUUID() as string, ...one })).map((one) => [one.id, one] as const),
  );
  const service = new Hono().basePath('/v1');

  service.use(async (context, next) => {
    // RFC 9110, section 11.1: the scheme's name has no case, which the middleware below does not know.
    const [scheme = '', ...token] = (context.req.header('authorization') ?? '').split(' ');
    if (scheme.toLowerCase() === 'bearer') context.req.raw.headers.set('authorization', `Bearer ${token.join(' ')}`);
    await next();
  });
  service.use(bearerAuth({ token: apiKey }));

  service.get('/users', (context) => context.json({ data: [...users.values()], total: users.size }));

  service.post('/users', bodyLimit({ maxSize: 100_000 }), async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined);
    if (!isNewUser(body)) return context.json({ error: 'email and name must be strings' }, 400);
    const user: User = { id: randomUUID(), email: body.email, name: body.name };
    users.set(user.id, user);
    return context.json(user, 201, { location: `/v1/users/${user.id}` });
  });

  service.get('/users/:id', (context) => {
    const user = users.get(context.req.param('id'));
    return user ? context.json(user) : context.json({ error: 'no such user' }, 404);
  });

  return service;
}

function isNewUser(body: unknown): body is NewUser {
  if (typeof body !== 'object' || body === null) return false;
  const { email, name } = body as { email?: unknown; name?: unknown };
  return typeof email === 'string' && typeof name === 'string';
}
