import fc from 'fast-check';
import { KEY, keyChangedAt } from '../../src/http/key.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  onEach,
  withAuthorization,
  withBody,
  withHeaders,
  withoutKey,
} from '../../src/requirement/case.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { authorization, noKey, wrongKey } from '../credentials.ts';
import { words } from '../words.ts';
import { lines } from './lines.ts';

/** The response to every rejected request shows no user. */
const ANY_REFUSAL = 'authentication.refusal-shows-no-user';

/** Headers that hold no valid credentials, on each operation. */
const headers = (values: readonly string[], more: Partial<Case> = {}): Case[] =>
  values.flatMap((value) => onEach(`Authorization: ${value}`, withAuthorization(value), more));

const tokens = (all: readonly string[]) => headers(all.map((token) => `Bearer ${token}`));

/** Each table is sent in so many rounds. */
const ROUNDS = 8;

const table = (name: string, slug: string, cases: readonly Case[]): DrawnCases => ({
  name,
  slugs: [slug, ANY_REFUSAL],
  perRound: Math.ceil(cases.length / ROUNDS),
  tables: [cases],
});

/** A buffer, or a column, holds so many characters. */
const LENGTHS = [8, 16, 32, 64, 128, 256, 512, 1024, 2048];
const aroundEach = LENGTHS.flatMap((length) => [length - 1, length, length + 1]);

const ADDED = [...'!#$%&*+-./:;=?@^_`|~\\0aAxZ', '==', '...', '\\n', KEY];
const longerKeys = [
  ...ADDED.map((end) => `${KEY}${end}`),
  ...aroundEach.map((length) => KEY + 'x'.repeat(length)),
];

/** All places of a key of up to 48 characters. */
const PLACES = Array.from({ length: 48 }, (_, at) => (at < 24 ? at + 1 : 23 - at));

const FOREIGN = [
  'an accent',
  'superscript characters',
  'a letter in full width',
  'a soft hyphen',
].map((what) => `Bearer <API_KEY with ${what}>`);

type Place = (names: readonly string[]) => Change;

const inQuery: Place = (names) => (usual) => ({
  ...usual,
  path: `${usual.path}?${names.map((name) => `${name}=${KEY}`).join('&')}`,
});

const inCookies: Place = (names) =>
  withHeaders({ cookie: names.map((name) => `${name}=${KEY}`).join('; ') });

const inHeaders: Place = (names) => withHeaders(Object.fromEntries(names.map(headerWithKey)));

/** A name, or a name and a scheme. */
const headerWithKey = (name: string): [string, string] => {
  const [own = '', scheme] = name.split(' ');
  return [own.toLowerCase(), scheme === undefined ? KEY : `${scheme} ${KEY}`];
};

const inBody: Place =
  (names) =>
  (usual, { user }) => {
    const members = Object.fromEntries(names.map((name) => [name, KEY]));
    return { ...usual, body: JSON.stringify({ ...user, ...members }) };
  };

/** As RFC 6750 section 2.2 once allowed it. */
const inForm: Place = (names) =>
  inTurn(
    withHeaders({ 'content-type': 'application/x-www-form-urlencoded' }),
    withBody(['email=form%40example.com', 'name=Ada+Lovelace', ...names.map(encodedKey)].join('&')),
  );

const encodedKey = (name: string) => `${name}=<percent-encoded API_KEY>`;

/** The key under some of the names, in one place: shrinking finds the one that opens the door. */
function keyIn(kind: string, place: Place, names: string[], operations?: Case['operation'][]) {
  const some = fc.subarray(names, { minLength: 1, maxLength: MOST_NAMES });
  return fc.record({ names: some, at: fc.nat({ max: 2 }) }).map((drawn): Case => {
    const name = `the key in the ${kind} as ${drawn.names.join(', ')}`;
    const all = onEach(
      name,
      inTurn(withoutKey, place(drawn.names)),
      operations ? { operations } : {},
    );
    return all[drawn.at % all.length] as Case;
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
): DrawnCases => ({ name, slugs: [slug, ANY_REFUSAL], perRound, cases });

const letters = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
  minLength: 20,
  maxLength: 20,
});
const randomKey = fc
  .record({ key: letters, at: fc.nat({ max: 2 }) })
  .map(({ key, at }) => authorization(`the key ${key}`, `Bearer ${key}`)[at] as Case);

/**
 * No service makes a user of them. A parser that runs before the guard may say too much about them.
 */
const BODIES = [
  ...['', ' ', '{', '{"email":"x', '{"email":"x","name":', '{}', '[]', '[{}]', 'null', '"x"', '42'],
];
const bodiesWithoutKey = BODIES.flatMap((body) =>
  onEach(`the body ${body} and no Authorization header`, inTurn(withoutKey, withBody(body)), {
    operations: [CREATE],
  }),
);

/** Headers by which a cache may distinguish responses, sent with the right key first and then without it. */
const KEPT_BY: Record<string, string>[] = [
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'br' },
  { 'accept-encoding': 'deflate' },
  { 'accept-encoding': 'br, gzip;q=0.5' },
  { accept: '*/*' },
  { accept: 'application/json, text/html;q=0.1' },
  { 'accept-language': 'de' },
  { 'cache-control': 'no-cache' },
];
const keptReads = KEPT_BY.flatMap((header) => {
  const name = `${JSON.stringify(header)}, and the same with the key just before`;
  const change = inTurn(withoutKey, withHeaders(header));
  return onEach(name, change, {
    operations: ['GET /users', 'GET /users/:id'],
    afterAuthorized: true,
  });
});

const of = (operation: Case['operation'], ...cases: Case[][]) =>
  cases.flat().filter((one) => one.operation === operation);

/**
 * The requests of each round that a guard may forget about: after many others, or after a pause.
 */
const needsKey = (slug: string, operation: Case['operation'], ...more: Case[][]): DrawnCases => {
  const cases = of(operation, noKey, ...more);
  return {
    name: `${operation} without the key`,
    slugs: [slug, ANY_REFUSAL],
    perRound: 3,
    tables: [cases],
  };
};

export const credentials: DrawnCases[] = [
  needsKey('authentication.list-needs-key', 'GET /users', keptReads),
  needsKey('authentication.create-needs-key', 'POST /users', bodiesWithoutKey),
  needsKey('authentication.retrieve-needs-key', 'GET /users/:id', keptReads),
  table('other syntax of the header', 'authentication.header-syntax', [
    ...headers(lines('authorization-syntax')),
    ...headers([`Bearer ${KEY}\tx`]),
  ]),
  table('longer keys', 'authentication.key-extended', tokens(longerKeys)),
  table('tokens that are not the key', 'authentication.wrong-key', tokens(lines('wrong-tokens'))),
  {
    ...table('the same wrong key', 'authentication.wrong-key', wrongKey),
    // A service may take a key for known that was tried often.
    perRound: 6,
  },
  table(
    'keys with one character changed',
    'authentication.key-one-character',
    tokens(PLACES.map(keyChangedAt)),
  ),
  // Some servers answer nothing to a letter outside ASCII.
  table(
    'keys with a letter outside ASCII',
    'authentication.key-one-character',
    headers(FOREIGN, { mayBeSilent: true }),
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
