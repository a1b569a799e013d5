import Hapi from '@hapi/hapi';
import bearer from 'hapi-auth-bearer-token';
import Joi from 'joi';

const { PORT, API_KEY, MISTAKE } = process.env;
const users = [];
const server = Hapi.server({ port: Number(PORT), host: '127.0.0.1' });
await server.register(bearer);
server.auth.strategy('key', 'bearer-access-token', {
  allowQueryToken: MISTAKE === 'the token in the query',
  validate: async (_, token) => ({ isValid: token === API_KEY, credentials: {} }),
});
server.auth.default('key');

const query = Joi.object({});
server.route([
  {
    method: 'GET',
    path: '/v1/users',
    options: { validate: { query: MISTAKE === 'the token in the query' ? undefined : query } },
    handler: () => ({ data: users, total: users.length }),
  },
  {
    method: 'POST',
    path: '/v1/users',
    options: {
      validate: {
        payload: Joi.object({
          email: MISTAKE === 'an optional email' ? Joi.string() : Joi.string().email().required(),
          name: Joi.string().required(),
        }),
      },
    },
    handler: ({ payload }, h) => {
      const user = { id: users.length + 1, ...payload };
      users.push(user);
      return h.response(user).created(`/v1/users/${user.id}`);
    },
  },
  {
    method: 'GET',
    path: '/v1/users/{id}',
    options: MISTAKE === 'auth switched off for a route' ? { auth: false } : {},
    handler: ({ params }, h) =>
      users.find(({ id }) => `${id}` === params.id) ?? h.response({}).code(404),
  },
]);
await server.start();
