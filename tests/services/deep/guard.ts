import { alsoAuthorised, behindGuard, jsonOf } from '../broken/broken.ts';
import type { Patch, Reply, Request } from '../service.ts';
import { type Deep, deep, faultsFor, isCreation, isList, isRetrieval } from './deep.ts';

const spelled = deep('guard.path-spelling');
const trusted = deep('guard.trusted-headers');

/** Returns a router that reads another spelling as the path, which the guard does not know. */
const respelled = (
  usual: (path: string) => string,
  isMeant: (request: Request) => boolean = () => true,
) =>
  behindGuard((request) =>
    usual(request.path) === request.path || !isMeant(request) ? undefined : usual(request.path),
  );

/** Removes an ending from paths that have it. */
const ending = (end: string) => (path: string) =>
  path.endsWith(end) ? path.slice(0, -end.length) : path;

/** Caches 2xx responses by a key of the request, and returns them to anybody. */
const caching =
  (keyOf: (request: Request) => string | undefined, pathOf = (path: string) => path): Patch =>
  (service) => {
    const { handle } = service;
    const cache = new Map<string, Reply>();
    service.handle = async (request) => {
      const key = keyOf(request);
      const reply =
        (key && cache.get(key)) || (await handle({ ...request, path: pathOf(request.path) }));
      if (key && reply.status < 300) cache.set(key, reply);
      return reply;
    };
  };

/** Whether a header has this value; for `Cookie`, one of its pairs. */
const has = (name: string, value: string) => (request: Request) =>
  `${request.headers[name.toLowerCase()] ?? ''}`.split('; ').includes(value);

/** Faults that show when a client tries to pass the guard. */
export const aroundTheGuard: Deep[] = [
  ...faultsFor(['%20', '%00', '.xml', '.css', ';', '~', '%3f', '/.json', '//', '%5c', '|'], (end) =>
    spelled(`${end} behind the path skips the guard`, respelled(ending(end))),
  ),
  ...faultsFor(['/V1', '/api/v1', ''], (base) =>
    spelled(
      `the base address ${base || 'without the segment'} skips the guard`,
      respelled((path) =>
        path.startsWith(`${base}/users`) ? `/v1${path.slice(base.length)}` : path,
      ),
    ),
  ),
  deep('guard.path-spelling')(
    'what has the extension .json is kept for anybody',
    caching(
      ({ method, path }) => (method === 'GET' && path.endsWith('.json') ? path : undefined),
      ending('.json'),
    ),
  ),
  deep('authentication.list-needs-key')(
    'what was asked for in German is kept for anybody until the next creation',
    (service) => {
      const { store } = service;
      let creations = 0;
      service.store = (user) => {
        creations += 1;
        store(user);
      };
      const isGerman = (request: Request) =>
        isList(request) && request.headers['accept-language'] === 'de';
      caching((request) => (isGerman(request) ? `${creations}` : undefined))(service);
    },
  ),
  deep('guard.trusted-headers')(
    'the same body with the same Idempotency-Key gets the same answer',
    caching(({ headers: { 'idempotency-key': key }, body }) => key && key + body),
  ),
  deep('authentication.list-needs-key')('a cookie that every answer sets is let in', (service) => {
    const { authorised, handle } = service;
    service.authorised = (request) => authorised(request) || has('Cookie', 'sid=42')(request);
    service.handle = async (request) => {
      const reply = await handle(request);
      return { ...reply, headers: { ...reply.headers, 'set-cookie': 'sid=42; Path=/' } };
    };
  }),
  ...faultsFor<[string, (path: string) => string]>(
    [
      ['all letters encoded', (path) => path.replace('%75%73%65%72%73', 'users')],
      ['a letter encoded twice', (path) => path.replace('%2575', 'u')],
      ['a capital at the beginning', (path) => path.replace('/Users', '/users')],
      ['an encoded slash before users', (path) => path.replace('%2Fusers', '/users')],
      ['a parameter of the path before users', (path) => path.replace('/;/users', '/users')],
      ['a backslash before the identifier', (path) => path.replace('users\\', 'users/')],
      ['the whole address', (path) => path.replace('http://localhost', '')],
      ['a script before the path', (path) => path.replace('/index.php/v1', '/v1')],
      ['an encoded digit of the version', (path) => path.replace('/v%31', '/v1')],
      ['a parameter behind the version', (path) => path.replace('/v1;a=b', '/v1')],
      ['a hash', (path) => path.replace(/#x$/, '')],
      [
        'a semicolon behind users',
        (path) => path.replace('/users;/', '/users/').replace(/\/users;$/, '/users'),
      ],
    ],
    ([what, usual]) => spelled(`${what} skips the guard`, respelled(usual)),
  ),
  spelled(
    'a slash and a semicolon behind the path of a creation skip the guard',
    respelled(ending('/;'), isCreation),
  ),
  ...faultsFor(['debug=1', 'auth=false', '_method=GET'], (query) => {
    const [name = '', value = ''] = query.split('=');
    return spelled(
      `?${query} skips the guard`,
      alsoAuthorised((request) => request.query.get(name) === value),
    );
  }),
  spelled(
    '?preview=true skips the guard for retrievals',
    alsoAuthorised((request) => isRetrieval(request) && request.query.get('preview') === 'true'),
  ),
  ...faultsFor<[string, string]>(
    [
      ['X-Real-Ip', '127.0.0.1'],
      ['X-Forwarded-Host', 'localhost'],
      ['Forwarded', 'for=127.0.0.1'],
      ['X-Authenticated-User', 'admin'],
      ['X-Admin', 'true'],
      ['X-Internal', 'true'],
      ['X-Envoy-Internal', 'true'],
      ['X-Role', 'admin'],
      ['X-Original-Uri', '/health'],
      ['X-Middleware-Subrequest', 'middleware'],
      ['User-Agent', 'kube-probe/1.29'],
      ['Origin', 'http://localhost'],
      ['Host', 'localhost'],
      ['Cookie', 'admin=true'],
      ['X-Ssl-Client-Verify', 'SUCCESS'],
      ['X-Requested-With', 'XMLHttpRequest'],
      ['X-Http-Method-Override', 'OPTIONS'],
      ['X-Consumer-Username', 'admin'],
      ['If-None-Match', '*'],
    ],
    ([name, value]) => trusted(`${name}: ${value} is let in`, alsoAuthorised(has(name, value))),
  ),
  ...faultsFor<[string, string, (request: Request) => boolean, string]>(
    [
      ['X-Client-Ip', '127.0.0.1', isCreation, 'creations'],
      ['X-Groups', 'admin', isList, 'the list'],
      ['X-Test', 'true', isList, 'the list'],
    ],
    ([name, value, isMeant, what]) =>
      trusted(
        `${name}: ${value} is let in for ${what}`,
        alsoAuthorised((request) => isMeant(request) && has(name, value)(request)),
      ),
  ),
  spelled('what is missing below a user says whose it is', (service) => {
    const { elsewhere } = service;
    service.elsewhere = (request) => {
      const [, id] = /^\/v1\/users\/([^/]+)\/[a-z]+$/.exec(request.path) ?? [];
      const user = id === undefined ? undefined : service.find(id);
      return user
        ? { status: 404, body: { error: `${user.name} <${user.email}> has no such page` } }
        : elsewhere(request);
    };
  }),
  deep('authentication.refusal-shows-no-user')(
    'the error for an invalid JSON body has the users in it, for anybody',
    (service) => {
      const { handle } = service;
      service.handle = (request) =>
        isCreation(request) &&
        jsonOf(request) === undefined &&
        request.body.startsWith('{"email":"x')
          ? { status: 400, body: { error: 'no JSON', users: service.users.slice(-3) } }
          : handle(request);
    },
  ),
];
