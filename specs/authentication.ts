import { isAnswered } from '../src/http/exchange.ts';
import { KEY, keyChangedAt, keyForm } from '../src/http/key.ts';
import { known, type OrMissing, present } from '../src/plan/evidence.ts';
import { inTurns } from '../src/plan/step.ts';
import { type Attempt, attempted, type CredentialCase, MARK, type Operation } from '../src/plan/steps/credentials.ts';
import { type Refusal, refusalsAround } from '../src/plan/steps/refusals.ts';
import { each, type Finding, notVerified, that } from '../src/requirement/finding.ts';
import { chapter, drawn, must, ofEach, rfc, should } from '../src/requirement/requirement.ts';
import { rule } from './interface.ts';
import { header, lines, named } from './thorough/words.ts';

type Parts = Partial<CredentialCase>;
type Headers = [what: string, authorization: string][];

export const LIST = 'GET /users';
export const CREATE = 'POST /users';
export const RETRIEVE = 'GET /users/:id';
export const OPERATIONS: Operation[] = [LIST, CREATE, RETRIEVE];

export const on = (operation: Operation, what: string, parts: Parts): CredentialCase => {
  return { what, operation, headers: {}, unless: [], ...parts };
};
const wrong = { headers: { authorization: `Bearer ${MARK.wrongKey}` } };
export const noHeader = OPERATIONS.map((one) => on(one, 'no Authorization header', {}));
export const wrongKey = OPERATIONS.map((one) => on(one, 'a wrong key', wrong));

/** Where an operation asks for no key, or takes any, other credentials tell nothing: one fault is one failure. */
const openTo = (cases: CredentialCase[], operation: Operation) => cases.filter((one) => one.operation === operation);
export const withoutKey = (operation: Operation) => openTo(noHeader, operation);
export const withAnyKey = (operation: Operation) => openTo([...noHeader, ...wrongKey], operation);

/** A request that differs in one thing from one without the Authorization header. */
export const without = (operation: Operation, what: string, parts: Parts) =>
  on(operation, what, { unless: withoutKey(operation), ...parts });

/** A request with another Authorization header. */
export const withHeader = (operation: Operation, what: string, authorization: string) =>
  on(operation, what, { headers: { authorization }, unless: withAnyKey(operation) });

/** Other Authorization headers, each on every operation. */
const onEach = (...all: Headers) =>
  all.flatMap(([what, authorization]) => OPERATIONS.map((one) => withHeader(one, what, authorization)));

/** Headers of which each operation gets another one, in each run other ones. */
const variations = (all: Headers) => all.map(([what, authorization]) => ({ what, headers: { authorization } }));
const inTurn = (what: string, all: Headers) => inTurns(onEach([what, '']), variations(all));

/**
 * Those of one operation, or all, on a connection of their own that has just carried the right key: some servers keep
 * headers in a cache for each connection.
 */
const withUse = (cases: CredentialCase[], operation?: Operation) =>
  cases.map((one): CredentialCase => (one.operation === (operation ?? one.operation) ? { ...one, used: true } : one));

/**
 * What a comparison may take for the key, or a lookup for one that it has: each on one operation, to save requests. One
 * may have another header as well.
 */
function near(operation: Operation, what: string, token: string, also?: string): CredentialCase {
  const one = withHeader(operation, also ? `${what}, and ${also}` : what, `Bearer ${token}`);
  return also ? { ...one, headers: { ...one.headers, ...Object.fromEntries([header(also)]) } } : one;
}
const nearKeys = [
  // A cache, or a guard that knows the usual media type alone, may need no key. A cache may respond with its own 504
  // (RFC 9111, section 5.2.1.7).
  {
    ...near(LIST, 'the key without its punctuation', keyForm.withoutSigns, 'cache-control: only-if-cached'),
    mayBeSilent: true as const,
  },
  near(CREATE, 'the digits of the key', keyForm.digits, 'content-type: application/vnd.api+json'),
  near(LIST, 'the digits at the beginning of the key', keyForm.leadingDigits),
  near(RETRIEVE, 'the key with two adjacent characters swapped', keyForm.neighboursSwapped),
  ...inTurns([near(LIST, 'a word that a lookup has', 'constructor')], variations(named('lookup-words'))),
  // A third one, for a lookup by LIKE, goes out at the end of the run.
  // What serves files may ask for no key.
  near(RETRIEVE, 'a pattern that any key matches', '.*', 'range: bytes=0-'),
  near(CREATE, 'an SQL condition', "' OR '1'='1"),
  ...inTurns(
    OPERATIONS.map((one) => near(one, 'another near key', keyForm.withoutSigns)),
    variations(named('near-keys')),
  ),
];

const empty = onEach(['an empty Authorization header', ''], ['the scheme without a token', 'Bearer']);
const cutShort = [
  ...withUse(onEach(['the key without its last character', `Bearer ${keyForm.cutAtEnd}`]), LIST),
  ...onEach(['the key without its first character', `Bearer ${keyForm.cutAtStart}`]),
];
/** Of any three in a row one has the character in front. */
const extended = inTurn('the key with one character added', named('extended-keys'));
export const caseSwapped = [
  ...withUse(onEach(['the key with the case of its letters swapped', `Bearer ${keyForm.caseSwapped}`])),
  near(CREATE, 'the key with the case of one letter swapped', keyForm.oneCase),
];
/**
 * Places within a key: of any three in a row one is its middle, 0, which differs where only the beginning and the end are
 * compared.
 */
const WITHIN = [0, 8, 2, 0, 9, -2, 0, 16, 4, 0, 17, 5, 0, 3, 10, 0, 6, 12, 0, 7, 13, 0, 11, 15, 0, 14, 18, 0, 19, 20];
export const changedWithin = WITHIN.map((place): Headers[number] => {
  const which = place === 0 ? 'a character in the middle' : `character ${place}`;
  return [`the key with ${which} changed`, `Bearer ${keyChangedAt(place)}`];
});
const oneCharacter = [
  ...onEach(['the first character of the key changed', `Bearer ${keyChangedAt(1)}`]),
  ...withUse(inTurn('an inner character of the key changed', changedWithin), RETRIEVE),
  ...onEach(['the last character of the key changed', `Bearer ${keyChangedAt(-1)}`]),
  near(CREATE, 'the key with a zero for an O', keyForm.lookAlike),
  near(LIST, 'the key with a letter for a dot', keyForm.dotChanged),
  // Some servers answer nothing to a letter outside ASCII.
  { ...near(LIST, 'the key with an accent on a letter', keyForm.withAccent), mayBeSilent: true as const },
];
const otherScheme = [
  ...onEach(
    ['the scheme Basic and the key', `Basic ${KEY}`],
    ['the scheme Basic and the base64-encoded key', `Basic ${keyForm.basic}`],
    ['the scheme Token and the key', `Token ${KEY}`],
  ),
  ...withUse(onEach(['the scheme MyBearer', `MyBearer ${KEY}`]), LIST),
  ...onEach(['the scheme Bearers', `Bearers ${KEY}`], ['a word before the scheme', `Token Bearer ${KEY}`]),
  ...inTurn(
    'a less common scheme',
    lines('less-common-schemes').map((one) => [`the header ${one}`, one]),
  ),
];
const bare = onEach(['the key without a scheme', KEY]);
/**
 * The scheme is Bearer and the key is there whole, in a header that RFC 6750 does not allow. Each on one operation: the
 * header is hardly ever read by another rule for each of them.
 */
const otherSyntax = named('common-header-syntax').map(([what, authorization], index) =>
  withHeader(OPERATIONS[index % OPERATIONS.length] as Operation, what, authorization),
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
const withNone = (operation: Operation) => {
  const cookies = { headers: { cookie: MARK.ownCookies } };
  const withCookies = without(operation, "the service's own cookies and no Authorization header", cookies);
  return drawn(attempted, ...withoutKey(operation), withCookies);
};
export const needsKey = { [LIST]: withNone(LIST), [CREATE]: withNone(CREATE), [RETRIEVE]: withNone(RETRIEVE) };
export const wrongKeys = drawn(attempted, ...wrongKey);
export const openWithoutKey = drawn(attempted, ...noHeader);
export const longerKeys = drawn(attempted, ...extended);
export const oneCharacterOff = drawn(attempted, ...oneCharacter);
export const otherSchemes = drawn(attempted, ...otherScheme);
export const otherSyntaxes = drawn(attempted, ...otherSyntax);

export const authentication = chapter('Authentication', [
  must('authentication.list-needs-key', rule('3.1'), {
    sentence: 'GET /users without an Authorization header is rejected.',
    evidence: { attempts: needsKey[LIST], around: refusalsAround },
    check: ({ attempts, around }) => [
      ...each(attempts, isRefused),
      ...each(around, (one) => (one.what === 'no key' ? isRefusedThen(one) : [])),
    ],
  }),

  must('authentication.create-needs-key', rule('3.1'), {
    sentence: 'POST /users without an Authorization header is rejected.',
    ...ofEach({ attempts: needsKey[CREATE] }, isRefused),
  }),

  must('authentication.retrieve-needs-key', rule('3.1'), {
    sentence: 'GET /users/:id without an Authorization header is rejected.',
    ...ofEach({ attempts: needsKey[RETRIEVE] }, isRefused),
  }),

  must('authentication.wrong-key', rule('3.1'), {
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

  must('authentication.no-token', rule('3.1'), {
    sentence: 'A request with an empty Authorization header, or with the scheme alone, is rejected.',
    ...ofEach({ attempts: attempted(...empty) }, isRefused),
  }),

  must('authentication.key-cut-short', rule('3.1'), {
    sentence: 'A request with a key that lacks its first or last character is rejected.',
    ...ofEach({ attempts: attempted(...cutShort) }, isRefused),
  }),

  must('authentication.key-extended', rule('3.1'), {
    sentence: 'A request with one character added to the key is rejected.',
    ...ofEach({ attempts: longerKeys }, isRefused),
  }),

  must('authentication.key-case', rule('3.1'), {
    sentence: 'A request with the key in different letter case is rejected.',
    ...ofEach({ attempts: attempted(...caseSwapped) }, isRefused),
  }),

  must('authentication.key-one-character', rule('3.1'), {
    sentence: 'A request with a key that differs in one character is rejected.',
    ...ofEach({ attempts: oneCharacterOff }, isRefused),
  }),

  must('authentication.other-scheme', rule('3.1'), {
    sentence: 'A request that sends the key with another scheme (Basic, Token, MyBearer) is rejected.',
    ...ofEach({ attempts: otherSchemes }, isRefused),
  }),

  must('authentication.no-scheme', rule('3.1'), {
    sentence: 'A request that sends the key without a scheme is rejected.',
    ...ofEach({ attempts: attempted(...bare) }, isRefused),
  }),

  should('authentication.header-syntax', rfc(6750, '2.1'), {
    sentence:
      'A request whose Authorization header violates the Bearer syntax (no space, quotes, an extra word) is rejected.',
    ...ofEach({ attempts: otherSyntaxes }, isRefused),
  }),
]);
