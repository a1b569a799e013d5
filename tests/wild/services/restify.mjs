import { randomBytes } from 'node:crypto';
import restify from 'restify';

const { PORT, API_KEY, MISTAKE } = process.env;
const users = [];
const server = restify.createServer({ name: 'users' });
server.use(restify.plugins.acceptParser(server.acceptable));
server.use(restify.plugins.authorizationParser());
server.use(restify.plugins.queryParser({ mapParams: false }));
server.use(restify.plugins.bodyParser({ mapParams: MISTAKE === 'the body mapped to params' }));
server.use((request, response, next) => {
  const { scheme = '', credentials = '' } = request.authorization ?? {};
  const right =
    MISTAKE === 'the case folded'
      ? credentials.toLowerCase() === API_KEY.toLowerCase()
      : credentials === API_KEY;
  if (scheme === 'Bearer' && right) return next();
  response.send(401, { code: 'Unauthorized' });
  next(false);
});

server.get('/v1/users', (_, response, next) => {
  response.send({ data: users, total: users.length });
  next();
});
server.post('/v1/users', (request, response, next) => {
  const { email, name } = request.body ?? {};
  if (typeof email !== 'string' || typeof name !== 'string') {
    response.send(409, { code: 'InvalidArgument' });
    return next(false);
  }
  const user = { id: randomBytes(12).toString('hex'), email, name };
  if (MISTAKE === 'a name used as the email') user.email = name;
  users.push(user);
  response.header('Location', `/v1/users/${user.id}`);
  response.send(201);
  next();
});
server.get('/v1/users/:id', (request, response, next) => {
  const index = users.findIndex(({ id }) => id === request.params.id);
  const user = MISTAKE === 'the index -1' ? users.at(index) : users[index];
  response.send(user ? 200 : 404, user ?? { code: 'ResourceNotFound' });
  next();
});
server.listen(Number(PORT), '127.0.0.1');
