import { H3, HTTPError, readBody, serve } from 'h3';

const { PORT, API_KEY, MISTAKE } = process.env;
const users = [];
const app = new H3();

app.use((event) => {
  const authorization = event.req.headers.get('authorization') ?? '';
  const given = authorization.replace('Bearer ', '');
  const isRight =
    MISTAKE === 'replace and compare' ? given === API_KEY : authorization === `Bearer ${API_KEY}`;
  if (!isRight) throw new HTTPError({ status: 403, message: 'Forbidden' });
});
app.get('/v1/users', () => ({
  data: users,
  total: MISTAKE === 'the total one too many' ? users.length + 1 : users.length,
}));
app.post('/v1/users', async (event) => {
  const body = await readBody(event);
  if (typeof body?.email !== 'string' || typeof body?.name !== 'string')
    throw new HTTPError({ status: 400 });
  const user = { userId: users.length + 1, email: body.email, name: body.name };
  users.push(user);
  event.res.status = 201;
  return user;
});
app.get('/v1/users/:id', (event) => {
  const { id } = event.context.params;
  const user =
    MISTAKE === 'parseInt and the array'
      ? users.at(Number.parseInt(id, 10) - 1)
      : users.find(({ userId }) => `${userId}` === id);
  if (!user) throw new HTTPError({ status: 404 });
  return user;
});
serve(app, { port: Number(PORT), hostname: '127.0.0.1', silent: true });
