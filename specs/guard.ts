import { header } from '../src/http/exchange.ts';
import type { OrMissing } from '../src/plan/evidence.ts';
import { type Attempt, attempted, type CredentialCase, type Operation, PATH } from '../src/plan/steps/credentials.ts';
import { drawn } from '../src/requirement/drawn.ts';
import { type Finding, notVerified, that } from '../src/requirement/finding.ts';
import { each } from '../src/requirement/judge.ts';
import { chapter, must } from '../src/requirement/requirement.ts';
import { CREATE, LIST, OPERATIONS, on, RETRIEVE, withoutKey } from './authentication.ts';
import { rule } from './interface.ts';

const without = (operation: Operation, what: string, parts: Partial<CredentialCase>): CredentialCase => {
  return on(operation, what, { unless: withoutKey(operation), ...parts });
};

/** Paths that a guard may take for others than a router does. */
const spelled = (what: string, spelling: (path: string) => string) =>
  OPERATIONS.map((operation) => without(operation, what, { spelling }));
const spellings = [
  ...spelled('a trailing slash', (path) => `${path}/`),
  ...spelled('a double slash', (path) => path.replace(/\/(?=[^/]*$)/, '//')),
  ...spelled('an encoded slash at the end', (path) => `${path}%2F`),
  ...spelled('an encoded letter', (path) => path.replace('/u', '/%75')),
  ...spelled('capital letters', (path) => path.replace('users', 'USERS')),
  ...spelled('a path parameter', (path) => `${path};x=1`),
  ...spelled('an extension', (path) => `${path}.json`),
];

/** Headers that a proxy sets, and that a service behind it may trust. */
const believed = (what: string, parts: Partial<CredentialCase>, operations = OPERATIONS) =>
  operations.map((operation) => without(operation, what, parts));
const trusted = [
  ...believed('X-Forwarded-For: 127.0.0.1, X-Forwarded-User and X-Remote-User', {
    headers: { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-user': 'admin', 'x-remote-user': 'admin' },
  }),
  ...believed('X-Original-URL with another path', { headers: { 'x-original-url': '/' } }),
  // A creation is sent to no path but its own.
  ...believed(
    'X-Original-URL and X-Rewrite-URL with the path',
    { headers: { 'x-original-url': PATH, 'x-rewrite-url': PATH }, spelling: () => '/' },
    [LIST, RETRIEVE],
  ),
  // Of a GET it would make something else.
  ...believed('X-HTTP-Method-Override: GET', { headers: { 'x-http-method-override': 'GET' } }, [CREATE]),
];

/** Whatever else the answer is (a page, a redirect, an error), it gives no user's data, and says of no user that it was made. */
function givesNothing({ one, status, ok, shows, exchange, before }: Attempt): Finding {
  // What every refusal shows is the matter of the requirement on refusals.
  const usual = before.find((attempt) => attempt.shows !== undefined);
  if (usual) return notVerified('the usual rejection shows a user as well', usual.exchange);
  const made = ok && one.operation === CREATE && (status === 201 || header(exchange, 'location') !== undefined);
  const got = shows === undefined ? `${status}` : `${status} with "${shows}" in its body`;
  const expected = `no user's data for ${one.operation} without the key`;
  return that(shows === undefined && !made, expected, `${got} (${one.what})`, exchange);
}

/** What came of cases that a thorough run adds to. */
export const otherSpellings = drawn(attempted, ...spellings);
export const trustedHeaders = drawn(attempted, ...trusted);

const guarded = { check: ({ attempts }: { attempts: OrMissing<Attempt>[] }) => each(attempts, givesNothing) };

export const guard = chapter('Guard', [
  must('guard.path-spelling', {
    source: rule('3.1'),
    sentence:
      'A request without the key is rejected however its path is spelled (trailing slash, encoded letter, other case).',
    evidence: { attempts: otherSpellings },
    ...guarded,
  }),

  must('guard.trusted-headers', {
    source: rule('3.1'),
    sentence:
      'A request without the key is rejected whatever headers of a proxy it carries (X-Forwarded-For, X-Original-URL).',
    evidence: { attempts: trustedHeaders },
    ...guarded,
  }),
]);
