// The User Management Service on Express 5. The environment gives API_KEY, and PORT where it is not 3000.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import express from 'express';

const { API_KEY, PORT = '3000' } = process.env;
if (!API_KEY) throw new Error('API_KEY is not set');

const users = new Map();
const api = express.Router();

// First of all, so that whoever has no key learns nothing, not even that a body is malformed.
api.use((request, response, next) => {
  const [, token = ''] = /^bearer +(.+)$/i.exec(request.get('authorization') ?? '') ?? [];
  if (isSame(token, API_KEY)) return next();
  response
    .status(401)
    .set('WWW-Authenticate', 'Bearer')
    .json({ error: 'the key is missing or wrong' });
});
api.use(express.json());

api.get('/users', (_request, response) => {
  response.json({ data: [...users.values()], total: users.size });
});

api.post('/users', (request, response) => {
  const { email, name } = request.body ?? {};
  if (typeof email !== 'string' || typeof name !== 'string') {
    return response.status(400).json({ error: 'email and name must be strings' });
  }
  const user = { id: randomUUID(), email, name };
  users.set(user.id, user);
  response.status(201).location(`${request.baseUrl}/users/${user.id}`).json(user);
});

api.get('/users/:id', (request, response) => {
  const user = users.get(request.params.id);
  if (user) response.json(user);
  else response.status(404).json({ error: 'no such user' });
});

const app = express().disable('x-powered-by');
app.use('/v1', api);
app.use((_request, response) => response.status(404).json({ error: 'no such address' }));
// Express knows an error handler by its four parameters. The error of a malformed body or path has a status.
app.use((error, _request, response, _next) => {
  const status = error.status ?? 500;
  if (status >= 500) console.error(error);
  response
    .status(status)
    .json({ error: status < 500 ? 'the request is malformed' : 'the service has failed' });
});

app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`http://127.0.0.1:${PORT}/v1`);
});

/** Compares in the same time whatever the texts are, so that the time tells nothing of the key. */
function isSame(a, b) {
  const digest = (text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
