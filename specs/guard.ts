import type { CaseResult } from '../src/history/history.ts';
import { type Exchange, header, isSuccess, isTelling } from '../src/http/exchange.ts';
import { isClosed } from '../src/http/failure.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  LIST,
  OPERATIONS,
  onEach,
  RETRIEVE,
  withHeaders,
  withoutKey,
} from '../src/requirement/case.ts';
import { type Finding, notApplicable, verify } from '../src/requirement/finding.ts';
import { NEEDS_KEY } from './authentication.ts';
import { statusOf, whyOpen, whyUnanswered } from './expectations.ts';
import { spellings } from './path-spellings.ts';
import { chapter, must, rule } from './requirement.ts';
import {
  DROPPED_HEADERS,
  GATEWAY_HEADERS,
  IDENTIFYING_HEADERS,
  INTERNAL_HEADERS,
} from './trusted-headers.ts';

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

const casesWithHeaders = (name: string, headers: Record<string, string>, operations = OPERATIONS) =>
  onEach(name, inTurn(withoutKey, withHeaders(headers)), { operations });

const withIdempotencyKey: Change = (usual, context) => {
  const { idempotencyKey } = context;
  if (idempotencyKey === undefined) return undefined;
  return withHeaders({ 'idempotency-key': idempotencyKey })(usual, context);
};

/** The last ones hold a path: a guard may read the address that Host and path make together. */
const HOSTS = [
  'localhost',
  '127.0.0.1',
  'internal',
  'localhost/health?',
  'localhost/v1/health?',
  'localhost/docs#',
];

/**
 * Names headers in `Connection`, so that the next proxy drops them: those that gateways set, and
 * the service's own.
 */
const withNamesInConnection: Change = (usual, context) => {
  const connection = [...DROPPED_HEADERS, ...context.headerNames].join(', ');
  return withHeaders({ connection, 'x-forwarded-for': '192.0.2.1' })(usual, context);
};

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Headers that proxies and frameworks set internally, and that a service may trust. */
const trustedHeaders: Case[] = [
  ...casesWithHeaders('X-Forwarded-For: 127.0.0.1, X-Forwarded-User and X-Remote-User', {
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-user': 'admin',
    'x-remote-user': 'admin',
  }),
  ...casesWithHeaders(
    'X-Original-URL, X-Original-URI and X-Forwarded-URI with another path, X-Forwarded-For with several addresses',
    {
      'x-original-url': '/',
      'x-original-uri': '/',
      'x-forwarded-uri': '/',
      'x-forwarded-for': '127.0.0.1, 10.0.0.1, 192.168.1.1',
    },
  ),
  ...casesWithHeaders('the traces of valid requests, Origin and Access-Control-Request-Method', {
    traceparent: `00-${TRACE}-00f067aa0ba902b7-00`,
    'x-request-id': '7b0c3f1e-5a57-4c1d-9c63-0f2f3c6a4e11',
    'x-b3-traceid': TRACE,
    origin: 'http://localhost',
    'access-control-request-method': 'GET',
  }),
  ...casesWithHeaders('X-HTTP-Method-Override: GET', { 'x-http-method-override': 'GET' }, [CREATE]),
  ...onEach('the Idempotency-Key of an accepted creation', inTurn(withoutKey, withIdempotencyKey), {
    operations: [CREATE],
  }),
  ...onEach(
    'X-Original-URL and X-Rewrite-URL with the path',
    inTurn(withoutKey, withPathInHeaders('x-original-url', 'x-rewrite-url')),
    { operations: [LIST, RETRIEVE] },
  ),
  ...HOSTS.flatMap((host) =>
    onEach(`Host: ${host}`, inTurn(withoutKey, withHeaders({ host })), {
      operations: [RETRIEVE],
      mayBeSilent: true,
    }),
  ),
  ...INTERNAL_HEADERS.flatMap(([name, headers]) =>
    casesWithHeaders(name, headers, [LIST, RETRIEVE]),
  ),
  ...GATEWAY_HEADERS.flatMap(([name, headers]) => casesWithHeaders(name, headers, [LIST])),
  ...onEach(
    'Connection with the names of headers of gateways, of responses and of Vary',
    inTurn(withoutKey, withNamesInConnection),
    { operations: [LIST] },
  ),
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
  if (isClosed(exchange.failure)) return notApplicable('the service closes the connection');
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
