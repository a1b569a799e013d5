import { isAnswered } from '../src/http/exchange.ts';
import { KEY, keyChangedAt, keyForm } from '../src/http/key.ts';
import { type CaseEvidence, known, type OrMissing, present } from '../src/plan/evidence.ts';
import { type Attempt, attempted, type CredentialCase, MARK, type Operation } from '../src/plan/steps/credentials.ts';
import { type Refusal, refusalsAround } from '../src/plan/steps/refusals.ts';
import { inTurns } from '../src/plan/turns.ts';
import { each, type Finding, notVerified, that } from '../src/requirement/finding.ts';
import { chapter, drawn, must, rfc, should } from '../src/requirement/requirement.ts';
import { rule } from './interface.ts';
import { CHANGED_WITHIN, EXTENDED, type Headers, LOOKUP_WORDS, NEAR_KEYS, SCHEMES, SYNTAX } from './near-misses.ts';

type Parts = Partial<CredentialCase>;

export const LIST = 'GET /users';
export const CREATE = 'POST /users';
export const RETRIEVE = 'GET /users/:id';
export const OPERATIONS: Operation[] = [LIST, CREATE, RETRIEVE];

export const on = (operation: Operation, what: string, parts: Parts): CredentialCase => {
  return { what, operation, headers: {}, unless: [], ...parts };
};
export const onEach = (what: string, parts: Parts) => OPERATIONS.map((operation) => on(operation, what, parts));

export const noHeader = onEach('no Authorization header', {});
export const wrongKey = onEach('a wrong key', { headers: { authorization: `Bearer ${MARK.wrongKey}` } });

/**
 * Those of one operation, or all, on a connection of their own that has just carried the right key: some servers keep
 * headers in a cache for each connection.
 */
const withUse = (cases: CredentialCase[], operation?: Operation) =>
  cases.map((one): CredentialCase => (one.operation === (operation ?? one.operation) ? { ...one, used: true } : one));

/** Where an operation asks for no key, or takes any, other credentials tell nothing: one fault is one failure. */
const openTo = (cases: CredentialCase[], operation: Operation) => cases.filter((one) => one.operation === operation);
export const withoutKey = (operation: Operation) => openTo(noHeader, operation);
export const withAnyKey = (operation: Operation) => [...withoutKey(operation), ...openTo(wrongKey, operation)];

/** A request that differs in one thing from one without the Authorization header. */
export const without = (operation: Operation, what: string, parts: Parts) =>
  on(operation, what, { unless: withoutKey(operation), ...parts });
const withOwnCookies = (operation: Operation) =>
  without(operation, "the service's own cookies and no Authorization header", { headers: { cookie: MARK.ownCookies } });

/** Another Authorization header, on one operation or on each. */
export const withHeaderOn = (operation: Operation, what: string, authorization: string) =>
  on(operation, what, { headers: { authorization }, unless: withAnyKey(operation) });
const withHeader = (what: string, authorization: string) =>
  OPERATIONS.map((one) => withHeaderOn(one, what, authorization));

/** Headers of which each operation gets another one, in each run other ones. */
const variations = (all: Headers) => all.map(([what, authorization]) => ({ what, headers: { authorization } }));
const inTurn = (what: string, all: Headers) => inTurns(withHeader(what, ''), variations(all));

const withAlso = (one: CredentialCase, name: string, value: string): CredentialCase => ({
  ...one,
  what: `${one.what}, and ${name}: ${value}`,
  headers: { ...one.headers, [name]: value },
});

/** What a comparison may take for the key, or a lookup for one that it has: each on one operation, to save requests. */
const near = (operation: Operation, what: string, token: string) => withHeaderOn(operation, what, `Bearer ${token}`);
const nearKeys = [
  // A cache, or a guard that knows the usual media type alone, may need no key. A cache may respond with its own 504
  // (RFC 9111, section 5.2.1.7).
  {
    ...withAlso(near(LIST, 'the key without its punctuation', keyForm.withoutSigns), 'cache-control', 'only-if-cached'),
    mayBeSilent: true as const,
  },
  withAlso(near(CREATE, 'the digits of the key', keyForm.digits), 'content-type', 'application/vnd.api+json'),
  near(LIST, 'the digits at the beginning of the key', keyForm.leadingDigits),
  near(RETRIEVE, 'the key with two adjacent characters swapped', keyForm.neighboursSwapped),
  ...inTurns([near(LIST, 'a word that a lookup has', 'constructor')], variations(LOOKUP_WORDS)),
  // A third one, for a lookup by LIKE, goes out at the end of the run.
  // What serves files may ask for no key.
  withAlso(near(RETRIEVE, 'a pattern that any key matches', '.*'), 'range', 'bytes=0-'),
  near(CREATE, 'an SQL condition', "' OR '1'='1"),
  ...inTurns(
    OPERATIONS.map((one) => near(one, 'another near key', keyForm.withoutSigns)),
    variations(NEAR_KEYS),
  ),
];

const empty = [
  ...withHeader('an empty Authorization header', ''),
  ...withHeader('the scheme without a token', 'Bearer'),
];
const cutShort = [
  ...withUse(withHeader('the key without its last character', `Bearer ${keyForm.cutAtEnd}`), LIST),
  ...withHeader('the key without its first character', `Bearer ${keyForm.cutAtStart}`),
];
const extended = inTurn('the key with one character added', EXTENDED);
export const caseSwapped = [
  ...withUse(withHeader('the key with the case of its letters swapped', `Bearer ${keyForm.caseSwapped}`)),
  near(CREATE, 'the key with the case of one letter swapped', keyForm.oneCase),
];
const oneCharacter = [
  ...withHeader('the first character of the key changed', `Bearer ${keyChangedAt(1)}`),
  ...withUse(inTurn('an inner character of the key changed', CHANGED_WITHIN), RETRIEVE),
  ...withHeader('the last character of the key changed', `Bearer ${keyChangedAt(-1)}`),
  near(CREATE, 'the key with a zero for an O', keyForm.lookAlike),
  near(LIST, 'the key with a letter for a dot', keyForm.dotChanged),
  // Some servers answer nothing to a letter outside ASCII.
  { ...near(LIST, 'the key with an accent on a letter', keyForm.withAccent), mayBeSilent: true as const },
];
const otherScheme = [
  ...withHeader('the scheme Basic and the key', `Basic ${KEY}`),
  ...withHeader('the scheme Basic and the base64-encoded key', `Basic ${keyForm.basic}`),
  ...withHeader('the scheme Token and the key', `Token ${KEY}`),
  ...withUse(withHeader('the scheme MyBearer', `MyBearer ${KEY}`), LIST),
  ...withHeader('the scheme Bearers', `Bearers ${KEY}`),
  ...withHeader('a word before the scheme', `Token Bearer ${KEY}`),
  ...inTurn('a less common scheme', SCHEMES),
];
const bare = withHeader('the key without a scheme', KEY);
/** Each on one operation: the header is hardly ever read by another rule for each of them. */
const otherSyntax = SYNTAX.map(([what, header], index) =>
  withHeaderOn(OPERATIONS[index % OPERATIONS.length] as Operation, what, header),
);

export const malformed = [...empty, ...otherScheme, ...bare];
const groups = [noHeader, wrongKey, malformed, cutShort, extended, caseSwapped, oneCharacter, otherSyntax];
/** All of them, but for what is near the key on one operation alone. */
export const allWrong = groups.flat();

/** Those that go out on connections that have just carried the right key. */
export const onUsed = [...cutShort, ...caseSwapped, ...oneCharacter, ...otherScheme].filter(({ used }) => used);

export function isRefused({ one, ok, status, exchange, usual }: Attempt): Finding {
  const got = `${status} for ${one.operation} with ${one.what}`;
  return that(!ok, 'a rejection: any non-2xx status', got, usual?.read.exchange, exchange);
}

/** The same before the first creation, and at the end. */
function isRefusedThen({ when, ok, exchange }: Refusal): Finding {
  if (!isAnswered(exchange)) return notVerified(`${exchange.failure}`, exchange);
  const { method, headers } = exchange.request;
  const got = `${exchange.response?.status} for ${method} /users with ${headers.authorization ?? 'no Authorization header'} ${when}`;
  return that(!ok, 'a rejection: any non-2xx status', got, exchange);
}

/** The methods of operations that need no key, at some time of the run: then a wrong one is no fault of its own. */
function openMethods(attempts: OrMissing<Attempt>[], around: OrMissing<Refusal>[]): string[] {
  const withoutKey = [...present(attempts), ...present(around).filter(({ what }) => what === 'no key')];
  return withoutKey.flatMap(({ ok, exchange }) => (ok ? exchange.request.method : []));
}

/** What came of cases that a thorough run adds to. */
export const withoutList = drawn(attempted, ...withoutKey(LIST), withOwnCookies(LIST));
export const withoutCreate = drawn(attempted, ...withoutKey(CREATE), withOwnCookies(CREATE));
export const withoutRetrieve = drawn(attempted, ...withoutKey(RETRIEVE), withOwnCookies(RETRIEVE));
export const wrongKeys = drawn(attempted, ...wrongKey);
export const openWithoutKey = drawn(attempted, ...noHeader);
export const longerKeys = drawn(attempted, ...extended);
export const oneCharacterOff = drawn(attempted, ...oneCharacter);
export const otherSchemes = drawn(attempted, ...otherScheme);
export const otherSyntaxes = drawn(attempted, ...otherSyntax);

/** A requirement whose cases are all rejected. */
const rejects = (slug: string, { sentence, attempts }: { sentence: string; attempts: CaseEvidence<Attempt> }) =>
  must(slug, {
    source: rule('3.1'),
    sentence,
    evidence: { attempts },
    check: ({ attempts }) => each(attempts, isRefused),
  });

export const authentication = chapter('Authentication', [
  must('authentication.list-needs-key', {
    source: rule('3.1'),
    sentence: 'GET /users without an Authorization header is rejected.',
    evidence: { attempts: withoutList, around: refusalsAround },
    check: ({ attempts, around }) => [
      ...each(attempts, isRefused),
      ...each(around, (one) => (one.what === 'no key' ? isRefusedThen(one) : [])),
    ],
  }),

  rejects('authentication.create-needs-key', {
    sentence: 'POST /users without an Authorization header is rejected.',
    attempts: withoutCreate,
  }),

  rejects('authentication.retrieve-needs-key', {
    sentence: 'GET /users/:id without an Authorization header is rejected.',
    attempts: withoutRetrieve,
  }),

  must('authentication.wrong-key', {
    source: rule('3.1'),
    sentence: 'A request with a wrong key is rejected.',
    evidence: { attempts: wrongKeys, open: openWithoutKey, near: attempted(...nearKeys), around: refusalsAround },
    check: ({ attempts, open, near, around }) => [
      ...each(near, isRefused),
      ...each(attempts, (one) => {
        const before = known(open[attempts.indexOf(one)] as OrMissing<Attempt>);
        return before.ok ? notVerified('the operation needs no key at all', before.exchange) : isRefused(one);
      }),
      ...each(around, (one) => {
        const isOpen = openMethods(open, around).includes(one.exchange.request.method);
        return one.what === 'wrong key' && !isOpen ? isRefusedThen(one) : [];
      }),
    ],
  }),

  rejects('authentication.no-token', {
    sentence: 'A request with an empty Authorization header, or with the scheme alone, is rejected.',
    attempts: attempted(...empty),
  }),

  rejects('authentication.key-cut-short', {
    sentence: 'A request with a key that lacks its first or last character is rejected.',
    attempts: attempted(...cutShort),
  }),

  rejects('authentication.key-extended', {
    sentence: 'A request with one character added to the key is rejected.',
    attempts: longerKeys,
  }),

  rejects('authentication.key-case', {
    sentence: 'A request with the key in different letter case is rejected.',
    attempts: attempted(...caseSwapped),
  }),

  rejects('authentication.key-one-character', {
    sentence: 'A request with a key that differs in one character is rejected.',
    attempts: oneCharacterOff,
  }),

  rejects('authentication.other-scheme', {
    sentence: 'A request that sends the key with another scheme (Basic, Token, MyBearer) is rejected.',
    attempts: otherSchemes,
  }),

  rejects('authentication.no-scheme', {
    sentence: 'A request that sends the key without a scheme is rejected.',
    attempts: attempted(...bare),
  }),

  should('authentication.header-syntax', {
    source: rfc(6750, '2.1'),
    sentence:
      'A request whose Authorization header violates the Bearer syntax (no space, quotes, an extra word) is rejected.',
    evidence: { attempts: otherSyntaxes },
    check: ({ attempts }) => each(attempts, isRefused),
  }),
]);
