import { randomUUID } from 'node:crypto';
import express from 'express';
import { slowDown } from 'express-slow-down';

const { PORT, API_KEY } = process.env;
const users = new Map();
const app = express();

// As in the README of the package: each further request takes 100 ms longer.
app.use(slowDown({ windowMs: 15 * 60_000, delayAfter: 5, delayMs: (hits) => hits * 100 }));
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
