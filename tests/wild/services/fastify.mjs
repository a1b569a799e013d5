import Fastify from 'fastify';

const { PORT, API_KEY, MISTAKE } = process.env;
const users = [];
const app = Fastify();

app.addHook('onRequest', async (request, reply) => {
  const { authorization = '' } = request.headers;
  const isRight =
    MISTAKE === 'startsWith'
      ? authorization.startsWith(`Bearer ${API_KEY}`)
      : authorization === `Bearer ${API_KEY}`;
  if (!isRight) return reply.code(401).send({ error: 'Unauthorized' });
});

const body = {
  type: 'object',
  required: MISTAKE === 'a member forgotten in required' ? ['email'] : ['email', 'name'],
  properties: { email: { type: 'string' }, name: { type: 'string' } },
};
app.get('/v1/users', async () => ({
  data: users,
  total: MISTAKE === 'the total as text' ? `${users.length}` : users.length,
}));
app.post('/v1/users', { schema: { body } }, async (request, reply) => {
  const user = { id: users.length + 1, ...request.body };
  users.push(user);
  return reply.code(201).send(user);
});
app.get('/v1/users/:id', async (request, reply) => {
  const user = users.find(({ id }) => `${id}` === request.params.id);
  return user ?? reply.code(404).send({ error: 'Not found' });
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
