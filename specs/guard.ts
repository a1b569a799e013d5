import { header } from '../src/http/exchange.ts';
import type { Found } from '../src/plan/evidence.ts';
import { type Attempt, attempted, type CredentialCase, type Operation, PATH } from '../src/plan/steps/credentials.ts';
import { type Finding, notVerified, that } from '../src/requirement/finding.ts';
import { each } from '../src/requirement/judge.ts';
import { chapter, must } from '../src/requirement/requirement.ts';
import { withoutKey } from './authentication.ts';
import { rule } from './interface.ts';

const LIST = 'GET /users';
const CREATE = 'POST /users';
const RETRIEVE = 'GET /users/:id';

const without = (operation: Operation, what: string, parts: Partial<CredentialCase>): CredentialCase => {
  return { what, operation, headers: {}, unless: withoutKey(operation), ...parts };
};

/** Paths that a guard may take for others than a router does. */
const spelled = (operation: Operation, what: string, spelling: (path: string) => string) =>
  without(operation, what, { spelling });
const spellings = [
  spelled(LIST, 'a trailing slash', (path) => `${path}/`),
  spelled(LIST, 'a double slash', (path) => `/${path}`),
  spelled(LIST, 'an encoded slash at the end', (path) => `${path}%2F`),
  spelled(LIST, 'an encoded letter', (path) => path.replace('/u', '/%75')),
  spelled(LIST, 'capital letters', (path) => path.toUpperCase()),
  spelled(LIST, 'a path parameter', (path) => `${path};x=1`),
  spelled(LIST, 'an extension', (path) => `${path}.json`),
  spelled(RETRIEVE, 'a trailing slash', (path) => `${path}/`),
  spelled(RETRIEVE, 'a double slash', (path) => path.replace('/users/', '/users//')),
  spelled(RETRIEVE, 'an encoded letter', (path) => path.replace('/u', '/%75')),
  spelled(RETRIEVE, 'a path parameter', (path) => `${path};x=1`),
  spelled(RETRIEVE, 'an extension', (path) => `${path}.json`),
  spelled(CREATE, 'a trailing slash', (path) => `${path}/`),
  spelled(CREATE, 'a double slash', (path) => `/${path}`),
];

/** Headers that a proxy sets, and that a service behind it may trust. */
const trusted = [
  without(LIST, 'X-Forwarded-For: 127.0.0.1 and X-Forwarded-User', {
    headers: { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-user': 'admin', 'x-remote-user': 'admin' },
  }),
  without(LIST, 'X-Original-URL with another path', { headers: { 'x-original-url': '/' } }),
  without(LIST, 'X-Original-URL and X-Rewrite-URL with the path', {
    headers: { 'x-original-url': PATH, 'x-rewrite-url': PATH },
    spelling: () => '/',
  }),
  without(RETRIEVE, 'X-Forwarded-For: 127.0.0.1', { headers: { 'x-forwarded-for': '127.0.0.1' } }),
  without(CREATE, 'X-HTTP-Method-Override: GET', { headers: { 'x-http-method-override': 'GET' } }),
];

/** Whatever else the answer is (a page, a redirect, an error), it gives no user's data, and says of no user that it was made. */
function givesNothing({ one, status, ok, shows, exchange, before }: Attempt): Finding {
  // What every refusal shows is the matter of the requirement on refusals.
  const usual = before.find((attempt) => attempt.shows !== undefined);
  if (usual) return notVerified('every refusal shows a user', usual.exchange);
  const made = ok && one.operation === CREATE && (status === 201 || header(exchange, 'location') !== undefined);
  const got = shows === undefined ? `${status}` : `${status} with "${shows}" in its body`;
  const expected = `no user's data for ${one.operation} without the key`;
  return that(shows === undefined && !made, expected, `${got} (${one.what})`, exchange);
}

const guarded = { check: ({ attempts }: { attempts: Found<Attempt>[] }) => each(attempts, givesNothing) };

export const guard = chapter('Guard', [
  must('guard.path-spelling', {
    source: rule('3.1'),
    sentence: 'Without the key no other spelling of the path leads to a user, or makes one.',
    evidence: { attempts: attempted(...spellings) },
    ...guarded,
  }),

  must('guard.trusted-headers', {
    source: rule('3.1'),
    sentence: 'Without the key no header that a proxy may set leads to a user, or makes one.',
    evidence: { attempts: attempted(...trusted) },
    ...guarded,
  }),
]);
