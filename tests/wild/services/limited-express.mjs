import { randomUUID } from 'node:crypto';
import express from 'express';

/** Serves the interface on Express, behind a middleware that limits requests. */
export function serveLimited(limiter) {
  const { PORT, API_KEY } = process.env;
  const users = new Map();
  const app = express();

  app.use(limiter);
  app.use((request, response, next) => {
    if (request.headers.authorization === `Bearer ${API_KEY}`) return next();
    response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'Unauthorized' });
  });
  app.use(express.json());
  app.get('/v1/users', (_, response) => {
    response.json({ data: [...users.values()], total: users.size });
  });
  app.post('/v1/users', (request, response) => {
    const { email, name } = request.body ?? {};
    if (typeof email !== 'string' || typeof name !== 'string') {
      return response.status(400).json({ error: 'email and name are required' });
    }
    const user = { id: randomUUID(), email, name };
    users.set(user.id, user);
    response.status(201).location(`/v1/users/${user.id}`).json(user);
  });
  app.get('/v1/users/:id', (request, response) => {
    const user = users.get(request.params.id);
    if (!user) return response.status(404).json({ error: 'Not found' });
    response.json(user);
  });
  app.listen(Number(PORT), '127.0.0.1');
}
