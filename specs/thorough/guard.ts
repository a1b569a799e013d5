import fc from 'fast-check';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  LIST,
  OPERATIONS,
  RETRIEVE,
  withHeaders,
  withoutKey,
  withPath,
} from '../../src/requirement/case.ts';
import type { Kind } from '../../src/thorough/draw.ts';
import { words } from '../words.ts';
import { headerOf, kind, lineOf, lines, onAny, oneOf, text, weighted } from './arbitraries.ts';

/** Returns the percent-encoded form of a character. */
const encoded = (character: string, percent = '%'): string =>
  `${percent}${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Writes a letter in two bytes, which UTF-8 does not allow. */
function overlong(letter: string): string {
  const code = letter.charCodeAt(0);
  return `%c${code >> 6}%${(0x80 | (code & 0x3f)).toString(16)}`;
}

/** Ways to write a letter that a router may decode after the key is checked. */
const ENCODINGS: ((letter: string) => string)[] = [
  (letter) => letter.toUpperCase(),
  (letter) => encoded(letter),
  (letter) => encoded(letter, '%25'),
  (letter) => encoded(letter, '%2525'),
  (letter) => encoded(letter, '%u00'),
  (letter) => encoded(letter.toUpperCase()),
  overlong,
];

/** Draws other spellings of some letters of a word. */
const respelled = (word: string): fc.Arbitrary<string> => {
  const letters = [...word];
  const places = fc.subarray([...letters.keys()], { minLength: 1 });
  return fc
    .tuple(places, fc.constantFrom(...ENCODINGS))
    .map(([chosen, encode]) =>
      letters.map((letter, at) => (chosen.includes(at) ? encode(letter) : letter)).join(''),
    );
};

/** Draws a character, percent-encoded or as it is. */
const sign = fc
  .tuple(oneOf(...'|;,~+$!\'"()[]{}^`*:=@&-_. #?\t\n\r\0'), fc.boolean())
  .map(([character, isEncoded]) =>
    isEncoded || /[\0-\s"#?]/.test(character) ? encoded(character) : character,
  );

const extension = weighted(
  [2, text`.${oneOf(...words('extensions'))}`],
  [1, text`${oneOf(...words('before-extensions'))}.${oneOf('json', 'css', 'png')}`],
);

/** Draws texts after a segment that a router may ignore. */
const ignored = lineOf('ignored-in-paths');

const ending = weighted(
  [4, ignored],
  [5, sign],
  [7, extension],
  [6, lineOf('path-ends')],
  [5, text`?${oneOf(...words('flag-parameters'))}=${oneOf('1', 'true')}`],
);

/** Draws texts that a router may read as a slash. */
const slash = lineOf('slashes');
const folder = oneOf(...words('folders'));
const host = oneOf('localhost', '127.0.0.1', 'example.com', 'localhost:80');

/**
 * Draws a path that differs in one place; the weights are about the numbers of such paths. `:id`
 * stands for the identifier.
 */
const path = weighted(
  [27, text`/v1/users/:id${ending}`],
  [8, text`/v1/users${weighted([1, ignored], [1, extension])}/:id`],
  [3, text`/v1/users${slash}:id`],
  [6, text`/v1/${respelled('users')}/:id`],
  [3, text`/v1${slash}users/:id`],
  [5, text`/v1/${folder}/users/:id`],
  [4, text`/v1${ignored}/users/:id`],
  [2, text`/${respelled('v1')}/users/:id`],
  [3, text`/${oneOf(...words('versions'))}/users/:id`],
  [3, text`/${slash}v1/users/:id`],
  [5, text`/${folder}/v1/users/:id`],
  [1, text`${oneOf('http', 'https')}://${host}/v1/users/:id`],
  [1, text`//${host}/v1/users/:id`],
  [1, oneOf('/users/:id', '/v1/users/%:id')],
);

/** Requests a path without the key. The part of the base address before the version stays. */
function at(template: string, operation: Case['operation']): Case {
  const shown = operation === RETRIEVE ? template : template.replace(/\/?%?:id/, '');
  const [, origin = '', below = ''] = /^(https?:\/\/[^/]+)?(.*)$/s.exec(shown) ?? [];
  const request: Change = (usual, { basePath }) => {
    const segment = usual.path.slice(usual.path.lastIndexOf('/') + 1);
    const own = below
      .replace('%:id', () => encoded(segment) + segment.slice(1))
      .replace(':id', () => segment);
    return { ...usual, path: origin + basePath.replace(/\/v1$/, '') + own };
  };
  return { name: `the path ${shown}`, operation, change: inTurn(withoutKey, request) };
}

const spelled = fc
  .tuple(path, fc.constantFrom(...OPERATIONS))
  .map(([template, operation]) => at(template, operation));

/** Draws paths whose responses many caches return to any client. */
const cached = onAny(
  oneOf(...words('static-ends')).map((end) => ({
    name: `${end} after the path, and the same with the key just before`,
    change: inTurn(
      withoutKey,
      withPath((usual) => usual + end),
    ),
    before: 'authorized' as const,
  })),
  [LIST, RETRIEVE],
);

type Header = [name: string, value: string];

/** Draws headers of some names and values; the weight is their number. */
const headersOf = (
  names: readonly string[],
  ...values: readonly string[]
): [weight: number, headers: fc.Arbitrary<Header>] => {
  const drawn = fc.tuple(oneOf(...names), oneOf(...values));
  return [names.length * values.length, drawn];
};

const OPEN = lines('open-headers').map(headerOf);
const COOKIES = words('flag-cookies').flatMap((name) => [
  `${name}=1`,
  `${name}=true`,
  `${name}=admin`,
]);

/** Draws a header that a proxy may set, or by which a service may let a client in. */
const openHeader = weighted<Header>(
  headersOf(words('address-headers'), '127.0.0.1', '10.0.0.1', '::1', '192.168.1.1', 'localhost'),
  headersOf(words('identity-headers'), 'admin', '1', 'admin@example.com', 'CN=admin'),
  headersOf(words('flag-headers'), 'true', '1', 'on', 'SUCCESS'),
  headersOf(words('path-headers'), '/', '/health', '/login'),
  headersOf(words('method-headers'), 'GET', 'HEAD', 'OPTIONS'),
  headersOf(['User-Agent'], ...lines('user-agents')),
  headersOf(['Cookie'], ...COOKIES),
  [OPEN.length, fc.constantFrom(...OPEN)],
);

/** Headers in one request: most servers accept so many. */
const MOST_HEADERS = 16;

const nameOf = ([name]: Header) => name.toLowerCase();

/** Draws requests with such headers: shrinking finds the one that a service trusts. */
const withOpenHeaders = onAny(
  fc
    .uniqueArray(openHeader, { minLength: 1, maxLength: MOST_HEADERS, selector: nameOf })
    .map((headers) => ({
      name: headers.map(([name, value]) => `${name}: ${value}`).join(', '),
      change: inTurn(
        withoutKey,
        withHeaders(Object.fromEntries(headers.map((header) => [nameOf(header), header[1]]))),
      ),
      mayBeSilent: true,
    })),
);

/** Draws requests with the path in a header and another path in the request line. */
const pathInHeader = onAny(
  oneOf(...words('path-headers')).map((name) => ({
    name: `${name} with the path`,
    change: inTurn(withoutKey, (usual) => {
      const headers = { ...usual.headers, [name.toLowerCase()]: usual.path };
      return { ...usual, headers, path: '/' };
    }),
    mayBeSilent: true,
  })),
  [LIST, RETRIEVE],
);

/** The Idempotency-Key and the body of a creation that was accepted just before. */
const sentAgain: Case = {
  name: 'the Idempotency-Key and the body of a creation just before',
  operation: CREATE,
  change: inTurn(withoutKey, (usual, { user }) => {
    return { ...usual, headers: { ...usual.headers, 'idempotency-key': user.email } };
  }),
  before: 'authorized',
};

export const guard: Kind<Case>[] = [
  kind('paths without the key', ['guard.path-spelling'], 190, weighted([40, spelled], [1, cached])),
  kind(
    'headers of proxies without the key',
    ['guard.trusted-headers'],
    120,
    weighted([100, withOpenHeaders], [5, pathInHeader], [1, fc.constant(sentAgain)]),
  ),
];
