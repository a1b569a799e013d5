import { header } from '../src/http/exchange.ts';
import { inTurns } from '../src/plan/step.ts';
import { type Attempt, attempted, type CredentialCase, type Operation } from '../src/plan/steps/credentials.ts';
import { waysIn } from '../src/plan/steps/several-places.ts';
import { each, type Finding, notVerified, that } from '../src/requirement/finding.ts';
import { chapter, drawn, must } from '../src/requirement/requirement.ts';
import { CREATE, LIST, OPERATIONS, RETRIEVE, without } from './authentication.ts';
import { rule } from './interface.ts';
import { everywhere, rewritten } from './ways-in.ts';

type Spelling = Pick<CredentialCase, 'spelling' | 'base' | 'query'>;

/** Paths that a guard may take for others than a router does. */
const COMMON: Record<string, Spelling> = {
  'a trailing slash': { spelling: (path) => `${path}/` },
  // Of the identifier, where the path has one.
  'an encoded character': {
    spelling: (path) =>
      path.replace(/\/(?:u(?=sers$)|(?<=sers\/)[\w-])/, ([, one = '']) => `/%${one.charCodeAt(0).toString(16)}`),
  },
  'capital letters': { spelling: (path) => path.replace('users', 'USERS') },
  'a double slash': { spelling: (path) => path.replace(/\/(?=[^/]*$)/, '//') },
  'an encoded slash at the end': { spelling: (path) => `${path}%2F` },
  'a path parameter': { spelling: (path) => `${path};x=1` },
  'the extension .json': { spelling: (path) => `${path}.json` },
};
const RARE: Record<string, Spelling> = {
  'an encoded NUL after it': { spelling: (path) => `${path}%00` },
  'an encoded slash before it': { spelling: (path) => path.replace('/', '%2F') },
  'an encoded space after it': { spelling: (path) => `${path}%20` },
  'a backslash before it': { spelling: (path) => path.replace('/', '%5C') },
  'a dot after it': { spelling: (path) => `${path}.` },
  'a double-encoded letter': { spelling: (path) => path.replace('/u', '/%2575') },
  'the extension .xml': { spelling: (path) => `${path}.xml` },
  'an encoded hash after it': { spelling: (path) => `${path}%23` },
  'two slashes after it': { spelling: (path) => `${path}//` },
  'an encoded question mark after it': { spelling: (path) => `${path}%3F` },
  'a capital letter': { spelling: (path) => path.replace('users', 'Users') },
  'every letter encoded': { spelling: (path) => path.replace('users', '%75%73%65%72%73') },
  'its last letter encoded': { spelling: (path) => path.replace('users', 'user%73') },
  'the extension .css': { spelling: (path) => `${path}.css` },
  'an empty query': { query: '?' },
  'a query that asks for an open door': {
    query:
      '?debug=true&admin=true&public=true&test=true&internal=true&preview=true&auth=false&skip_auth=true&role=admin&next=/health&path=/docs/favicon.ico',
  },
  'a fragment': { spelling: (path) => `${path}#x` },
  'a further segment': { spelling: (path) => `${path}/posts` },
  'a script before it': { base: (own) => `/index.php${own}` },
  'an encoded letter in the version': { base: (own) => own.replace(/v1$/, '%761') },
  'a parameter after the version': { base: (own) => `${own};a=b` },
  'a whole URL for the path': { base: (own) => `http://localhost${own}` },
};
/** How many of the common ones each run tries of a creation: those that the sentence names. */
const OF_EACH_CREATION = 3;

/** How many of the rare ones a run tries: most for the list, which shows everybody. */
const [OF_LIST, OF_USER, OF_CREATION] = [4, 2, 1];

const named = (all: Record<string, Spelling>) => Object.entries(all).map(([what, parts]) => ({ what, ...parts }));
const rare = (operation: Operation, count: number) =>
  Array.from({ length: count }, (_, at) => without(operation, `a less common spelling, ${at + 1}`, {}));
const spellings = [
  ...named(COMMON).flatMap(({ what, ...parts }, at) =>
    OPERATIONS.filter((one) => one !== CREATE || at < OF_EACH_CREATION).map((one) => without(one, what, parts)),
  ),
  ...inTurns([...rare(LIST, OF_LIST), ...rare(RETRIEVE, OF_USER)], named(RARE)),
  ...inTurns(rare(CREATE, OF_CREATION), [...named(COMMON).slice(OF_EACH_CREATION), ...named(RARE)]),
];

/** Addresses beside the set one, which a guard may not know. */
const beside = [
  without(LIST, 'the path without the version', { base: (own) => own.replace(/\/v1$/, '') }),
  without(LIST, 'the version with a capital V', { base: (own) => own.replace(/\/v1$/, '/V1') }),
];

/**
 * Whatever else the answer is (a page, a redirect, an error), it gives no user's data, and says of no user that it was
 * made.
 */
function givesNothing({ one, status, ok, shows, exchange, before }: Attempt): Finding {
  // What every refusal shows is the matter of the requirement on refusals.
  const usual = before.find((attempt) => attempt.shows !== undefined);
  if (usual) return notVerified('the usual rejection shows a user as well', usual.exchange);
  const made = ok && one.operation === CREATE && (status === 201 || header(exchange, 'location') !== undefined);
  const got = shows === undefined ? `${status}` : `${status} with "${shows}" in the response`;
  const expected = `no user's data for ${one.operation} without the key`;
  return that(shows === undefined && !made, expected, `${got} (${one.what})`, exchange);
}

/** What came of cases that a thorough run adds to. */
export const otherSpellings = drawn(attempted, ...spellings, ...beside);
export const trustedHeaders = drawn(attempted, ...rewritten);

export const guard = chapter('Guard', [
  must('guard.path-spelling', {
    source: rule('3.1'),
    sentence:
      'A request without the key is rejected however its path is spelled (trailing slash, encoded letter, other case).',
    evidence: { attempts: otherSpellings },
    check: ({ attempts }) => each(attempts, givesNothing),
  }),

  must('guard.trusted-headers', {
    source: rule('3.1'),
    sentence:
      'A request without the key is rejected, even with proxy headers (X-Forwarded-For, X-Original-URL) or an Idempotency-Key.',
    evidence: { ways: waysIn(everywhere, 'proxy'), attempts: trustedHeaders },
    check: ({ ways, attempts }) => each([...ways, ...attempts], givesNothing),
  }),
]);
