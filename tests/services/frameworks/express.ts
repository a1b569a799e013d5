import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { listen, type Running } from '../listen.ts';

const API_KEY = 'express-key-Abc123';

/** A usual mistake in an Express service. */
export type ExpressMistake =
  | 'guard after the routes'
  | 'no validation'
  | 'echo of the token'
  | 'id by position';

/**
 * Starts the interface on Express 5, in the style of its documentation, with default errors and
 * parsing.
 */
export function startExpress(mistake?: ExpressMistake): Promise<Running> {
  const users: { id: string; email: unknown; name: unknown }[] = [];
  const app = express();
  const router = express.Router();

  const guard = (request: Request, response: Response, next: NextFunction) => {
    const [, token] = /^bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
    if (token === API_KEY) return next();
    response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'Unauthorized' });
  };

  app.use(express.json());
  if (mistake !== 'guard after the routes') router.use(guard);

  router.get('/users', (_, response) => {
    response.json({ data: users, total: users.length });
  });
  router.post(
    '/users',
    mistake === 'guard after the routes' ? guard : [],
    (request: Request, response: Response) => {
      const { email, name } = request.body ?? {};
      if (mistake !== 'no validation' && (typeof email !== 'string' || typeof name !== 'string')) {
        response.status(422).json({ error: 'email and name must be strings' });
        return;
      }
      const user = { id: randomUUID(), email, name };
      users.push(user);
      response
        .status(201)
        .location(`/v1/users/${user.id}`)
        .json(
          mistake === 'echo of the token' ? { ...user, token: request.get('authorization') } : user,
        );
    },
  );
  router.get('/users/:id', (request, response) => {
    const user =
      mistake === 'id by position'
        ? users.at(-1)
        : users.find(({ id }) => id === request.params.id);
    if (user === undefined) response.status(404).json({ error: 'Not Found' });
    else response.json(user);
  });
  if (mistake === 'guard after the routes') router.use(guard);

  app.use('/v1', router);
  // Outside of tests, the default error handler prints errors.
  app.set('env', 'test');
  return listen(createServer(app), '/v1', API_KEY);
}
