import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Patch, Reply, Request, Service, User } from '../service.ts';
import {
  alsoAuthorised,
  type Broken,
  broken,
  changed,
  changedSuccess,
  jsonOf,
  object,
  tokenOf,
} from './broken.ts';

/** Declares the service of a public report: tests/wild/REPORTS.md lists all of them. */
const reported = (
  report: string,
  slug: string,
  name: string,
  patch: Patch,
  also: string[] = [],
): Broken => broken(slug, `reported as ${report}: ${name}`, patch, also);

const parts = (texts: object[]) =>
  texts.map((text) => Buffer.from(JSON.stringify(text)).toString('base64url')).join('.');

const JWT = `${parts([{ alg: 'HS256' }, { sub: '1', iat: 1700000000 }])}.${'Sa7-xQ2_'.repeat(5)}s1g`;

/** More bytes than bcrypt hashes. */
const LONG_KEY = `sk_live_${'4fQ7zB1mX9cT2vL8'.repeat(5)}`;

/** A request without the key but with a query also fails the requirements of keys in the query. */
const OPEN_QUERIES = ['authentication.key-in-query'];

const MAGIC_HASH = '0e830400451993494058024219903391';

/** A guard in front of a router: each reads the path in its own way. */
const twoReadings =
  (isGuarded: (path: string) => boolean, router: (path: string) => string): Patch =>
  (service) => {
    const { handle, authorised } = service;
    const open = new WeakSet<object>();
    service.authorised = (request) => open.has(request) || authorised(request);
    service.handle = (request) => {
      const routed = { ...request, path: router(request.path) };
      if (!isGuarded(request.path)) open.add(routed);
      return handle(routed);
    };
  };

const isBelowUsers = (path: string) => path.startsWith('/v1/users');

const decoded = (path: string): string => path.replace(/%[2-7][0-9a-f]/gi, decodeURIComponent);

const withoutParameters = (path: string) => path.replaceAll(/;[^/]*/g, '');

/** A response cache for users in front of the guard; its key is the path. */
const cachesByPath: Patch = (service) => {
  const { handle } = service;
  const responses = new Map<string, Reply>();
  service.handle = async (request) => {
    const { method, path } = request;
    const isUser = method === 'GET' && path.startsWith(`${service.base}/users/`);
    const cached = isUser ? responses.get(path) : undefined;
    if (cached) return cached;
    const reply = await handle(request);
    if (isUser && reply.status === 200) responses.set(path, reply);
    return reply;
  };
};

/** The policy that an authorizer returns names one path, and is kept for the token. */
const keepsFirstPolicy: Patch = (service) => {
  const { handle } = service;
  let allowed: string | undefined;
  service.handle = (request) => {
    if (!service.authorised(request)) return handle(request);
    const resource = `${request.method} ${request.path}`;
    allowed ??= resource;
    return resource === allowed ? handle(request) : { status: 403 };
  };
};

const skipsHealthChecks: Patch = alsoAuthorised(({ path, query }) => {
  const uri = `${path}?${[...query].map(([name, value]) => `${name}=${value}`).join('&')}`;
  return /^\/v1\/.*\/health$/.test(uri);
});

const comparesKeys =
  (isEqual: (token: string, key: string) => boolean): Patch =>
  (service) => {
    service.authorised = (request) => isEqual(tokenOf(request), service.key);
  };

const isNumeric = (text: string) => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);

/** The operator == of PHP on two strings. */
const isLooselyEqual = (token: string, key: string) =>
  isNumeric(token) && isNumeric(key) ? Number(token) === Number(key) : token === key;

/** A token is looked for in the query, the body and the header, and as a Basic password. */
const findsTokens: Patch = (service) => {
  const { authorised } = service;
  service.authorised = (request) => {
    const { query, headers, body } = request;
    const { api_token: sent } = (object(jsonOf({ body })) ?? {}) as { api_token?: unknown };
    const [, basic = ''] = /^Basic (\S+)$/i.exec(headers.authorization ?? '') ?? [];
    const [, ...password] = Buffer.from(basic, 'base64').toString().split(':');
    const tokens = [query.get('api_token'), sent, password.join(':')];
    return tokens.includes(service.key) || authorised(request);
  };
};

/** The token is what follows the last "Bearer ", up to a comma. */
const searchesBearer: Patch = (service) => {
  service.authorised = ({ headers }) => {
    const { authorization = '' } = headers;
    const at = authorization.lastIndexOf('Bearer ');
    const [token] = authorization.slice(at + 'Bearer '.length).split(',');
    return at >= 0 && token === service.key;
  };
};

/** Verifies a JWT by the algorithm that its own header names. */
const trustsAlgorithm: Patch = (service) => {
  service.key = JWT;
  service.authorised = (request) => {
    const token = tokenOf(request);
    const [head = '', , signature] = token.split('.');
    const { alg } = (jsonOf({ body: Buffer.from(head, 'base64url').toString() }) ?? {}) as {
      alg?: string;
    };
    return token === service.key || (alg === 'none' && signature === '');
  };
};

/** A request that is given up leaves its reply unread on the only connection to a cache. */
const leavesRepliesUnread: Patch = (service) => {
  const { retrieve, write } = service;
  const unread: Reply[] = [];
  const leases = new WeakMap<Request, () => void>();
  let previous = Promise.resolve();
  service.retrieve = async (id, request) => {
    const waiting = previous;
    previous = new Promise((release) => leases.set(request, release));
    await waiting;
    unread.push(await retrieve(id, request));
    await setTimeout(5);
    return { status: 200 };
  };
  service.write = (response, reply, request) => {
    const release = leases.get(request);
    const isCancelled = response.destroyed;
    const own = release === undefined || isCancelled ? reply : (unread.shift() ?? reply);
    release?.();
    if (!isCancelled) write(response, own, request);
  };
};

/** Invalid JSON ends the process; a supervisor starts it again. */
const restartsAfterCrash: Patch = (service) => {
  const { create, write } = service;
  let downUntil = 0;
  service.create = (request) => {
    if (jsonOf(request) === undefined) downUntil = performance.now() + 300;
    return create(request);
  };
  service.write = (response, reply, request) => {
    if (performance.now() < downUntil) response.socket?.resetAndDestroy();
    else write(response, reply, request);
  };
};

/** A rejection leaves the body unread, which is then read as the beginning of the next request. */
const leavesBodiesUnread: Patch = (service) => {
  const { handle } = service;
  const unread = new WeakSet<object>();
  service.handle = (request) => {
    if (unread.delete(request.connection)) return { status: 501, headers: { connection: 'close' } };
    if (request.body !== '' && !service.authorised(request)) unread.add(request.connection);
    return handle(request);
  };
};

/** One writer at a time, and no busy timeout. */
const locksDatabase: Patch = (service) => {
  const { create } = service;
  let isLocked = false;
  service.create = async (request) => {
    if (isLocked) return { status: 500, body: { error: 'database is locked' } };
    isLocked = true;
    await setTimeout(2);
    isLocked = false;
    return create(request);
  };
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A failed query leaves its transaction open; the next query on that connection fails and rolls back. */
const keepsAbortedTransactions: Patch = (service) => {
  const { handle } = service;
  const idle: { isAborted: boolean }[] = [];
  service.handle = async (request) => {
    if (!service.authorised(request)) return handle(request);
    const connection = idle.pop() ?? { isAborted: false };
    await setImmediate();
    const reply = connection.isAborted ? { status: 500 } : await handle(request);
    const [, id] = /\/users\/([^/]+)$/.exec(request.path) ?? [];
    connection.isAborted = !connection.isAborted && id !== undefined && !UUID.test(id);
    idle.push(connection);
    return reply;
  };
};

/** Members that are missing or null are the zero value of a string. */
const decodesZeroValues: Patch = (service) => {
  service.parse = (body) => {
    const value = jsonOf({ body });
    if (value === null) return { email: '', name: '' };
    const { email, name } = object(value) ?? { email: 0 };
    const isString = (member: unknown) => typeof (member ?? '') === 'string';
    if (!isString(email) || !isString(name)) return { error: 'json: cannot unmarshal' };
    return { email: `${email ?? ''}`, name: `${name ?? ''}` };
  };
};

/** A missing member violates NOT NULL, and nothing handles the rejected promise. */
const ignoresRejections: Patch = (service) => {
  const { create } = service;
  service.create = (request) => {
    const { email, name } = object(jsonOf(request)) ?? { email: '', name: '' };
    return email === undefined || name === undefined ? new Promise(() => {}) : create(request);
  };
};

const showsId = (service: Service, toId: (id: User['id']) => unknown) => {
  service.record = ({ id, ...rest }) => ({ id: toId(id), ...rest });
  service.created = (user) => ({
    status: 201,
    headers: { location: `${service.base}/users/${toId(user.id)}` },
    body: service.record(user),
  });
};

/** Identifiers of 64 bits that the driver reads as doubles. */
const roundsIdentifiers: Patch = (service) => {
  let next = 207570943474794506n;
  service.newId = () => {
    next += 4_194_305n;
    return `${next}`;
  };
  showsId(service, Number);
};

/** An integer column that is compared with text: MySQL takes text without digits for 0. */
const comparesAsInteger: Patch = (service) => {
  let next = 1;
  service.newId = () => next++;
  service.users.push({ id: 0, email: 'root@example.org', name: 'Root User' });
  service.find = (id) => {
    const [digits = '0'] = /^\s*[+-]?\d+/.exec(id) ?? [];
    return service.users.find((user) => BigInt(user.id) === BigInt(digits.trim()));
  };
};

const storesNames =
  (change: (name: string) => string): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) => store({ ...user, name: change(user.name) });
  };

const DATE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

const seeds = (count: number): User[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `seed-${at}`,
    email: `seed.${at}@example.org`,
    name: `Seed ${at}`,
  }));

/** A page of ten, and a total of its own. */
const pages =
  (count: number, total: (service: Service) => number): Patch =>
  (service) => {
    service.users.push(...seeds(count));
    service.listed = () => service.users.slice(0, 10);
    service.total = () => total(service);
  };

/** Statistics are refreshed after 50 changes and a tenth of the rows, as by autovacuum. */
const estimates: Patch = (service) => {
  let analyzed = 0;
  pages(400, ({ users }) => {
    if (users.length - analyzed > 50 + analyzed / 10) analyzed = users.length;
    return analyzed;
  })(service);
};

const FIREWALLED = /\/\/|;|%3b|%2f|%5c|%25|%00|%2e|\/\.\.?(\/|$)/i;

/** Services that are broken in the way of a public report. */
export const brokenReported: Broken[] = [
  reported(
    'kwhitley/apicache #225',
    'authentication.retrieve-needs-key',
    'a response cache is placed before authentication',
    cachesByPath,
  ),
  reported(
    'CVE-2020-11989 (Apache Shiro)',
    'guard.path-spelling',
    'the guard ends the path at a semicolon, and the router removes path parameters',
    twoReadings((path) => isBelowUsers(path.replace(/;.*$/, '')), withoutParameters),
  ),
  reported(
    'CVE-2025-66490 (Traefik)',
    'guard.path-spelling',
    'the guard matches an encoded slash as it is, and the router decodes it',
    twoReadings(isBelowUsers, (path) => path.replaceAll(/%2f/gi, '/')),
  ),
  reported(
    'CVE-2021-31920 (Istio)',
    'guard.path-spelling',
    'the guard of a whole version does not know a doubled first slash, which the router merges',
    twoReadings(
      (path) => path.startsWith('/v1'),
      (path) => path.replaceAll(/\/{2,}/g, '/'),
    ),
  ),
  reported(
    'CVE-2020-8595 (Istio)',
    'guard.path-spelling',
    'the guard compares the whole target, and a query makes it another one',
    alsoAuthorised(({ query }) => query.size > 0),
    OPEN_QUERIES,
  ),
  reported(
    'CVE-2025-66202 (Astro)',
    'guard.path-spelling',
    'the guard decodes the path once, and the router twice',
    twoReadings(
      (path) => isBelowUsers(decoded(path)),
      (path) => decoded(decoded(path)),
    ),
  ),
  reported(
    'CVE-2025-54576 (OAuth2 Proxy)',
    'guard.path-spelling',
    'a pattern of paths without authentication also matches the query',
    skipsHealthChecks,
  ),
  reported(
    'CVE-2026-34457 (OAuth2 Proxy)',
    'guard.trusted-headers',
    'the User-Agent of a health check skips authentication',
    alsoAuthorised(({ headers }) => headers['user-agent'] === 'GoogleHC/1.0'),
  ),
  reported(
    'CVE-2022-29226 (Envoy)',
    'authentication.wrong-key',
    'the presence of a Bearer token is enough',
    comparesKeys((token) => token !== ''),
  ),
  reported(
    'CVE-2025-22228 (Spring Security)',
    'authentication.key-extended',
    'bcrypt compares the first 72 bytes of a key',
    (service) => {
      service.key = LONG_KEY;
      comparesKeys((token, key) => token.slice(0, 72) === key.slice(0, 72))(service);
    },
    [
      'authentication.key-cut-short',
      'authentication.key-one-character',
      'authentication.wrong-key',
    ],
  ),
  reported(
    'centreon-archived #7084',
    'authentication.wrong-key',
    'two keys that PHP reads as numbers are compared as numbers',
    (service) => {
      service.key = MAGIC_HASH;
      comparesKeys(isLooselyEqual)(service);
    },
  ),
  reported(
    'CVE-2017-5689 (Intel AMT)',
    'authentication.key-cut-short',
    'strncmp compares as many characters as the client sent',
    (service) => {
      service.authorised = ({ headers }) => {
        const [, token] = /^bearer *(\S*)$/i.exec(headers.authorization ?? '') ?? [];
        return token !== undefined && service.key.startsWith(token);
      };
    },
    ['authentication.header-syntax', 'authentication.no-token'],
  ),
  reported(
    'laravel/ideas #2125',
    'authentication.key-in-query',
    'a guard also takes the token from the query, the body or a Basic password',
    findsTokens,
    ['authentication.key-in-body', 'authentication.other-scheme'],
  ),
  reported(
    'laravel/framework #39150',
    'authentication.other-scheme',
    'the scheme is searched for anywhere in the header',
    searchesBearer,
    ['authentication.header-syntax', 'authentication.scheme-case'],
  ),
  reported(
    'CVE-2020-15957 (DP-3T)',
    'authentication.wrong-key',
    'a JWT with the algorithm none needs no signature',
    trustsAlgorithm,
  ),
  reported(
    'prebid-server #1776',
    'authentication.key-not-in-answers',
    'a query asks for debug information, which shows the headers of the request',
    changedSuccess((reply, { query, headers }) =>
      query.has('test') ? { ...reply, body: { ...Object(reply.body), debug: { headers } } } : reply,
    ),
  ),
  reported(
    'spring-security #6150',
    'authentication.scheme-case',
    'the scheme must be written Bearer',
    (service) => {
      const { authorised } = service;
      service.authorised = (request) =>
        authorised(request) && `${request.headers.authorization}`.startsWith('Bearer ');
    },
  ),
  {
    ...reported(
      'redis-py #2624',
      'http.survives-bad-requests',
      'a request that is given up leaves its reply on a pooled connection',
      leavesRepliesUnread,
      ['retrieve.exact-user', 'retrieve.unknown'],
    ),
    mayAlso: ['retrieve.odd', 'retrieve.pattern', 'retrieve.odd-status', 'retrieve.unknown-status'],
  },
  reported(
    'hyperswitch-control-center #4960',
    'http.survives-bad-requests',
    'invalid JSON crashes the process, which is started again',
    restartsAfterCrash,
  ),
  reported(
    'werkzeug #2397',
    'http.survives-bad-requests',
    'the body of a rejected request is read as the next request',
    leavesBodiesUnread,
    ['http.no-server-error', 'http.no-sporadic-error'],
  ),
  {
    ...reported(
      'node-postgres #154',
      'http.survives-bad-requests',
      'an aborted transaction goes back to the pool',
      keepsAbortedTransactions,
      ['http.no-server-error', 'http.no-sporadic-error', 'retrieve.odd-status'],
    ),
    mayAlso: ['retrieve.concurrent'],
  },
  reported(
    'yesod #400',
    'http.no-sporadic-error',
    'SQLite is locked while another request writes',
    locksDatabase,
    ['create.concurrent', 'create.same-email', 'create.same-name', 'http.no-server-error'],
  ),
  {
    ...reported(
      'express #3991',
      'create.answered',
      'a rejected promise in an async handler leaves the request without a response',
      ignoresRejections,
    ),
    settings: { timeoutMs: 1500 },
  },
  reported(
    'golang/go #27172',
    'create.members-required',
    'missing members and null become empty strings',
    decodesZeroValues,
    [
      'create.email-required',
      'create.mistyped-status',
      'create.name-required',
      'create.object-required',
    ],
  ),
  reported(
    'typeorm #2500',
    'retrieve.odd',
    'an identifier that is no UUID becomes undefined, which finds the first user',
    (service) => {
      const { find } = service;
      service.find = (id) => (UUID.test(id) ? find(id) : service.users[0]);
    },
    ['retrieve.odd-status'],
  ),
  reported(
    'rails #35336',
    'retrieve.unknown',
    'an identifier that is no number finds the user 0',
    comparesAsInteger,
  ),
  reported(
    'node-mysql2 #2811',
    'retrieve.created-user',
    'identifiers beyond 2^53 are rounded in every response',
    roundsIdentifiers,
  ),
  reported(
    'spring-boot #11105',
    'retrieve.created-user',
    'the end of an email in the path is taken for a file extension',
    (service) => {
      const { store } = service;
      service.store = (user) => store(Object.assign(user, { id: user.email }));
      service.find = (id) => service.users.find(({ email }) => email === id.replace(/\.\w+$/, ''));
    },
  ),
  reported(
    'django-uuidfield #46',
    'http.no-server-error',
    'an identifier that is no UUID is 500',
    (service) => {
      const { retrieve } = service;
      service.retrieve = (id, request) => (UUID.test(id) ? retrieve(id, request) : { status: 500 });
    },
    ['retrieve.odd-status'],
  ),
  reported(
    'spring-security #7568',
    'http.no-server-error',
    'a firewall rejects an odd path with 500',
    (service) => {
      const { handle } = service;
      service.handle = (request) =>
        FIREWALLED.test(request.path.replace(/^https?:\/\//, ''))
          ? { status: 500 }
          : handle(request);
    },
    ['retrieve.odd-status'],
  ),
  reported(
    'mozilla/fxa-profile-server #186',
    'round-trip.letters-beyond-ascii',
    'a name ends before its first character of four bytes',
    storesNames((name) => name.replace(/[\u{10000}-\u{10ffff}].*$/su, '')),
    ['round-trip.other-strings'],
  ),
  reported(
    'JamesNK/Newtonsoft.Json #862',
    'round-trip.other-strings',
    'a name that reads like a date is written in another format',
    storesNames((name) => name.replace(DATE, '$2/$3/$1 $4')),
  ),
  reported(
    'joindin-api #42',
    'list.users',
    'strings that read like numbers are written as numbers',
    (service) => {
      service.record = ({ name, ...rest }) => ({
        ...rest,
        name: isNumeric(name) ? Number(name) : name,
      });
    },
    ['round-trip.other-strings'],
  ),
  reported(
    'camunda #47902',
    'list.users',
    'Oracle stores an empty name as null',
    (service) => {
      service.record = ({ name, ...rest }) => ({ ...rest, name: name === '' ? null : name });
    },
    ['round-trip.other-strings'],
  ),
  reported('flask #6114', 'http.json', 'a mean of no values is NaN in the response', (service) => {
    const { json } = service;
    service.record = (user) => ({ ...user, rating: '<NaN>' });
    service.json = (body) => json(body).replaceAll('"<NaN>"', 'NaN');
  }),
  reported(
    'bestpractical/rt #419',
    'http.json',
    'Content-Length counts characters, and the client gets as many bytes',
    (service) => {
      changed((reply) => {
        if (reply.body === undefined) return reply;
        const text = JSON.stringify(reply.body);
        return {
          ...reply,
          headers: { 'content-type': 'application/json', ...reply.headers },
          body: Buffer.from(text).subarray(0, text.length),
        };
      })(service);
    },
  ),
  reported(
    'block/buzz #3116',
    'http.no-server-error',
    'a NUL in a name is 500, because PostgreSQL stores none',
    (service) => {
      const { create } = service;
      service.create = (request) => {
        const { name } = object(jsonOf(request)) ?? {};
        return `${name}`.includes('\0') ? { status: 500 } : create(request);
      };
    },
  ),
  reported(
    'jwt-rsa-aws-custom-authorizer #8',
    'create.answers',
    'a gateway keeps the policy of a token, which allows the first path alone',
    keepsFirstPolicy,
  ),
  reported(
    'rails #18676',
    'http.equivalent-requests',
    'an Accept of several types with */* is taken for a browser and gets 406',
    (service) => {
      const { handle } = service;
      service.handle = (request) =>
        service.authorised(request) && /,\s*\*\/\*|\*\/\*\s*,/.test(`${request.headers.accept}`)
          ? { status: 406 }
          : handle(request);
    },
  ),
  reported(
    'waitress #442',
    'create.location',
    'a doubled X-Forwarded-Proto ends up in the Location',
    (service) => {
      const { created } = service;
      service.created = (user) => ({
        ...created(user),
        headers: { location: `https, http://users.example.com/v1/users/${user.id}` },
      });
    },
  ),
  reported(
    'elasticsearch #67742',
    'list.total-counts-creations',
    'the total of a search index ends at 10,000',
    pages(10_000, ({ users }) => Math.min(users.length, 10_000)),
  ),
  reported(
    'supabase/postgres-meta #66',
    'list.total-counts-creations',
    'the total is an estimate of the database',
    estimates,
  ),
  reported(
    'sequelize #9481',
    'list.total-counts-creations',
    'the total counts the rows of a join with two roles for each user',
    (service) => {
      service.total = () => 2 * service.users.length;
    },
  ),
  reported(
    'parse-server #2161',
    'list.total-exact',
    'the total counts the orphaned documents of a shard',
    (service) => {
      service.users.push(...seeds(8));
      service.total = () => service.users.length + 7;
    },
  ),
];
