import { header } from '../src/http/exchange.ts';
import { KEY } from '../src/http/key.ts';
import { inTurns, someOf } from '../src/plan/step.ts';
import { type Attempt, attempted, type CredentialCase, type Operation } from '../src/plan/steps/credentials.ts';
import { type SeveralCase, waysIn } from '../src/plan/steps/several-places.ts';
import { type Finding, notVerified, that } from '../src/requirement/finding.ts';
import { CREATE, casesOf, isRefused, LIST, OPERATIONS, type Parts, RETRIEVE, without } from './authentication.ts';
import { chapter, drawn, must, ofEach, rule } from './requirement.ts';
import { header as fieldOf, lines, named, words } from './words.ts';

/** How the key is written under some names, in each kind of place. */
const WRITES: Record<string, (names: string[]) => Parts> = {
  query: (names) => ({ query: `?${names.map((name) => `${name}=${KEY}`).join('&')}` }),
  header: (names) => ({
    headers: Object.fromEntries(
      names.map((name) => [name.toLowerCase(), /auth(oriz|entic)/i.test(name) ? `Bearer ${KEY}` : KEY]),
    ),
  }),
  cookie: (names) => ({ headers: { cookie: names.map((name) => `${name}=${KEY}`).join('; ') } }),
  body: (names) => ({ members: Object.fromEntries(names.map((name) => [name, KEY])) }),
};

/** The key under some names, in a kind of place: the query, a header, a cookie, or the body. */
export const keyUnder = (operation: Operation, kind: string, names: string[]): CredentialCase =>
  without(operation, `the key in the ${kind} as ${names.join(' and ')}`, { ...WRITES[kind]?.(names), kind });

/** In so many shares go what is less usual: each operation has one of them, and in each run another one. */
const SHARES = 6;
/** The first of all, and a share of the others: servers limit the number of headers, often to a hundred. */
const shared = <T>(all: readonly T[], first: number, share: number): T[] =>
  all.filter((_, place) => place < first || place % SHARES === share);

// A proxy on the way keeps what is for itself, and the client sends it through none: it goes alone.
const keyHeaders = words('key-headers').filter((name) => name !== 'Proxy-Authorization');
const parameters = words('key-parameters');
const cookies = words('key-cookies');

/** The names that are tried, the usual ones first, and how many these are. */
const namesOf = (share: number): Record<string, [usual: number, all: string[]]> => ({
  query: [2, shared(parameters, 12, share)],
  header: [2, shared(keyHeaders, 14, share)],
  // One alone, too: a service may compare the whole header.
  cookie: [1, share % 2 === 0 ? ['access_token'] : cookies],
  body: [2, shared(parameters, 12, share)],
});

/**
 * Headers that only say who asks or from where, and that a service may trust: many go together, of each the first
 * value.
 */
const ofOneValue = lines('trusted-headers').filter((line) => !/^(cookie|[^:]*version)/i.test(line));
const harmless = [...new Map(ofOneValue.map(fieldOf).reverse())].reverse();

/** Headers that a proxy sets, and a service behind it may trust, a few of them together. */
const trusted = casesOf('proxy').map((one) => ({ ...one, kind: 'proxy' }));

function severalOn(operation: Operation, share: number): SeveralCase {
  const kinds = Object.entries(namesOf(share)).filter(([kind]) => kind !== 'body' || operation === CREATE);
  const parts = [
    ...kinds.map(([kind, [usual, all]]) => keyUnder(operation, kind, all.slice(0, usual))),
    ...trusted.filter((one) => one.operation === operation),
  ];
  const others = shared(harmless, 28, share);
  const rare = () => [
    ...kinds.flatMap(([kind, [usual, all]]) => all.slice(usual).map((name) => keyUnder(operation, kind, [name]))),
    ...others.map(([name, value]) =>
      without(operation, `${name}: ${value}`, { headers: { [name]: value }, kind: 'proxy' }),
    ),
  ];
  const wholes = kinds.map(([kind, [, all]]) => WRITES[kind]?.(all));
  const headers = Object.assign(Object.fromEntries(others), ...[...parts, ...wholes].map((one) => one?.headers));
  const whole = Object.assign({}, ...wholes, { headers });
  return { ...without(operation, 'the key in many places but the Authorization header', whole), parts, rare };
}

/** All of it at once, on each operation. */
export const everywhere = OPERATIONS.flatMap((one, place) => {
  const shares = Array.from({ length: SHARES }, (_, share) => severalOn(one, share));
  return someOf(shares, 1, place);
});

/** What can't go together with others: a proxy on the way may keep the header, and another path is asked for. */
export const inProxyHeader = casesOf('proxy alone');
const rewritten = casesOf('rewritten');

/**
 * The path in the spelling of a line. In it `{/id}` stands for an identifier that follows, with what separates it;
 * behind a percent sign its first character is encoded. What is in brackets is there where none follows.
 */
export const spelled = (line: string) => (path: string) => {
  const id = path.slice('/users/'.length);
  return line.replace(/\[(.+)\]/, id === '' ? '$1' : '').replace(/\{(.+)id\}/, (_, before: string) => {
    const first = before.endsWith('%') ? id.charCodeAt(0).toString(16) : id.charAt(0);
    return id === '' ? '' : before + first + id.slice(1);
  });
};

/**
 * Paths that a guard may take for others than a router does: a line is a path, or a query behind it, or a pattern of
 * the base address's path and what stands in its place.
 */
const spellingsOf = (list: string) =>
  named(list).map(([what, line]): Parts & { what: string } => {
    const [pattern = '', by] = line.split(' => ');
    if (by !== undefined) return { what, base: (own) => own.replace(new RegExp(pattern), by) };
    return { what, ...(line.startsWith('?') ? { query: line } : { spelling: spelled(line) }) };
  });
const COMMON = spellingsOf('common-spellings');
const RARE = spellingsOf('less-common-spellings');
/** How many of the common ones each run tries of a creation: those that the sentence names. */
const OF_EACH_CREATION = 3;

const rare = (operation: Operation, place = 1) => without(operation, `a less common spelling, ${place}`, {});
const spellings = [
  ...COMMON.flatMap(({ what, ...parts }, at) =>
    OPERATIONS.filter((one) => one !== CREATE || at < OF_EACH_CREATION).map((one) => without(one, what, parts)),
  ),
  // Most for the list, which shows everybody.
  ...inTurns([rare(LIST), rare(LIST, 2), rare(RETRIEVE)], RARE),
  ...inTurns([rare(CREATE)], [...COMMON.slice(OF_EACH_CREATION), ...RARE]),
  // Addresses beside the set one, which a guard may not know.
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
export const keysIn = {
  query: drawn(attempted),
  header: drawn(attempted, ...inProxyHeader),
  cookie: drawn(attempted),
  body: drawn(attempted),
};
export const otherSpellings = drawn(attempted, ...spellings);
export const trustedHeaders = drawn(attempted, ...rewritten);

export const keyElsewhere = chapter('Authentication', [
  must('authentication.key-in-query', rule('3.2'), {
    sentence: 'A request with the key in the query instead of the Authorization header is rejected.',
    ...ofEach({ ways: waysIn(everywhere, 'query'), further: keysIn.query }, isRefused),
  }),

  must('authentication.key-in-other-header', rule('3.1'), {
    sentence: 'A request with the key in a header other than Authorization is rejected.',
    ...ofEach({ ways: waysIn(everywhere, 'header'), further: keysIn.header }, isRefused),
  }),

  must('authentication.key-in-cookie', rule('3.1'), {
    sentence: 'A request with the key in a cookie instead of the Authorization header is rejected.',
    ...ofEach({ ways: waysIn(everywhere, 'cookie'), further: keysIn.cookie }, isRefused),
  }),

  must('authentication.key-in-body', rule('3.2'), {
    sentence: 'A create request with the key in its body instead of the Authorization header is rejected.',
    ...ofEach({ ways: waysIn(everywhere, 'body'), further: keysIn.body }, isRefused),
  }),
]);

export const guard = chapter('Guard', [
  must('guard.path-spelling', rule('3.1'), {
    sentence:
      'A request without the key is rejected however its path is spelled (trailing slash, encoded letter, other case).',
    ...ofEach({ attempts: otherSpellings }, givesNothing),
  }),

  must('guard.trusted-headers', rule('3.1'), {
    sentence:
      'A request without the key is rejected, even with proxy headers (X-Forwarded-For, X-Original-URL) or an Idempotency-Key.',
    ...ofEach({ ways: waysIn(everywhere, 'proxy'), attempts: trustedHeaders }, givesNothing),
  }),
]);
