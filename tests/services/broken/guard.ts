import type { Reply, Request } from '../service.ts';
import { alsoAuthorised, type Broken, behindGuard, broken } from './broken.ts';

/** Returns a router that reads another spelling as the path, which the guard does not know. */
const respelled = (usual: (path: string) => string) =>
  behindGuard(({ path }) => (usual(path) === path ? undefined : usual(path)));

/** Guards that a spelling of the path or a trusted header passes, and caches before the guard. */
export const brokenGuard: Broken[] = [
  ...['/users', '/V1/users'].map((alias) =>
    broken(
      'guard.path-spelling',
      `the list is at ${alias} as well, without a guard`,
      behindGuard(({ path }) => (path === alias ? '/v1/users' : undefined)),
      alias === '/users' ? ['versioning.needs-segment'] : [],
    ),
  ),
  ...(
    [
      [
        'localhost as the page that asks',
        ({ headers }) => `${headers.referer}`.includes('localhost'),
      ],
      [
        'a certificate that a proxy has verified',
        ({ headers }) => headers['x-ssl-client-verify'] === 'SUCCESS',
      ],
      [
        'a private address on the way',
        ({ headers }) => `${headers['x-forwarded-for']}`.includes('192.168.'),
      ],
    ] as [name: string, isTrusted: (request: Request) => boolean][]
  ).map(([name, isTrusted]) =>
    broken('guard.trusted-headers', `${name} opens the door`, alsoAuthorised(isTrusted)),
  ),
  broken('guard.trusted-headers', 'the trace of a valid request opens the door', (service) => {
    const { authorised } = service;
    const validTraces = new Set<string>();
    service.authorised = (request) => {
      const trace = `${request.headers.traceparent ?? ''}`.slice(0, 35);
      if (authorised(request)) validTraces.add(trace);
      return trace === '' ? authorised(request) : validTraces.has(trace);
    };
  }),
  broken(
    'guard.path-spelling',
    'a trailing slash skips the guard',
    respelled((path) => path.replace(/\/$/, '')),
  ),
  broken(
    'guard.path-spelling',
    'a double slash skips the guard',
    respelled((path) => path.replaceAll(/\/{2,}/g, '/')),
  ),
  broken(
    'guard.path-spelling',
    'a path parameter skips the guard',
    respelled((path) => path.replace(/;[^/]*$/, '')),
  ),
  broken(
    'guard.path-spelling',
    'capital letters skip the guard',
    respelled((path) => path.replace('/USERS', '/users')),
  ),
  broken(
    'guard.path-spelling',
    'an encoded letter skips the guard',
    respelled((path) => path.replace('%75', 'u')),
  ),
  broken(
    'guard.path-spelling',
    'an extension is a format, and skips the guard',
    respelled((path) => path.replace(/\.json$/, '')),
  ),
  broken(
    'guard.path-spelling',
    'an encoded slash at the end skips the guard',
    respelled((path) => path.replace(/users%2F$/, 'users')),
  ),
  broken(
    'guard.trusted-headers',
    'X-Forwarded-For: 127.0.0.1 is let in',
    alsoAuthorised(({ headers }) => headers['x-forwarded-for'] === '127.0.0.1'),
  ),
  broken(
    'guard.trusted-headers',
    'X-Real-IP: 127.0.0.1 is let in for reads',
    alsoAuthorised(
      ({ headers, method }) => method === 'GET' && headers['x-real-ip'] === '127.0.0.1',
    ),
  ),
  broken(
    'guard.trusted-headers',
    'X-Forwarded-User is trusted as the user of a proxy',
    alsoAuthorised(({ headers }) => headers['x-forwarded-user'] !== undefined),
  ),
  broken(
    'guard.trusted-headers',
    'X-Original-URL decides what is guarded',
    alsoAuthorised(
      ({ headers, path }) => !`${headers['x-original-url'] ?? path}`.includes('/users'),
    ),
  ),
  broken(
    'guard.trusted-headers',
    'outside the version X-Original-URL is routed, and only the path is guarded',
    (service) => {
      const { handle } = service;
      service.handle = (request) => {
        const original = request.headers['x-original-url'];
        if (typeof original !== 'string' || request.path.startsWith(service.base))
          return handle(request);
        return handle({
          ...request,
          path: original,
          headers: { authorization: `Bearer ${service.key}` },
        });
      };
    },
  ),
  broken(
    'guard.trusted-headers',
    'X-Forwarded-URI decides what is guarded',
    alsoAuthorised(
      ({ headers, path }) => !`${headers['x-forwarded-uri'] ?? path}`.includes('/users'),
    ),
  ),
  broken(
    'guard.trusted-headers',
    'X-Auth-Request-User is trusted as the user of a proxy',
    alsoAuthorised(({ headers }) => headers['x-auth-request-user'] !== undefined),
  ),
  broken(
    'guard.trusted-headers',
    'Host: localhost is let in',
    alsoAuthorised(({ headers }) => headers.host === 'localhost'),
  ),
  broken(
    'guard.path-spelling',
    'a whole URL for the path skips the guard',
    respelled((path) => path.replace(/^http:\/\/localhost/, '')),
  ),
  broken(
    'guard.trusted-headers',
    'X-Rewrite-URL is routed behind the guard',
    behindGuard(({ headers }) => headers['x-rewrite-url'] as string | undefined),
  ),
  broken(
    'guard.trusted-headers',
    'X-HTTP-Method-Override decides what is guarded',
    alsoAuthorised(({ headers }) => headers['x-http-method-override'] === 'GET'),
  ),
  broken('authentication.list-needs-key', 'a cached list needs no key', (service) => {
    const { handle } = service;
    let cached: Reply | undefined;
    service.handle = async (request) => {
      const isList = request.method === 'GET' && request.path === `${service.base}/users`;
      if (isList && cached && request.headers.authorization === undefined) return cached;
      const reply = await handle(request);
      if (isList && reply.status === 200) cached = reply;
      return reply;
    };
  }),
  broken('authentication.retrieve-needs-key', 'a cached user needs no key', (service) => {
    const { retrieve, refuse } = service;
    const cache = new Map<string, Reply>();
    service.retrieve = async (id, request) => {
      const reply = await retrieve(id, request);
      if (reply.status === 200) cache.set(request.path, reply);
      return reply;
    };
    service.refuse = (request) => {
      const hasKey = request.headers.authorization !== undefined;
      return (hasKey ? undefined : cache.get(request.path)) ?? refuse(request);
    };
  }),
  broken('authentication.no-token', 'a user that is cached for gzip needs no key', (service) => {
    const { handle } = service;
    const cache = new Map<string, Reply>();
    service.handle = async (request) => {
      const { method, path, headers } = request;
      const isUser = method === 'GET' && path.startsWith(`${service.base}/users/`);
      if (!isUser || !/gzip/.test(`${headers['accept-encoding']}`)) return handle(request);
      const reply = cache.get(path) ?? (await handle(request));
      if (reply.status === 200) cache.set(path, reply);
      return reply;
    };
  }),
  broken(
    'guard.trusted-headers',
    'an Idempotency-Key returns the same response to anybody',
    (service) => {
      const { handle } = service;
      const replies = new Map<unknown, Reply>();
      service.handle = async (request) => {
        const { 'idempotency-key': key } = request.headers;
        const reply = (key && replies.get(key)) || (await handle(request));
        if (key && reply.status === 201) replies.set(key, reply);
        return reply;
      };
    },
  ),
];
