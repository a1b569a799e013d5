import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';

const { PORT, API_KEY, MISTAKE } = process.env;
const users = [];
/** Takes as long as a database. */
const inserted = () => new Promise((resolve) => setTimeout(resolve, 5));
let last;
const app = new Koa();
const router = new Router({ prefix: '/v1' });

app.use(async (ctx, next) => {
  const [scheme, token] = ctx.get('Authorization').split(' ');
  const isRight = scheme === 'Bearer' && token === API_KEY;
  const inQuery = MISTAKE === 'the key in the query' && ctx.query.access_token === API_KEY;
  if (!isRight && !inQuery) ctx.throw(401);
  await next();
});
app.use(bodyParser());
router.get('/users', (ctx) => {
  ctx.body = { data: users, total: users.length };
});
router.post('/users', async (ctx) => {
  const { email, name } = ctx.request.body ?? {};
  if (MISTAKE !== 'no validation' && (typeof email !== 'string' || typeof name !== 'string'))
    ctx.throw(422);
  last = { email, name };
  await inserted();
  const user = {
    _id: `u${users.length + 1}`,
    ...(MISTAKE === 'a variable of the module' ? last : { email, name }),
  };
  users.push(user);
  ctx.status = 201;
  ctx.body = user;
});
router.get('/users/:id', (ctx) => {
  ctx.body = users.find(({ _id }) => _id === ctx.params.id);
  if (!ctx.body) ctx.throw(404);
});
app.use(router.routes()).use(router.allowedMethods());
app.silent = true;
app.listen(Number(PORT), '127.0.0.1');
