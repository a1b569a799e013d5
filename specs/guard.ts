import type { CaseResult } from '../src/history/history.ts';
import { header, isAnswered, isSuccess, isTelling } from '../src/http/exchange.ts';
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
import { statusOf, whyOpen } from './expectations.ts';
import { chapter, must, rule } from './requirement.ts';
import { GATEWAY_HEADERS, HARMLESS_HEADERS, INTERNAL_HEADERS } from './trusted-headers.ts';

/** A path below the base address: `id` is empty for the list, or a slash and the identifier. */
type Spelling = (id: string) => string;

const encodeFirst = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;

/** Spellings that a guard may take for another path than a router does. */
const COMMON: [name: string, spelling: Spelling][] = [
  ['a trailing slash', (id) => `/users${id}/`],
  ['an encoded character', (id) => (id === '' ? '/%75sers' : `/users/${encodeFirst(id.slice(1))}`)],
  ['capital letters', (id) => `/USERS${id}`],
  ['a double slash', (id) => (id === '' ? '//users' : `/users/${id}`)],
  ['an encoded slash at the end', (id) => `/users${id}%2F`],
  ['a path parameter', (id) => `/users${id};x=1`],
  ['the extension .json', (id) => `/users${id}.json`],
  // The end of a line is the end of a path for many regular expressions.
  ['an encoded line break after it', (id) => `/users${id}%0A`],
];

/** Folders that a guard usually leaves alone. */
const OPEN_FOLDERS = ['public', 'static', 'health', 'docs', 'login'];

const RARE: [name: string, spelling: Spelling][] = [
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
    'a query that asks for an open door',
    (id) =>
      `/users${id}?debug=true&admin=true&public=true&test=true&internal=true&preview=true&auth=false&skip_auth=true&role=admin&next=/health&path=/docs/favicon.ico`,
  ],
  ...['/health', '/ping', '/login', '.css'].map((end): [string, Spelling] => [
    `a query that ends with ${end}`,
    (id) => `/users${id}?next=${end}`,
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

/** Other paths of the base address. */
const BASES: [name: string, base: (basePath: string) => string][] = [
  ['a script before the path', (base) => `/index.php${base}`],
  ['an encoded letter in the version', (base) => base.replace(/v1$/, '%761')],
  ['a parameter after the version', (base) => `${base};a=b`],
  ['a whole URL for the path', (base) => `http://localhost${base}`],
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

const spelled =
  (spelling: Spelling): Change =>
  (usual, context) =>
    withPath((path) => spelling(path.slice('/users'.length)))(usual, context);

/** Spellings that the sentence names are tried on creations as well. */
const TRIED_ON_EACH = 3;

const spellings: Case[] = [
  ...COMMON.flatMap(([name, spelling], at) =>
    onEach(name, inTurn(withoutKey, spelled(spelling)), {
      operations: at < TRIED_ON_EACH ? OPERATIONS : [LIST, RETRIEVE],
    }),
  ),
  // The list shows everybody.
  ...RARE.flatMap(([name, spelling]) =>
    onEach(name, inTurn(withoutKey, spelled(spelling)), { operations: [LIST] }),
  ),
  ...onEach('an encoded slash behind the base address', inTurn(withoutKey, encodedSlash), {
    operations: [LIST],
  }),
  ...BASES.flatMap(([name, base]) =>
    onEach(name, inTurn(withoutKey, withBasePath(base)), { operations: [LIST] }),
  ),
];

/** The path of the operation in headers, and that of the root or of the base address in the request line. */
const rewritten =
  (...names: string[]): Change =>
  (usual, context) => {
    const headers = Object.fromEntries(names.map((name) => [name, usual.path]));
    const isList = usual.path === `${context.basePath}/users`;
    const request = { ...usual, headers: { ...usual.headers, ...headers } };
    return { ...request, path: isList ? '/' : `${context.basePath}/` };
  };

/** Clients that a guard may let pass, because they ask whether the service is healthy. */
const HEALTH_CHECKERS = ['GoogleHC/1.0', 'kube-probe/1.29', 'ELB-HealthChecker/2.0'];

const trusted = (name: string, headers: Record<string, string>, operations = OPERATIONS) =>
  onEach(name, inTurn(withoutKey, withHeaders(headers)), { operations });

const idempotent: Change = (usual, context) => {
  const { idempotencyKey } = context;
  return idempotencyKey === undefined
    ? undefined
    : withHeaders({ 'idempotency-key': idempotencyKey })(usual, context);
};

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Headers that proxies set, or that frameworks set for themselves, and that a service may trust. */
const trustedHeaders: Case[] = [
  ...trusted('X-Forwarded-For: 127.0.0.1, X-Forwarded-User and X-Remote-User', {
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-user': 'admin',
    'x-remote-user': 'admin',
  }),
  ...trusted('X-Forwarded-For with several addresses', {
    'x-forwarded-for': '127.0.0.1, 10.0.0.1, 192.168.1.1',
  }),
  ...trusted('X-Original-URL, X-Original-URI and X-Forwarded-URI with another path', {
    'x-original-url': '/',
    'x-original-uri': '/',
    'x-forwarded-uri': '/',
  }),
  ...trusted('the traceparent, X-Request-Id and X-B3-TraceId of valid requests', {
    traceparent: `00-${TRACE}-00f067aa0ba902b7-00`,
    'x-request-id': '7b0c3f1e-5a57-4c1d-9c63-0f2f3c6a4e11',
    'x-b3-traceid': TRACE,
  }),
  ...trusted('Origin and Access-Control-Request-Method', {
    origin: 'http://localhost',
    'access-control-request-method': 'GET',
  }),
  ...HEALTH_CHECKERS.flatMap((name) =>
    trusted(`User-Agent: ${name}`, { 'user-agent': name }, [LIST]),
  ),
  ...trusted('X-HTTP-Method-Override: GET', { 'x-http-method-override': 'GET' }, [CREATE]),
  ...onEach('the Idempotency-Key of an accepted creation', inTurn(withoutKey, idempotent), {
    operations: [CREATE],
  }),
  ...onEach(
    'X-Original-URL and X-Rewrite-URL with the path',
    inTurn(withoutKey, rewritten('x-original-url', 'x-rewrite-url')),
    { operations: [LIST, RETRIEVE] },
  ),
  ...['localhost', '127.0.0.1', 'internal'].flatMap((host) =>
    onEach(`Host: ${host}`, inTurn(withoutKey, withHeaders({ host })), {
      operations: [RETRIEVE],
      mayBeSilent: true,
    }),
  ),
  ...INTERNAL_HEADERS.flatMap(([name, headers]) => trusted(name, headers, [LIST, RETRIEVE])),
  ...GATEWAY_HEADERS.flatMap(([name, headers]) => trusted(name, headers, [LIST])),
  ...HARMLESS_HEADERS.flatMap((headers, at) =>
    trusted(
      `${Object.keys(headers).length} headers that say who asks, or from where (${at + 1})`,
      headers,
      [LIST, RETRIEVE],
    ).map((one) => ({ ...one, mayBeSilent: true as const })),
  ),
];

/**
 * Whatever else the response is (a page, a redirect, an error), it shows no user's data, and does not say that a user
 * was created.
 */
function expectNothing({ exchange, operation, name, leak, unanswered }: CaseResult): Finding {
  if (unanswered) return notApplicable('it never got a response');
  // Some servers close the connection if a path is odd: that shows nobody.
  const isClosed = !isAnswered(exchange) && exchange.attempts > 0 && !isSilent(exchange.failure);
  if (isClosed) return notApplicable('the service closes the connection');
  if (!isTelling(exchange)) return whyOpen(exchange);
  const isMade = statusOf(exchange) === 201 || header(exchange, 'location') !== undefined;
  const isCreated = isSuccess(exchange) && operation === CREATE && isMade;
  const shown = leak === undefined ? '' : ` with "${leak}" in the response`;
  return verify(
    leak === undefined && !isCreated,
    `no user's data for ${operation} without the key`,
    `${statusOf(exchange)}${shown} (${name})`,
    exchange,
  );
}

const UNLESS = [...NEEDS_KEY, 'authentication.refusal-shows-no-user'];

export const guard = chapter('Guard', [
  must('guard.path-spelling', rule('3.1'), {
    sentence:
      'A request without the key is rejected however its path is spelled (trailing slash, encoded letter, other case).',
    cases: spellings,
    expect: expectNothing,
    unless: UNLESS,
  }),

  must('guard.trusted-headers', rule('3.1'), {
    sentence:
      'A request without the key is rejected, even with proxy headers (X-Forwarded-For, X-Original-URL) or an Idempotency-Key.',
    cases: trustedHeaders,
    expect: expectNothing,
    unless: UNLESS,
  }),
]);
