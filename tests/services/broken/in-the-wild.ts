import { setTimeout } from 'node:timers/promises';
import { type Patch, type Reply, type Request, type Service, waitForHangUp } from '../service.ts';
import {
  alsoAuthorised,
  type Broken,
  broken,
  changed,
  jsonOf,
  membersOf,
  type OperationName,
  operationOf,
} from './broken.ts';

/**
 * The guard compares the raw path and lets unknown paths pass. The router reads paths leniently.
 */
const routesLeniently =
  (toPath: (path: string) => string): Patch =>
  (service) => {
    const { handle, authorised } = service;
    const trusted = new WeakSet<object>();
    service.authorised = (request) => trusted.has(request) || authorised(request);
    service.handle = (request) => {
      const path = toPath(request.path);
      const routed = { ...request, path };
      if (path !== request.path) trusted.add(routed);
      return handle(routed);
    };
  };

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Resolves single dot segments (RFC 3986 section 5.2.4). */
const resolved = (path: string): string =>
  decoded(path)
    .replace(/;[^/]*/g, '')
    .split('/')
    .filter((part) => part !== '.')
    .filter((part, at, parts) => part !== '..' && parts[at + 1] !== '..')
    .join('/');

/** The guard ignores paths below a folder. The router behind it resolves dot segments. */
const opensFolder =
  (folder: string): Patch =>
  (service) => {
    const isOpen = (path: string) => decoded(path).includes(`/${folder}/`);
    routesLeniently((path) => (isOpen(path) ? resolved(path) : path))(service);
    alsoAuthorised(({ path }) => isOpen(path))(service);
  };

const hasHeader =
  (name: string, value: RegExp): ((request: Request) => boolean) =>
  ({ headers }) =>
    value.test(`${headers[name] ?? ''}`);

const isHopByHop = (name: string) => hasHeader('connection', new RegExp(`\\b${name}\\b`, 'i'));

/** Only a media type in its usual spelling is validated. */
const validatesUsualType =
  (isUsual: (type: string) => boolean): Patch =>
  (service) => {
    const { parse, create } = service;
    service.create = (request) => {
      if (isUsual(`${request.headers['content-type']}`)) return create(request);
      service.parse = (body) => {
        const { email = '', name = '' } = membersOf(jsonOf({ body })) ?? {};
        return { email: `${email}`, name: `${name}` };
      };
      try {
        return create(request);
      } finally {
        service.parse = parse;
      }
    };
  };

/** The total sometimes comes from a pooled connection that sees an old state. */
const countsElsewhere =
  (isStale: (lists: number) => boolean): Patch =>
  (service) => {
    const { list } = service;
    let lists = 0;
    service.listed = () => service.users.slice(0, 20);
    service.total = () => {
      lists += 1;
      return isStale(lists) ? 1 : service.users.length;
    };
    service.list = (request) => (service.users.length > 1 ? list(request) : shortList(service));
  };

/** A list of all users with the true total. */
const shortList = ({ users, item }: Service) => ({
  status: 200,
  body: { data: users.map((user) => item(user)), total: users.length },
});

/** A client that hangs up crashes the process, and nothing restarts it. */
const diesOfHangUps =
  (operation: OperationName): Patch =>
  (service) => {
    const { handle, write } = service;
    let isGone = false;
    service.gone = () => {
      isGone ||= operation === 'create';
    };
    service.handle = async (request) => {
      if (!isGone) await waitForHangUp(20);
      return handle(request);
    };
    service.write = (response, reply, request) => {
      isGone ||= response.destroyed && operation === operationOf(request, service);
      if (isGone) response.socket?.resetAndDestroy();
      else write(response, reply, request);
    };
  };

/** A cache of decisions by method and path, without the API key. */
const grantsByPath: Patch = (service) => {
  const { authorised } = service;
  const granted = new Set<string>();
  service.authorised = (request) => {
    const action = `${request.method} ${request.path}`;
    if (authorised(request)) granted.add(action);
    return granted.has(action);
  };
};

/** A lookup that fails in the database never releases its connection. */
const losesConnections: Patch = (service) => {
  const { find, list, create, retrieve } = service;
  let free = 10;
  const withConnection = <T>(use: () => T): T | Promise<never> =>
    free > 0 ? use() : new Promise<never>(() => {});
  service.find = (id) => {
    if (!/^[0-9a-f-]{36}$/.test(id)) free -= 1;
    return find(id);
  };
  service.retrieve = (id, request) => withConnection(() => retrieve(id, request));
  service.list = (request) => withConnection(() => list(request));
  service.create = (request) => withConnection(() => create(request));
};

/**
 * Requests with the same key share one response while it is in flight, whatever their credentials
 * are.
 */
const coalesces =
  (keyOf: (request: Request) => string | undefined): Patch =>
  (service) => {
    const { handle } = service;
    const inFlight = new Map<string, Promise<Reply>>();
    service.handle = async (request) => {
      const key = request.method === 'GET' ? keyOf(request) : undefined;
      if (key === undefined) return handle(request);
      const before = inFlight.get(key);
      if (before) return before;
      const reply = setTimeout(5).then(() => handle(request));
      // Only authorised requests share their response.
      if (service.authorised(request)) inFlight.set(key, reply);
      return reply.finally(() => inFlight.delete(key));
    };
  };

const isList = ({ path }: Request) => path.endsWith('/users');

/** Broken services after public reports: tests/wild/REPORTS.md names these. */
export const brokenInTheWild: Broken[] = [
  broken(
    'http.content-coding',
    'a charset as the content coding',
    changed((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-encoding': 'UTF-8' },
    })),
  ),
  ...[
    ['%0A', 'a line break'],
    ['%0D%0A', 'a line break of two characters'],
    ['%09', 'a tab'],
    ['%00', 'a NUL'],
    ['%20', 'a space'],
    ['%3B', 'a semicolon'],
  ].map(([end = '', name = '']) =>
    broken(
      'guard.path-spelling',
      `the router ignores ${name} at the end of the path, the guard does not`,
      routesLeniently((path) => (path.endsWith(end) ? path.slice(0, -end.length) : path)),
    ),
  ),
  ...['public', 'static', 'health', 'docs', 'login'].map((folder) =>
    broken(
      'guard.path-spelling',
      `the guard leaves /${folder}/ alone, and dot segments are resolved behind it`,
      opensFolder(folder),
    ),
  ),
  broken(
    'guard.trusted-headers',
    'X_Forwarded_User is read as X-Forwarded-User',
    alsoAuthorised(hasHeader('x_forwarded_user', /./)),
  ),
  broken(
    'guard.trusted-headers',
    'X_Real_IP is read as X-Real-IP',
    alsoAuthorised(hasHeader('x_real_ip', /^127\.0\.0\.1$/)),
  ),
  broken(
    'guard.trusted-headers',
    'a gateway drops one of two X-Forwarded-User headers',
    alsoAuthorised(hasHeader('x-forwarded-user', /, *\w/)),
  ),
  broken(
    'guard.trusted-headers',
    'the name of a middleware five times skips it',
    alsoAuthorised(hasHeader('x-middleware-subrequest', /^(middleware(:|$)){5}/)),
  ),
  broken(
    'guard.trusted-headers',
    'the path of an older middleware skips it',
    alsoAuthorised(hasHeader('x-middleware-subrequest', /^pages\/_middleware$/)),
  ),
  broken(
    'guard.trusted-headers',
    'Connection makes a gateway drop X-Forwarded-For, and a request without it is internal',
    alsoAuthorised(isHopByHop('x-forwarded-for')),
  ),
  broken(
    'guard.trusted-headers',
    'Connection makes a gateway drop the header that makes the service check the key',
    alsoAuthorised(isHopByHop('x-forwarded-host')),
  ),
  broken(
    'guard.trusted-headers',
    'a guard looks at X-Envoy-Original-Path, where /health is open',
    alsoAuthorised(hasHeader('x-envoy-original-path', /^\/health/)),
  ),
  broken(
    'guard.trusted-headers',
    'a forward-auth guard looks at X-Forwarded-Method, where OPTIONS is open',
    alsoAuthorised(hasHeader('x-forwarded-method', /^OPTIONS$/)),
  ),
  broken(
    'create.name-required',
    'Application/JSON is read, and not validated',
    validatesUsualType((type) => type.startsWith('application/json')),
  ),
  broken(
    'create.name-required',
    'a media type with a space before the semicolon is read, and not validated',
    validatesUsualType((type) => !/^application\/json ;/.test(type)),
  ),
  broken(
    'create.name-required',
    'a media type with a charset is read, and not validated',
    validatesUsualType((type) => !/charset/i.test(type)),
  ),
  broken(
    'list.total-covers-data',
    'the total of most lists comes from a connection that sees an old state',
    countsElsewhere((lists) => lists % 4 !== 0),
  ),
  broken(
    'list.total-covers-data',
    'the total of every third list comes from a connection that sees an old state',
    countsElsewhere((lists) => lists % 3 === 0),
  ),
  broken(
    'list.total-unchanged-by-reads',
    'pages of twenty, and every third list counts one user too few',
    (service) => {
      let lists = 0;
      service.listed = () => service.users.slice(0, 20);
      service.total = () => {
        lists += 1;
        const { length } = service.users;
        return length > 20 && lists % 3 === 0 ? length - 1 : length;
      };
    },
  ),
  ...(['list', 'create', 'retrieve'] as const).map((operation) =>
    broken(
      'http.survives-bad-requests',
      `an aborted ${operation} request crashes a proxy`,
      diesOfHangUps(operation),
    ),
  ),
  {
    ...broken(
      'retrieve.odd-status',
      'a percent sign in the path never gets a response',
      (service) => {
        const { retrieve } = service;
        service.retrieve = (id, request) =>
          id === '%' ? new Promise(() => {}) : retrieve(id, request);
      },
    ),
    settings: { timeoutMs: 1000 },
  },
  broken(
    'authentication.list-needs-key',
    'a decision to authorise is cached by method and path, whatever the key',
    grantsByPath,
    ['authentication.create-needs-key', 'authentication.retrieve-needs-key'],
  ),
  {
    ...broken(
      'http.survives-bad-requests',
      'a pool of ten loses a connection with each identifier that is no UUID',
      losesConnections,
    ),
    settings: { timeoutMs: 1000 },
  },
  broken(
    'authentication.list-needs-key',
    'a list in flight is shared with requests without the key',
    coalesces((request) => (isList(request) ? request.path : undefined)),
  ),
  broken(
    'authentication.retrieve-needs-key',
    'a user in flight is shared with requests without the key',
    coalesces((request) => (isList(request) ? undefined : request.path)),
  ),
  broken(
    'authentication.wrong-key',
    'a response in flight is shared with requests with any key',
    coalesces(({ path, headers }) => (headers.authorization ? path : undefined)),
  ),
];
