import { createServer } from 'node:http';
import { initTRPC, TRPCError } from '@trpc/server';
import { createOpenApiHttpHandler } from 'trpc-to-openapi';
import { z } from 'zod';

const { PORT, API_KEY, MISTAKE } = process.env;
const users = [];
const t = initTRPC.meta().context().create();

const guarded = t.procedure.use(({ ctx, next }) => {
  if (!ctx.isRight) throw new TRPCError({ code: 'UNAUTHORIZED' });
  return next();
});
const User = z.object({ id: z.string(), email: z.string(), name: z.string() });
const openapi = (method, path) => ({ openapi: { method, path } });

const appRouter = t.router({
  list: guarded
    .meta(openapi('GET', '/users'))
    .input(z.object({}))
    .output(z.object({ data: z.array(User.extend({ name: z.any() })), total: z.number() }))
    .query(() => ({
      data: MISTAKE === 'the newest ten, and their number' ? users.slice(-10) : users,
      total:
        MISTAKE === 'the newest ten, and their number' ? Math.min(10, users.length) : users.length,
    })),
  create: guarded
    .meta(openapi('POST', '/users'))
    .input(
      z.object(
        MISTAKE === 'coerce'
          ? { email: z.string(), name: z.any() }
          : { email: z.string(), name: z.string() },
      ),
    )
    .output(User.extend({ name: z.any() }))
    .mutation(({ input }) => {
      const user = { id: `${users.length + 1}`, ...input };
      users.push(user);
      return user;
    }),
  one: (MISTAKE === 'a public procedure' ? t.procedure : guarded)
    .meta(openapi('GET', '/users/{id}'))
    .input(z.object({ id: z.string() }))
    .output(User)
    .query(({ input }) => {
      const user = users.find(({ id }) => id === input.id);
      if (!user) throw new TRPCError({ code: 'NOT_FOUND' });
      return user;
    }),
});

const handler = createOpenApiHttpHandler({
  router: appRouter,
  createContext: ({ req }) => ({
    isRight: req.headers.get('authorization') === `Bearer ${API_KEY}`,
  }),
});
createServer((request, response) => {
  if (!request.url.startsWith('/v1/')) return response.writeHead(404).end();
  request.url = request.url.slice('/v1'.length);
  return handler(request, response);
}).listen(Number(PORT), '127.0.0.1');
