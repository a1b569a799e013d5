import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';

const { PORT, API_KEY, MISTAKE } = process.env;
const users = new Map();
const app = new Hono().basePath('/v1');

app.use(
  MISTAKE === 'a guard for the collection alone' ? '/users' : '/users/*',
  bearerAuth({ token: API_KEY }),
);
app.get('/users', (c) => {
  const data = [...users.values()];
  return c.json(
    MISTAKE === 'null for an empty list' && data.length === 0
      ? { data: null, total: 0 }
      : { data, total: data.length },
  );
});
app.post('/users', async (c) => {
  const body = await c.req.json().catch(() => undefined);
  if (typeof body?.email !== 'string' || typeof body?.name !== 'string')
    return c.json({ error: 'invalid' }, 400);
  const name = MISTAKE === 'names trimmed to ASCII' ? body.name.replace(/[^ -~]/g, '?') : body.name;
  const user = { id: crypto.randomUUID(), email: body.email, name };
  users.set(user.id, user);
  return c.json({ data: user }, 201);
});
app.get('/users/:id', (c) => {
  const user = users.get(c.req.param('id'));
  return user ? c.json({ data: user }) : c.notFound();
});
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
