import type { Patch, Reply } from '../service.ts';
import {
  alsoAuthorised,
  type Broken,
  changedSuccess,
  jsonOf,
  membersOf,
  reported,
  tokenOf,
} from './broken.ts';

const parts = (texts: object[]) =>
  texts.map((text) => Buffer.from(JSON.stringify(text)).toString('base64url')).join('.');

const JWT = `${parts([{ alg: 'HS256' }, { sub: '1', iat: 1700000000 }])}.${'Sa7-xQ2_'.repeat(5)}s1g`;

/** More bytes than bcrypt hashes. */
const LONG_KEY = `sk_live_${'4fQ7zB1mX9cT2vL8'.repeat(5)}`;

/** A request without the key but with a query also fails the requirements of keys in the query. */
const OPEN_QUERIES = ['authentication.key-in-query'];

const MAGIC_HASH = '0e830400451993494058024219903391';

/** A guard in front of a router, which reads paths in another way. */
const twoReadings =
  (isGuarded: (path: string) => boolean, router: (path: string) => string): Patch =>
  (service) => {
    const { handle, authorised } = service;
    const unguarded = new WeakSet<object>();
    service.authorised = (request) => unguarded.has(request) || authorised(request);
    service.handle = (request) => {
      const routed = { ...request, path: router(request.path) };
      if (!isGuarded(request.path)) unguarded.add(routed);
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

const skipsHealthChecks: Patch = alsoAuthorised(({ path, query }) => {
  const uri = `${path}?${[...query].map(([name, value]) => `${name}=${value}`).join('&')}`;
  return /^\/v1\/.*\/health$/.test(uri);
});

const comparesKeys =
  (isEqual: (token: string, key: string) => boolean): Patch =>
  (service) => {
    service.authorised = (request) => isEqual(tokenOf(request), service.key);
  };

export const isNumeric = (text: string) => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);

/** The operator == of PHP on two strings. */
const isLooselyEqual = (token: string, key: string) =>
  isNumeric(token) && isNumeric(key) ? Number(token) === Number(key) : token === key;

/** Searches the token in the query, the body and the header, and as a Basic password. */
const findsTokens: Patch = (service) => {
  const { authorised } = service;
  service.authorised = (request) => {
    const { query, headers, body } = request;
    const { api_token: sent } = (membersOf(jsonOf({ body })) ?? {}) as { api_token?: unknown };
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

/** Guards with a fault of a public report. */
export const brokenReportedGuards: Broken[] = [
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
    'the guard does not decode an encoded slash, and the router does',
    twoReadings(isBelowUsers, (path) => path.replaceAll(/%2f/gi, '/')),
  ),
  reported(
    'CVE-2021-31920 (Istio)',
    'guard.path-spelling',
    'the guard does not match a doubled first slash, which the router merges',
    twoReadings(
      (path) => path.startsWith('/v1'),
      (path) => path.replaceAll(/\/{2,}/g, '/'),
    ),
  ),
  reported(
    'CVE-2020-8595 (Istio)',
    'guard.path-spelling',
    'the guard compares the whole target, so that any query skips it',
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
      'authentication.header-syntax',
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
];
