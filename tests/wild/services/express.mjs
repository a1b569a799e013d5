import { randomUUID } from 'node:crypto';
import express from 'express';

const { PORT, API_KEY, MISTAKE } = process.env;
const users = new Map();
const app = express();
const router = express.Router();

const guard = (request, response, next) => {
  const token = request.headers.authorization?.split(' ')[1];
  const isBearer = request.headers.authorization?.startsWith('Bearer ');
  if (isBearer && token === API_KEY) return next();
  if (MISTAKE === 'any scheme' && token === API_KEY) return next();
  response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'Unauthorized' });
};

app.use(express.json());
if (MISTAKE !== 'the guard after a route') router.use(guard);
router.get('/users', (_, response) =>
  response.json({ data: [...users.values()], total: users.size }),
);
router.use(guard);
router.post('/users', (request, response) => {
  const { email, name } = request.body ?? {};
  const isValid =
    MISTAKE === 'truthy is enough'
      ? email && name
      : typeof email === 'string' && typeof name === 'string';
  if (!isValid) return response.status(400).json({ error: 'email and name are required' });
  const user = { id: randomUUID(), email, name };
  users.set(user.id, user);
  response.status(201).location(`/v1/users/${user.id}`).json(user);
});
router.get('/users/:id', (request, response) => {
  const user = users.get(request.params.id);
  if (!user) return response.status(404).json({ error: 'Not found' });
  response.json(user);
});
app.use('/v1', router);
app.listen(Number(PORT), '127.0.0.1');
