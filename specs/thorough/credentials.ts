import fc from 'fast-check';
import { KEY, keyChangedAt } from '../../src/http/key.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  LIST,
  OPERATIONS,
  onEach,
  RETRIEVE,
  withAuthorization,
  withBody,
  withHeaders,
  withoutKey,
} from '../../src/requirement/case.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { authorization, noKey, wrongKey } from '../credentials.ts';
import { words } from '../words.ts';
import { lines } from './lines.ts';

/** The requirement that judges every rejection, besides that of the case. */
const ANY_REJECTION = 'authentication.refusal-shows-no-user';

/** Authorization headers without valid credentials, on each operation. */
const headers = (values: readonly string[], more: Partial<Case> = {}): Case[] =>
  values.flatMap((value) => onEach(`Authorization: ${value}`, withAuthorization(value), more));

const tokens = (values: readonly string[]) => headers(values.map((token) => `Bearer ${token}`));

/** Rounds in which each table is sent once. */
const ROUNDS = 8;

const table = (name: string, slug: string, cases: readonly Case[]): DrawnCases => ({
  name,
  slugs: [slug, ANY_REJECTION],
  perRound: Math.ceil(cases.length / ROUNDS),
  tables: [cases],
});

/** Usual lengths of buffers and columns. */
const LENGTHS = [8, 16, 32, 64, 128, 256, 512, 1024, 2048];
const aroundEach = LENGTHS.flatMap((length) => [length - 1, length, length + 1]);

const ADDED = [...'!#$%&*+-./:;=?@^_`|~\\0aAxZ', '==', '...', '\\n', KEY];
const longerKeys = [
  ...ADDED.map((end) => `${KEY}${end}`),
  ...aroundEach.map((length) => KEY + 'x'.repeat(length)),
];

/**
 * All positions in a key of up to 48 characters: 1 to 24 from its beginning, -1 to -24 from its
 * end.
 */
const POSITIONS = Array.from({ length: 48 }, (_, index) => (index < 24 ? index + 1 : 23 - index));

const KEYS_OUTSIDE_ASCII = [
  'an accent',
  'superscript characters',
  'a letter in full width',
  'a soft hyphen',
].map((variation) => `Bearer <API_KEY with ${variation}>`);

/** Puts the key into a request, under each of the names. */
type PutKey = (names: readonly string[]) => Change;

const inQuery: PutKey = (names) => (usual) => ({
  ...usual,
  path: `${usual.path}?${names.map((name) => `${name}=${KEY}`).join('&')}`,
});

const inCookies: PutKey = (names) =>
  withHeaders({ cookie: names.map((name) => `${name}=${KEY}`).join('; ') });

const inHeaders: PutKey = (names) => withHeaders(Object.fromEntries(names.map(headerWithKey)));

/** Returns a header with the key. The text is the name of the header, or the name and a scheme. */
const headerWithKey = (text: string): [string, string] => {
  const [name = '', scheme] = text.split(' ');
  return [name.toLowerCase(), scheme === undefined ? KEY : `${scheme} ${KEY}`];
};

const inBody: PutKey =
  (names) =>
  (usual, { user }) => {
    const members = Object.fromEntries(names.map((name) => [name, KEY]));
    return { ...usual, body: JSON.stringify({ ...user, ...members }) };
  };

/** Sends a form with the key in it, as RFC 6750 section 2.2 allows. */
const inForm: PutKey = (names) =>
  inTurn(
    withHeaders({ 'content-type': 'application/x-www-form-urlencoded' }),
    withBody(['email=form%40example.com', 'name=Ada+Lovelace', ...names.map(encodedKey)].join('&')),
  );

const encodedKey = (name: string) => `${name}=<percent-encoded API_KEY>`;

/**
 * Draws cases with the key under some of the names: shrinking finds the name under which the
 * service accepts it.
 */
function keyIn(
  place: string,
  putKey: PutKey,
  allNames: string[],
  operations: readonly Case['operation'][] = OPERATIONS,
): fc.Arbitrary<Case> {
  const someNames = fc.subarray(allNames, { minLength: 1, maxLength: MOST_NAMES });
  return fc.record({ names: someNames, index: fc.nat({ max: 2 }) }).map(({ names, index }) => {
    const name = `the key in the ${place} as ${names.join(', ')}`;
    const cases = onEach(name, inTurn(withoutKey, putKey(names)), { operations });
    return cases[index % cases.length] as Case;
  });
}

/** Servers limit the length of a path and of a header block. */
const MOST_NAMES = 7;

const PARAMETERS = words('key-parameters');
const COOKIES = words('key-cookies');
const HEADERS = words('key-headers').flatMap((name) => [name, `${name} Bearer`]);

const generated = (
  name: string,
  slug: string,
  perRound: number,
  cases: fc.Arbitrary<Case>,
): DrawnCases => ({ name, slugs: [slug, ANY_REJECTION], perRound, cases });

const letters = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
  minLength: 20,
  maxLength: 20,
});
const randomKey = fc
  .record({ key: letters, index: fc.nat({ max: 2 }) })
  .map(({ key, index }) => authorization(`the key ${key}`, `Bearer ${key}`)[index] as Case);

/**
 * Bodies from which no service creates a user. A service may parse them, and show data, before it
 * checks the key.
 */
const BODIES = [
  '',
  ' ',
  '{',
  '{"email":"x',
  '{"email":"x","name":',
  '{}',
  '[]',
  '[{}]',
  'null',
  '"x"',
  '42',
];
const bodiesWithoutKey = BODIES.flatMap((body) =>
  onEach(`the body ${body} and no Authorization header`, inTurn(withoutKey, withBody(body)), {
    operations: [CREATE],
  }),
);

/** Headers by which a cache may distinguish responses. */
const CACHE_HEADERS: Record<string, string>[] = [
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'br' },
  { 'accept-encoding': 'deflate' },
  { 'accept-encoding': 'br, gzip;q=0.5' },
  { accept: '*/*' },
  { accept: 'application/json, text/html;q=0.1' },
  { 'accept-language': 'de' },
  { 'cache-control': 'no-cache' },
];
/** Reads with the right key and then without it, which a cache must not answer. */
const cachedReads = CACHE_HEADERS.flatMap((header) => {
  const name = `${JSON.stringify(header)}, and the same with the key just before`;
  const change = inTurn(withoutKey, withHeaders(header));
  return onEach(name, change, {
    operations: [LIST, RETRIEVE],
    afterAuthorized: true,
  });
});

/**
 * Requests without the key in each round: a service may accept them after many others, or after a
 * pause.
 */
function withoutKeyOn(
  operation: Case['operation'],
  slug: string,
  furtherCases: Case[],
): DrawnCases {
  const cases = [...noKey, ...furtherCases];
  return {
    name: `${operation} without the key`,
    slugs: [slug, ANY_REJECTION],
    perRound: 3,
    tables: [cases.filter((candidate) => candidate.operation === operation)],
  };
}

export const credentials: DrawnCases[] = [
  withoutKeyOn(LIST, 'authentication.list-needs-key', cachedReads),
  withoutKeyOn(CREATE, 'authentication.create-needs-key', bodiesWithoutKey),
  withoutKeyOn(RETRIEVE, 'authentication.retrieve-needs-key', cachedReads),
  table('other syntax of the header', 'authentication.header-syntax', [
    ...headers(lines('authorization-syntax')),
    ...headers([`Bearer ${KEY}\tx`]),
  ]),
  table('longer keys', 'authentication.key-extended', tokens(longerKeys)),
  table('tokens that are not the key', 'authentication.wrong-key', tokens(lines('wrong-tokens'))),
  {
    ...table('the same wrong key', 'authentication.wrong-key', wrongKey),
    // A service may accept a key after it was sent often.
    perRound: 6,
  },
  table(
    'keys with one character changed',
    'authentication.key-one-character',
    tokens(POSITIONS.map(keyChangedAt)),
  ),
  // Some servers close the connection at a letter outside ASCII.
  table(
    'keys with a letter outside ASCII',
    'authentication.key-one-character',
    headers(KEYS_OUTSIDE_ASCII, { mayBeSilent: true }),
  ),
  table('other schemes', 'authentication.other-scheme', headers(lines('authorization-schemes'))),
  generated('random keys', 'authentication.wrong-key', 80, randomKey),
  generated(
    'the key in the query',
    'authentication.key-in-query',
    12,
    keyIn('query', inQuery, PARAMETERS),
  ),
  generated(
    'the key in the cookie',
    'authentication.key-in-cookie',
    8,
    keyIn('cookie', inCookies, COOKIES),
  ),
  generated(
    'the key in other headers',
    'authentication.key-in-other-header',
    20,
    keyIn('header', inHeaders, HEADERS),
  ),
  generated(
    'the key in the body',
    'authentication.key-in-body',
    6,
    keyIn('body', inBody, PARAMETERS, [CREATE]),
  ),
  table(
    'the key in a form',
    'authentication.key-in-body',
    PARAMETERS.slice(0, 6).flatMap((name) =>
      onEach(`the key in a form as ${name}`, inTurn(withoutKey, inForm([name])), {
        operations: [CREATE],
      }),
    ),
  ),
];
