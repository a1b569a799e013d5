import type { CaseResult } from '../src/history/history.ts';
import { type Exchange, header, isAnswered, isSuccess, isTelling } from '../src/http/exchange.ts';
import { isSilent } from '../src/http/failure.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  LIST,
  OPERATIONS,
  onEach,
  RETRIEVE,
  withBasePath,
  withHeaders,
  withoutKey,
  withPath,
} from '../src/requirement/case.ts';
import { type Finding, notApplicable, verify } from '../src/requirement/finding.ts';
import { NEEDS_KEY } from './authentication.ts';
import { statusOf, whyOpen, whyUnanswered } from './expectations.ts';
import { chapter, must, rule } from './requirement.ts';
import { GATEWAY_HEADERS, IDENTIFYING_HEADERS, INTERNAL_HEADERS } from './trusted-headers.ts';

/**
 * Returns a path below the base address. `id` is empty for the list and for a creation; for a user
 * it is a slash and the identifier.
 */
type Spelling = (id: string) => string;

const encodeFirst = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;

/** Spellings that the check of the key and the router may read as different paths. */
const COMMON_SPELLINGS: [name: string, spelling: Spelling][] = [
  ['a trailing slash', (id) => `/users${id}/`],
  ['an encoded character', (id) => (id === '' ? '/%75sers' : `/users/${encodeFirst(id.slice(1))}`)],
  ['capital letters', (id) => `/USERS${id}`],
  ['a double slash', (id) => (id === '' ? '//users' : `/users/${id}`)],
  ['an encoded slash at the end', (id) => `/users${id}%2F`],
  ['a path parameter', (id) => `/users${id};x=1`],
  ['the extension .json', (id) => `/users${id}.json`],
  // In many regular expressions, `$` also matches before a line break.
  ['an encoded line break after it', (id) => `/users${id}%0A`],
];

/** Folders that services usually leave open. */
const OPEN_FOLDERS = ['public', 'static', 'health', 'docs', 'login'];

/** Further spellings, sent for the list alone. */
const RARE_SPELLINGS: [name: string, spelling: Spelling][] = [
  ['an encoded NUL after it', (id) => `/users${id}%00`],
  ['an encoded slash before it', (id) => `/%2Fusers${id}`],
  ['an encoded space after it', (id) => `/users${id}%20`],
  ['a backslash before it', (id) => `/%5Cusers${id}`],
  ['a dot after it', (id) => `/users${id}.`],
  ['a double-encoded letter', (id) => `/%2575sers${id}`],
  ['the extension .xml', (id) => `/users${id}.xml`],
  ['an encoded hash after it', (id) => `/users${id}%23`],
  ['an encoded question mark after it', (id) => `/users${id}%3F`],
  ['one capital letter', (id) => `/Users${id}`],
  ['its last letter encoded', (id) => `/user%73${id}`],
  ['the extension .css', (id) => `/users${id}.css`],
  ['an empty query', (id) => `/users${id}?`],
  [
    'a query with debug, admin, public, skip_auth and others',
    (id) =>
      `/users${id}?debug=true&admin=true&public=true&test=true&internal=true&preview=true&auth=false&skip_auth=true&role=admin&next=/health&path=/docs/favicon.ico`,
  ],
  ...['/health', '/ping', '/login', '.css'].map((ending): [string, Spelling] => [
    `a query that ends with ${ending}`,
    (id) => `/users${id}?next=${ending}`,
  ]),
  ['a fragment', (id) => `/users${id}#x`],
  ['a further segment', (id) => `/users${id}/posts`],
  ['an encoded tab after it', (id) => `/users${id}%09`],
  ['an encoded line break of two characters after it', (id) => `/users${id}%0D%0A`],
  ['an encoded semicolon after it', (id) => `/users${id}%3B`],
  ['a dot segment before it', (id) => `/./users${id}`],
  ['encoded dot segments before it', (id) => `/public/%2e%2e/users${id}`],
  ['dot segments and an encoded slash before it', (id) => `/public/..%2Fusers${id}`],
  ['dot segments with a path parameter before it', (id) => `/public/..;/users${id}`],
  ...OPEN_FOLDERS.map((folder): [string, Spelling] => [
    `/${folder}/.. before it`,
    (id) => `/${folder}/../users${id}`,
  ]),
];

/** Spellings of the base path. */
const BASE_PATHS: [name: string, respell: (basePath: string) => string][] = [
  ['a script before the path', (base) => `/index.php${base}`],
  ['an encoded letter in the version', (base) => base.replace(/v1$/, '%761')],
  ['a parameter after the version', (base) => `${base};a=b`],
  ['an absolute URL instead of the path', (base) => `http://localhost${base}`],
  ['the path without the version', (base) => base.replace(/\/v1$/, '')],
  ['a double slash before the base address', (base) => `/${base}`],
  ['the version with a capital V', (base) => base.replace(/\/v1$/, '/V1')],
  ...['public', 'static', 'health'].map((folder): [string, (base: string) => string] => [
    `/${folder}/.. before the base address`,
    (base) => `/${folder}/..${base}`,
  ]),
];

/** The slash between the base address and the path, encoded. */
const encodedSlash: Change = (usual, { basePath }) => ({
  ...usual,
  path: `${basePath}%2F${usual.path.slice(basePath.length + 1)}`,
});

const withSpelling = (spelling: Spelling): Change =>
  withPath((path) => spelling(path.slice('/users'.length)));

/**
 * The first spellings, which the sentence of the requirement names, are sent on creations as well.
 */
const ON_EACH_OPERATION = 3;

const spellings: Case[] = [
  ...COMMON_SPELLINGS.flatMap(([name, spelling], index) =>
    onEach(name, inTurn(withoutKey, withSpelling(spelling)), {
      operations: index < ON_EACH_OPERATION ? OPERATIONS : [LIST, RETRIEVE],
    }),
  ),
  ...RARE_SPELLINGS.flatMap(([name, spelling]) =>
    onEach(name, inTurn(withoutKey, withSpelling(spelling)), { operations: [LIST] }),
  ),
  ...onEach('an encoded slash after the base address', inTurn(withoutKey, encodedSlash), {
    operations: [LIST],
  }),
  ...BASE_PATHS.flatMap(([name, respell]) =>
    onEach(name, inTurn(withoutKey, withBasePath(respell)), { operations: [LIST] }),
  ),
];

/**
 * Puts the path of the operation in headers. The request line has another path: the root for the
 * list, the base address for a user.
 */
const withPathInHeaders =
  (...names: string[]): Change =>
  (usual, context) => {
    const headers = Object.fromEntries(names.map((name) => [name, usual.path]));
    const isList = usual.path === `${context.basePath}/users`;
    const request = { ...usual, headers: { ...usual.headers, ...headers } };
    return { ...request, path: isList ? '/' : `${context.basePath}/` };
  };

/** Clients that send health checks, which a service may answer without a key. */
const HEALTH_CHECKERS = ['GoogleHC/1.0', 'kube-probe/1.29', 'ELB-HealthChecker/2.0'];

const casesWithHeaders = (name: string, headers: Record<string, string>, operations = OPERATIONS) =>
  onEach(name, inTurn(withoutKey, withHeaders(headers)), { operations });

const withIdempotencyKey: Change = (usual, context) => {
  const { idempotencyKey } = context;
  if (idempotencyKey === undefined) return undefined;
  return withHeaders({ 'idempotency-key': idempotencyKey })(usual, context);
};

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Headers that proxies and frameworks set internally, and that a service may trust. */
const trustedHeaders: Case[] = [
  ...casesWithHeaders('X-Forwarded-For: 127.0.0.1, X-Forwarded-User and X-Remote-User', {
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-user': 'admin',
    'x-remote-user': 'admin',
  }),
  ...casesWithHeaders('X-Forwarded-For with several addresses', {
    'x-forwarded-for': '127.0.0.1, 10.0.0.1, 192.168.1.1',
  }),
  ...casesWithHeaders('X-Original-URL, X-Original-URI and X-Forwarded-URI with another path', {
    'x-original-url': '/',
    'x-original-uri': '/',
    'x-forwarded-uri': '/',
  }),
  ...casesWithHeaders('the traceparent, X-Request-Id and X-B3-TraceId of valid requests', {
    traceparent: `00-${TRACE}-00f067aa0ba902b7-00`,
    'x-request-id': '7b0c3f1e-5a57-4c1d-9c63-0f2f3c6a4e11',
    'x-b3-traceid': TRACE,
  }),
  ...casesWithHeaders('Origin and Access-Control-Request-Method', {
    origin: 'http://localhost',
    'access-control-request-method': 'GET',
  }),
  ...HEALTH_CHECKERS.flatMap((name) =>
    casesWithHeaders(`User-Agent: ${name}`, { 'user-agent': name }, [LIST]),
  ),
  ...casesWithHeaders('X-HTTP-Method-Override: GET', { 'x-http-method-override': 'GET' }, [CREATE]),
  ...onEach('the Idempotency-Key of an accepted creation', inTurn(withoutKey, withIdempotencyKey), {
    operations: [CREATE],
  }),
  ...onEach(
    'X-Original-URL and X-Rewrite-URL with the path',
    inTurn(withoutKey, withPathInHeaders('x-original-url', 'x-rewrite-url')),
    { operations: [LIST, RETRIEVE] },
  ),
  ...['localhost', '127.0.0.1', 'internal'].flatMap((host) =>
    onEach(`Host: ${host}`, inTurn(withoutKey, withHeaders({ host })), {
      operations: [RETRIEVE],
      mayBeSilent: true,
    }),
  ),
  ...INTERNAL_HEADERS.flatMap(([name, headers]) =>
    casesWithHeaders(name, headers, [LIST, RETRIEVE]),
  ),
  ...GATEWAY_HEADERS.flatMap(([name, headers]) => casesWithHeaders(name, headers, [LIST])),
  ...IDENTIFYING_HEADERS.flatMap((headers, index) =>
    casesWithHeaders(
      `${Object.keys(headers).length} headers that identify the client or its location (${index + 1})`,
      headers,
      [LIST, RETRIEVE],
    ).map((candidate): Case => ({ ...candidate, mayBeSilent: true })),
  ),
];

const UNLESS = [...NEEDS_KEY, 'authentication.refusal-shows-no-user'];

export const guard = chapter('Guard', [
  must('guard.path-spelling', rule('3.1'), {
    sentence:
      'A request without the key is rejected however its path is spelled (trailing slash, encoded letter, other case).',
    cases: spellings,
    expect: expectNoData,
    unless: UNLESS,
  }),

  must('guard.trusted-headers', rule('3.1'), {
    sentence:
      'A request without the key is rejected, even with proxy headers (X-Forwarded-For, X-Original-URL) or an Idempotency-Key.',
    cases: trustedHeaders,
    expect: expectNoData,
    unless: UNLESS,
  }),
]);

/**
 * Expects that a response shows no user's data and does not say that a user was created. Apart from
 * that it may be a page, a redirect or an error.
 */
function expectNoData({ exchange, operation, name, leak, unanswered }: CaseResult): Finding {
  if (unanswered) return whyUnanswered();
  // Some servers close the connection if a path is odd, which shows no data.
  const isClosed = !isAnswered(exchange) && exchange.attempts > 0 && !isSilent(exchange.failure);
  if (isClosed) return notApplicable('the service closes the connection');
  if (!isTelling(exchange)) return whyOpen(exchange);
  const leaked = leak === undefined ? '' : ` with "${leak}" in the response`;
  const hasCreated = operation === CREATE && reportsCreation(exchange);
  return verify(
    leak === undefined && !hasCreated,
    `no user's data for ${operation} without the key`,
    `${statusOf(exchange)}${leaked} (${name})`,
    exchange,
  );
}

/** Whether a 2xx response says that a resource was created, by its status or a Location. */
function reportsCreation(exchange: Exchange): boolean {
  if (!isSuccess(exchange)) return false;
  return statusOf(exchange) === 201 || header(exchange, 'location') !== undefined;
}
