import type { Patch, Reply, Request } from '../service.ts';
import { alsoAuthorised, type Broken, broken } from './broken.ts';

/** Carries out, without the key, what a request becomes behind the guard; undefined leaves it to the guard. */
const behindGuard =
  (become: (request: Request) => string | undefined): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = (request) => {
      const path = become(request);
      if (path === undefined) return handle(request);
      return handle({
        ...request,
        path,
        headers: { ...request.headers, authorization: `Bearer ${service.key}` },
      });
    };
  };

/** A router that takes another spelling for the path, which the guard does not know. */
const respelled = (usual: (path: string) => string) =>
  behindGuard(({ path }) => (usual(path) === path ? undefined : usual(path)));

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
    const known = new Set<string>();
    service.authorised = (request) => {
      const trace = `${request.headers.traceparent ?? ''}`.slice(0, 35);
      if (authorised(request)) known.add(trace);
      return trace === '' ? authorised(request) : known.has(trace);
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
    'who seems to ask from this machine, by X-Real-IP, may read',
    alsoAuthorised(
      ({ headers, method }) => method === 'GET' && headers['x-real-ip'] === '127.0.0.1',
    ),
  ),
  broken(
    'guard.trusted-headers',
    'X-Forwarded-User is taken for who a proxy has let in',
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
    'beside the version X-Original-URL is answered, and the path is guarded',
    (service) => {
      const { handle } = service;
      service.handle = (request) => {
        const other = request.headers['x-original-url'];
        if (typeof other !== 'string' || request.path.startsWith(service.base))
          return handle(request);
        return handle({
          ...request,
          path: other,
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
    'X-Auth-Request-User is taken for who a proxy has let in',
    alsoAuthorised(({ headers }) => headers['x-auth-request-user'] !== undefined),
  ),
  broken(
    'guard.trusted-headers',
    'who asks for localhost is let in',
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
  broken(
    'authentication.list-needs-key',
    'a cache keeps the list for those who have no key',
    (service) => {
      const { handle } = service;
      let kept: Reply | undefined;
      service.handle = async (request) => {
        const isList = request.method === 'GET' && request.path === `${service.base}/users`;
        if (isList && kept && request.headers.authorization === undefined) return kept;
        const reply = await handle(request);
        if (isList && reply.status === 200) kept = reply;
        return reply;
      };
    },
  ),
  broken(
    'authentication.retrieve-needs-key',
    'a cache keeps a user for those who have no key',
    (service) => {
      const { retrieve, refuse } = service;
      const kept = new Map<string, Reply>();
      service.retrieve = async (id, request) => {
        const reply = await retrieve(id, request);
        if (reply.status === 200) kept.set(request.path, reply);
        return reply;
      };
      service.refuse = (request) =>
        (request.headers.authorization === undefined && kept.get(request.path)) || refuse(request);
    },
  ),
  broken(
    'authentication.no-token',
    'a cache keeps what was asked for with gzip for those who have no key',
    (service) => {
      const { handle } = service;
      const kept = new Map<string, Reply>();
      service.handle = async (request) => {
        const { method, path, headers } = request;
        const isUser = method === 'GET' && path.startsWith(`${service.base}/users/`);
        if (!isUser || !/gzip/.test(`${headers['accept-encoding']}`)) return handle(request);
        const reply = kept.get(path) ?? (await handle(request));
        if (reply.status === 200) kept.set(path, reply);
        return reply;
      };
    },
  ),
  broken(
    'guard.trusted-headers',
    'an Idempotency-Key repeats what was answered, for anybody',
    (service) => {
      const { handle } = service;
      const answered = new Map<unknown, Reply>();
      service.handle = async (request) => {
        const { 'idempotency-key': key } = request.headers;
        const reply = (key && answered.get(key)) || (await handle(request));
        if (key && reply.status === 201) answered.set(key, reply);
        return reply;
      };
    },
  ),
];
