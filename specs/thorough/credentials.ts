import fc from 'fast-check';
import { KEY, keyChangedAt } from '../../src/http/key.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  LIST,
  RETRIEVE,
  withAuthorization,
  withBody,
  withHeaders,
  withoutKey,
} from '../../src/requirement/case.ts';
import type { Kind } from '../../src/thorough/draw.ts';
import { noKey, wrongKey } from '../credentials.ts';
import { inBody, inCookies, inQuery } from '../key-elsewhere.ts';
import { words } from '../words.ts';
import {
  headerOf,
  kind,
  lengths,
  lineOf,
  onAny,
  oneOf,
  repeated,
  shortened,
  text,
  weighted,
} from './arbitraries.ts';

const rejected = (
  name: string,
  slug: string,
  perRound: number,
  cases: fc.Arbitrary<Case>,
): Kind<Case> =>
  kind(name, [`authentication.${slug}`, 'authentication.refusal-shows-no-user'], perRound, cases);

/** Draws requests with an Authorization header. */
const header = (values: fc.Arbitrary<string>, more: Partial<Case> = {}): fc.Arbitrary<Case> =>
  onAny(
    values.map((value) => ({
      name: `Authorization: ${shortened(value)}`,
      change: withAuthorization(value),
      ...more,
    })),
  );

const affix = lineOf('scheme-affixes');
const parameter = oneOf('token', 'key', 'apikey', 'username', 'access_token');

/** Draws another scheme, among them Bearer with more or fewer letters. */
const scheme = weighted(
  [5, lineOf('authorization-schemes')],
  [1, text`${affix}Bearer`],
  [1, text`Bearer${affix}`],
  [1, fc.nat({ max: 5 }).map((at) => 'Bearer'.slice(0, at) + 'Bearer'.slice(at + 1))],
);

const otherScheme = weighted(
  [8, text`${scheme} ${KEY}`],
  [1, text`${scheme} ${parameter}=${KEY}`],
  [1, text`${scheme} ${parameter}="${KEY}"`],
  [1, text`${oneOf('Token', 'x', 'Authorization:')} Bearer ${KEY}`],
  [1, text`Basic <base64 of ${oneOf('', 'a colon and ', 'user: and ')}API_KEY>`],
  [1, oneOf('Basic <base64 of API_KEY and a colon>')],
);

/** Draws tokens that a lenient comparison or lookup may accept. */
const wrongToken = weighted(
  [3, lineOf('patterns')],
  [2, lineOf('usual-tokens')],
  [2, lineOf('key-forms')],
  [1, text`<API_KEY without its last character>${oneOf(...'*%_?.\\')}`],
  [1, text`${oneOf('0', '<API_KEY without its first character>')}${KEY}`],
  [1, repeated('x', lengths(16, 2048))],
);

const longerKey = weighted(
  [1, text`${KEY}${oneOf(...'!#$%&*+-./:;=?@^_`|~\\0aAxZ', '==', '...', '\\n', KEY)}`],
  [1, text`${KEY}${repeated('x', lengths(8, 2048))}`],
);

const letter = oneOf(...'abcdefghijklmnopqrstuvwxyz');
const randomToken = fc.string({ unit: letter, minLength: 20, maxLength: 20 });

/** All positions in a key of up to 48 characters, from its beginning and from its end. */
const position = fc.integer({ min: -24, max: 24 }).filter((place) => place !== 0);

const outsideAscii = text`<API_KEY with ${oneOf('an accent', 'superscript characters', 'a letter in full width', 'a soft hyphen')}>`;

/** Servers limit the length of a path and of a header block. */
const MOST_NAMES = 7;

/**
 * Draws requests with the key under some names: shrinking finds the name under which the service
 * accepts it.
 */
const keyIn = (
  place: string,
  names: readonly string[],
  putKey: (names: readonly string[]) => Change,
  ...operations: Case['operation'][]
): fc.Arbitrary<Case> => {
  const cases = fc.subarray([...names], { minLength: 1, maxLength: MOST_NAMES }).map((some) => ({
    name: `the key in the ${place} as ${some.join(', ')}`,
    change: inTurn(withoutKey, putKey(some)),
  }));
  return operations.length > 0 ? onAny(cases, operations) : onAny(cases);
};

const PARAMETERS = words('key-parameters');

/** Puts the key into headers. Each line is a name, and may have a scheme as its value. */
const inHeaders = (fields: readonly string[]): Change =>
  withHeaders(
    Object.fromEntries(
      fields.map(headerOf).map(([name, before]) => [name, `${before} ${KEY}`.trim()]),
    ),
  );

/** Puts the key into a form, as RFC 6750 section 2.2 allows. */
const inForm = (names: readonly string[]): Change => {
  const fields = names.map((name) => `${name}=<percent-encoded API_KEY>`);
  return inTurn(
    withHeaders({ 'content-type': 'application/x-www-form-urlencoded' }),
    withBody(['email=form%40example.com', 'name=Ada+Lovelace', ...fields].join('&')),
  );
};

/** Draws a read with the right key and then without it, which a cache must not answer. */
const cachedRead = lineOf('cache-headers').map((line) => ({
  name: `${line}, and the same with the key just before`,
  change: inTurn(withoutKey, withHeaders(Object.fromEntries([headerOf(line)]))),
  before: 'authorized' as const,
}));

/**
 * Draws bodies from which no service creates a user. A service may parse them, and show data,
 * before it checks the key.
 */
const invalidBody = oneOf(' ', '{', '{"email":"x', '{"email":"x","name":', '{}', '[{}]', '42').map(
  (body) => ({
    name: `the body ${body} and no Authorization header`,
    change: inTurn(withoutKey, withBody(body)),
  }),
);

/** Declares requests without the key, which a service may accept after many others or a pause. */
const withoutKeyOn = (
  operation: Case['operation'],
  slug: string,
  others: fc.Arbitrary<Omit<Case, 'operation'>>,
): Kind<Case> => {
  const cases = weighted([1, fc.constantFrom(...noKey)], [3, others]);
  return rejected(`${operation} without the key`, slug, 3, onAny(cases, [operation]));
};

export const credentials: Kind<Case>[] = [
  withoutKeyOn(LIST, 'list-needs-key', cachedRead),
  withoutKeyOn(CREATE, 'create-needs-key', invalidBody),
  withoutKeyOn(RETRIEVE, 'retrieve-needs-key', cachedRead),
  rejected(
    'other syntax of the header',
    'header-syntax',
    24,
    header(lineOf('authorization-syntax')),
  ),
  rejected('other schemes', 'other-scheme', 80, header(otherScheme)),
  rejected('tokens that are not the key', 'wrong-key', 60, header(text`Bearer ${wrongToken}`)),
  // A service may accept a key after it was sent often.
  rejected('the same wrong key', 'wrong-key', 6, fc.constantFrom(...wrongKey)),
  rejected('random keys', 'wrong-key', 80, header(text`Bearer ${randomToken}`)),
  rejected('longer keys', 'key-extended', 21, header(text`Bearer ${longerKey}`)),
  rejected(
    'keys with one character changed',
    'key-one-character',
    20,
    weighted(
      [9, header(text`Bearer ${position.map(keyChangedAt)}`)],
      // Some servers close the connection at a letter outside ASCII.
      [1, header(text`Bearer ${outsideAscii}`, { mayBeSilent: true })],
    ),
  ),
  rejected('the key in the query', 'key-in-query', 12, keyIn('query', PARAMETERS, inQuery)),
  rejected(
    'the key in the cookie',
    'key-in-cookie',
    8,
    keyIn('cookie', words('key-cookies'), inCookies),
  ),
  rejected(
    'the key in other headers',
    'key-in-other-header',
    20,
    keyIn(
      'header',
      words('key-headers').flatMap((name) => [name, `${name}: Bearer`]),
      inHeaders,
    ),
  ),
  rejected(
    'the key in the body',
    'key-in-body',
    7,
    weighted(
      [6, keyIn('body', PARAMETERS, inBody, CREATE)],
      [1, keyIn('form', PARAMETERS.slice(0, MOST_NAMES), inForm, CREATE)],
    ),
  ),
];
