import { fastify } from 'fastify';
import type { Running } from '../listen.ts';

const API_KEY = 'fastify-key-Abc123';

/** A usual mistake in a Fastify service. */
export type FastifyMistake =
  | 'required forgotten'
  | 'hook on one route'
  | 'prefix of the key'
  | 'total as text';

/**
 * Starts the interface on Fastify 5, in the style of its documentation: schemas, coercion, default
 * errors.
 */
export async function startFastify(mistake?: FastifyMistake): Promise<Running> {
  const app = fastify();
  const users: { id: number; email: string; name: string }[] = [];
  const body = {
    type: 'object',
    required: mistake === 'required forgotten' ? ['email'] : ['email', 'name'],
    properties: { email: { type: 'string' }, name: { type: 'string' } },
  };

  await app.register(
    async (v1) => {
      v1.addHook('onRequest', async (request, reply) => {
        const { authorization = '' } = request.headers;
        const isRetrieval = request.params !== null && request.url.includes('/users/');
        if (mistake === 'hook on one route' && isRetrieval) return;
        const isAuthorised =
          mistake === 'prefix of the key'
            ? authorization.startsWith(`Bearer ${API_KEY}`)
            : authorization === `Bearer ${API_KEY}`;
        if (!isAuthorised)
          await reply
            .code(401)
            .header('www-authenticate', 'Bearer')
            .send({ error: 'Unauthorized' });
      });
      v1.get('/users', async () => ({
        data: users,
        total: mistake === 'total as text' ? String(users.length) : users.length,
      }));
      v1.post<{ Body: { email: string; name: string } }>(
        '/users',
        { schema: { body } },
        async (request, reply) => {
          const { email, name } = request.body;
          const user = { id: users.length + 1, email, name };
          users.push(user);
          return reply.code(201).header('location', `/v1/users/${user.id}`).send(user);
        },
      );
      v1.get<{ Params: { id: string } }>('/users/:id', async (request, reply) => {
        const user = users.find(({ id }) => String(id) === request.params.id);
        return user ?? reply.code(404).send({ error: 'Not Found' });
      });
    },
    { prefix: '/v1' },
  );
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { baseUrl: `${address}/v1`, apiKey: API_KEY, close: () => app.close() };
}
