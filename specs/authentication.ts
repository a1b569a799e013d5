import { isAnswered } from '../src/http/exchange.ts';
import { keyChangedAt } from '../src/http/key.ts';
import { known, type OrMissing, present } from '../src/plan/evidence.ts';
import { inTurns, type Turning } from '../src/plan/step.ts';
import { type Attempt, attempted, type CredentialCase, MARK, type Operation } from '../src/plan/steps/credentials.ts';
import { type Refusal, refusalsAround } from '../src/plan/steps/refusals.ts';
import { each, type Finding, notVerified, that } from '../src/requirement/finding.ts';
import { chapter, drawn, must, ofEach, rfc, rule, should } from './requirement.ts';
import { header, lines } from './words.ts';

/** What a case has beside its name and its operation. */
export type Parts = Partial<CredentialCase>;

export const LIST = 'GET /users';
export const CREATE = 'POST /users';
export const RETRIEVE = 'GET /users/:id';
export const OPERATIONS: Operation[] = [LIST, CREATE, RETRIEVE];

/**
 * Where a header has the path, the request has another one: for the list that of the server's root, else that of the
 * base address.
 */
const elsewhere = (operation: string, headers: Record<string, string>): Parts =>
  Object.values(headers).includes(MARK.path)
    ? { spelling: () => '/', ...(operation === LIST && { base: () => '' }) }
    : {};

export const on = (operation: Operation, what: string, parts: Parts): CredentialCase => {
  const { headers = {} } = parts;
  return { what, operation, headers, unless: [], ...elsewhere(operation, headers), ...parts };
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

/**
 * The cases of `words/credentials.txt`. A line has the kind, the operation, what differs, and then headers, how it is
 * sent, or the kind of which each run takes another one.
 */
const ROWS = lines('credentials').map((line) => {
  const [kind = '', operation = '', what = '', ...parts] = line.split(' | ');
  const headers: Record<string, string> = Object.fromEntries(parts.filter((one) => one.includes(':')).map(header));
  const how = Object.fromEntries(parts.filter((one) => /^\w+$/.test(one)).map((one) => [one, true]));
  const [, oneOf] = /\| one of (.+)$/.exec(line) ?? [];
  return { kind, operation, what, headers, how, oneOf };
});

/** What cases of a kind differ in, for those that take turns. */
export const variationsOf = (kind: string) =>
  ROWS.flatMap(({ what, headers, operation, ...row }) =>
    row.kind === kind ? [{ what, headers, ...elsewhere(operation, headers) }] : [],
  );

const CASES = ROWS.flatMap(({ kind, what, headers, how, oneOf, ...row }) => {
  const operations = OPERATIONS.filter((one) => row.operation === 'each' || row.operation === one);
  return operations.map((one, turn): { kind: string; one: CredentialCase & Turning<CredentialCase> } => {
    const unless = headers.authorization === undefined ? withoutKey(one) : withAnyKey(one);
    const turns = oneOf !== undefined && { turns: variationsOf(oneOf), turn };
    return { kind, one: { ...on(one, what, { headers, unless, ...how }), ...turns } };
  });
});

/** The cases of some kinds, each on its operation, or on every one. */
export const casesOf = (...kinds: string[]) =>
  kinds.flatMap((kind) => CASES.flatMap((row) => (row.kind === kind ? [row.one] : [])));

/**
 * Places within a key: of any three in a row one is its middle, 0, which differs where only the beginning and the end
 * are compared.
 */
const WITHIN = [0, 8, 2, 0, 9, -2, 0, 16, 4, 0, 17, 5, 0, 3, 10, 0, 6, 12, 0, 7, 13, 0, 11, 15, 0, 14, 18, 0, 19, 20];
export const changedWithin = WITHIN.map((place) => {
  const which = place === 0 ? 'a character in the middle' : `character ${place}`;
  return { what: `the key with ${which} changed`, headers: { authorization: `Bearer ${keyChangedAt(place)}` } };
});
const oneCharacter = [
  ...casesOf('first character'),
  ...inTurns(casesOf('inner character'), changedWithin),
  // Some servers answer nothing to a letter outside ASCII.
  ...casesOf('one character'),
];

/** The kinds of malformed credentials, which have another status than wrong ones. */
export const MALFORMED = ['no token', 'other scheme', 'no scheme'];
const WRONG = [...MALFORMED, 'cut short', 'extended', 'other case', 'case of one letter'];
/** All of them, but for what is near the key on one operation alone. */
export const allWrong = [...noHeader, ...wrongKey, ...casesOf(...WRONG), ...oneCharacter, ...casesOf('other syntax')];

/**
 * Those that go out on connections of their own that have just carried the right key: some servers keep headers in a
 * cache for each connection.
 */
export const onUsed = allWrong.filter(({ used }) => used);

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

const withNone = (operation: Operation) =>
  drawn(attempted, ...openTo([...noHeader, ...casesOf('own cookies')], operation));

/** What came of cases that a thorough run adds to. */
export const tried = {
  noKey: { [LIST]: withNone(LIST), [CREATE]: withNone(CREATE), [RETRIEVE]: withNone(RETRIEVE) },
  wrongKeys: drawn(attempted, ...wrongKey),
  longerKeys: drawn(attempted, ...casesOf('extended')),
  oneCharacterOff: drawn(attempted, ...oneCharacter),
  otherSchemes: drawn(attempted, ...casesOf('other scheme')),
  /**
   * The scheme is Bearer and the key is there whole, in a header that RFC 6750 does not allow. Each on one operation:
   * the header is hardly ever read by another rule for each of them.
   */
  otherSyntaxes: drawn(attempted, ...casesOf('other syntax')),
};
/**
 * What a comparison may take for the key, or a lookup for one that it has; a third one, for a lookup by LIKE, goes out
 * at the end of the run. What serves files, a cache, or a guard that knows the usual media type alone, may need no key.
 * A cache may respond with its own 504 (RFC 9111, section 5.2.1.7).
 */
const nearKeys = attempted(...casesOf('near key'));

export const authentication = chapter('Authentication', [
  must('authentication.list-needs-key', rule('3.1'), {
    sentence: 'GET /users without an Authorization header is rejected.',
    evidence: { attempts: tried.noKey[LIST], around: refusalsAround },
    check: ({ attempts, around }) => [
      ...each(attempts, isRefused),
      ...each(around, (one) => (one.what === 'no key' ? isRefusedThen(one) : [])),
    ],
  }),

  must('authentication.create-needs-key', rule('3.1'), {
    sentence: 'POST /users without an Authorization header is rejected.',
    ...ofEach({ attempts: tried.noKey[CREATE] }, isRefused),
  }),

  must('authentication.retrieve-needs-key', rule('3.1'), {
    sentence: 'GET /users/:id without an Authorization header is rejected.',
    ...ofEach({ attempts: tried.noKey[RETRIEVE] }, isRefused),
  }),

  must('authentication.wrong-key', rule('3.1'), {
    sentence: 'A request with a wrong key is rejected.',
    evidence: { attempts: tried.wrongKeys, open: attempted(...noHeader), near: nearKeys, around: refusalsAround },
    check: ({ attempts, open, near, around }) => [
      ...each(near, isRefused),
      ...each(attempts, (one) => {
        const before = known(open[OPERATIONS.indexOf(one.one.operation)] as OrMissing<Attempt>);
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
    ...ofEach({ attempts: attempted(...casesOf('no token')) }, isRefused),
  }),

  must('authentication.key-cut-short', rule('3.1'), {
    sentence: 'A request with a key that lacks its first or last character is rejected.',
    ...ofEach({ attempts: attempted(...casesOf('cut short')) }, isRefused),
  }),

  must('authentication.key-extended', rule('3.1'), {
    sentence: 'A request with one character added to the key is rejected.',
    ...ofEach({ attempts: tried.longerKeys }, isRefused),
  }),

  must('authentication.key-case', rule('3.1'), {
    sentence: 'A request with the key in different letter case is rejected.',
    ...ofEach({ attempts: attempted(...casesOf('other case', 'case of one letter')) }, isRefused),
  }),

  must('authentication.key-one-character', rule('3.1'), {
    sentence: 'A request with a key that differs in one character is rejected.',
    ...ofEach({ attempts: tried.oneCharacterOff }, isRefused),
  }),

  must('authentication.other-scheme', rule('3.1'), {
    sentence: 'A request that sends the key with another scheme (Basic, Token, MyBearer) is rejected.',
    ...ofEach({ attempts: tried.otherSchemes }, isRefused),
  }),

  must('authentication.no-scheme', rule('3.1'), {
    sentence: 'A request that sends the key without a scheme is rejected.',
    ...ofEach({ attempts: attempted(...casesOf('no scheme')) }, isRefused),
  }),

  should('authentication.header-syntax', rfc(6750, '2.1'), {
    sentence:
      'A request whose Authorization header violates the Bearer syntax (no space, quotes, an extra word) is rejected.',
    ...ofEach({ attempts: tried.otherSyntaxes }, isRefused),
  }),
]);
