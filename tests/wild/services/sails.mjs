import { tmpdir } from 'node:os';
import sails from 'sails';

const { PORT, API_KEY, MISTAKE } = process.env;
const users = [];

sails.lift(
  {
    appPath: tmpdir(),
    port: Number(PORT),
    explicitHost: '127.0.0.1',
    globals: false,
    hooks: {
      grunt: false,
      views: false,
      session: false,
      csrf: false,
      i18n: false,
      pubsub: false,
      blueprints: false,
    },
    log: { level: 'silent' },
    http: {
      middleware: {
        order: ['bodyParser', 'guard', 'router'],
        guard(request, response, next) {
          const header = request.headers.authorization;
          const isRight =
            MISTAKE === 'includes' ? header?.includes(API_KEY) : header === `Bearer ${API_KEY}`;
          if (isRight) return next();
          response.status(401).json({
            error: MISTAKE === 'what came, sent back' ? `not ${header}` : 'E_UNAUTHORIZED',
          });
        },
      },
    },
    routes: {
      'GET /v1/users': (_, response) => response.json({ data: users, total: users.length }),
      'POST /v1/users': (request, response) => {
        const { email, name } = request.body;
        if (typeof email !== 'string' || typeof name !== 'string') return response.badRequest();
        if (MISTAKE !== 'created, not kept' || users.length === 0)
          users.push({ id: users.length + 1, email, name });
        return response.status(201).json({ id: users.length });
      },
      'GET /v1/users/:id': (request, response) => {
        const user = users.find(({ id }) => `${id}` === request.params.id);
        return user ? response.json(user) : response.notFound();
      },
    },
  },
  (error) => {
    if (error) process.exit(1);
  },
);
