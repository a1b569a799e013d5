import type { Operation } from '../src/history/history.ts';
import { keyChangedAt } from '../src/http/key.ts';
import {
  type Case,
  CREATE,
  inTurn,
  LIST,
  onEach,
  RETRIEVE,
  sentAlone,
  withAuthorization,
  withHeaders,
  withSignature,
} from '../src/requirement/case.ts';
import { authorization, oneByOne } from './credentials.ts';

export const cutShort = [
  ...authorization(
    'the key without its last character, on a connection that carried the right key',
    'Bearer <API_KEY without its last character>',
    [LIST],
    { afterUsual: true },
  ),
  ...authorization(
    'the key without its last character',
    'Bearer <API_KEY without its last character>',
  ),
  ...authorization(
    'the key without its first character',
    'Bearer <API_KEY without its first character>',
  ),
];

/** Characters before and behind the key. */
const ADDED: [name: string, value: string][] = [
  ['the key followed by an x', 'Bearer <API_KEY>x'],
  ['the key preceded by a zero', 'Bearer 0<API_KEY>'],
  ['the key followed by an equals sign', 'Bearer <API_KEY>='],
  ['the key preceded by an x', 'Bearer x<API_KEY>'],
  ['the key followed by a dot', 'Bearer <API_KEY>.'],
  ['the key followed by a zero', 'Bearer <API_KEY>0'],
  ['the key preceded by a hyphen', 'Bearer -<API_KEY>'],
  ['the key followed by a hyphen', 'Bearer <API_KEY>-'],
  ['the key followed by a semicolon', 'Bearer <API_KEY>;'],
];
export const extended = [
  ...ADDED.slice(0, 2).flatMap(([name, value]) => authorization(name, value)),
  ...oneByOne(ADDED.slice(2)),
];

export const otherCase = [
  ...authorization(
    'the key with the case of its letters swapped',
    'Bearer <API_KEY in swapped case>',
  ).map((one) => (one.operation === LIST ? sentAlone(one) : one)),
  ...authorization(
    'the key with the case of its letters swapped, on a connection that carried the right key',
    'Bearer <API_KEY in swapped case>',
    [LIST, RETRIEVE],
    { afterUsual: true },
  ),
  ...authorization(
    'the key with the case of one letter swapped',
    'Bearer <API_KEY with one letter in swapped case>',
  ),
];

/** The places of characters within a key; 0 is the middle. */
const PLACES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, -2];

const changedAt = (place: number) => `Bearer ${keyChangedAt(place)}`;

/** A key that differs in one character, at places all over a usual key. */
export const oneCharacter = [
  ...authorization('the first character of the key changed', changedAt(1)),
  ...authorization('a character in the middle of the key changed', changedAt(0)),
  ...authorization(
    'a character in the middle of the key changed, on a connection that carried the right key',
    changedAt(0),
    [RETRIEVE],
    { afterUsual: true },
  ),
  ...authorization('the last character of the key changed', changedAt(-1)),
  ...oneByOne(
    PLACES.map((place) => [`character ${place} of the key changed`, changedAt(place)] as const),
  ),
  ...authorization('the key with a zero for an O', 'Bearer <API_KEY with a look-alike>', [CREATE]),
  ...authorization(
    'the key with a letter for its first sign',
    'Bearer <API_KEY with another sign>',
    [LIST],
  ),
  ...authorization(
    'the key with a letter for a dot',
    'Bearer <API_KEY with a letter for its dot>',
    [LIST],
  ),
  // Some servers answer nothing to a letter outside ASCII.
  ...authorization(
    'the key with an accent on a letter',
    'Bearer <API_KEY with an accent>',
    [LIST],
    {
      mayBeSilent: true,
    },
  ),
];

/** The key, a JWT, with a signature that decodes to the same bytes. */
export const otherSignature = [
  ...onEach('the JWT with another last character', withSignature(keyChangedAt(-1)), {
    operations: [LIST],
  }),
  ...onEach(
    'the JWT in the other base64 alphabet',
    withSignature('<API_KEY in the other base64 alphabet>'),
    {
      operations: [RETRIEVE],
    },
  ),
  ...onEach('the JWT with padding at its end', withSignature('<API_KEY>='), { operations: [LIST] }),
];

const near = (
  name: string,
  value: string,
  operations: Operation[],
  headers: Record<string, string> = {},
) => onEach(name, inTurn(withHeaders(headers), withAuthorization(value)), { operations });

/**
 * Keys that a comparison may take for the right one, or a lookup for one that it has. A file server, a cache, or a guard
 * that knows the usual media type alone may need no key.
 */
export const nearKeys: Case[] = [
  ...near(
    'the JWT without a signature, and the algorithm none',
    'Bearer <API_KEY with the algorithm none>',
    [LIST],
  ),
  // A cache may respond with a 504 of its own (RFC 9111 section 5.2.1.7).
  ...near(
    'the key without its punctuation, and cache-control: only-if-cached',
    'Bearer <API_KEY without signs>',
    [LIST],
    {
      'cache-control': 'only-if-cached',
    },
  ).map((one) => ({ ...one, mayBeSilent: true as const })),
  ...near(
    'the digits of the key, and content-type: application/vnd.api+json',
    'Bearer <the digits of API_KEY>',
    [CREATE],
    { 'content-type': 'application/vnd.api+json' },
  ),
  ...near(
    'the digits at the beginning of the key',
    'Bearer <the digits at the beginning of API_KEY>',
    [LIST],
  ),
  ...near(
    'the key with two adjacent characters swapped',
    'Bearer <API_KEY with two adjacent characters swapped>',
    [RETRIEVE],
  ),
  ...near('a pattern that any key matches, and range: bytes=0-', 'Bearer .*', [RETRIEVE], {
    range: 'bytes=0-',
  }),
  ...near('an SQL condition', "Bearer ' OR '1'='1", [CREATE]),
  ...oneByOne([
    ['the word constructor as key', 'Bearer constructor'],
    ['the word undefined as key', 'Bearer undefined'],
    ['the word toString as key', 'Bearer toString'],
    ['the word null as key', 'Bearer null'],
    ['the key with its last two characters swapped', 'Bearer <API_KEY with its last two swapped>'],
    ['the key with one character doubled', 'Bearer <API_KEY with one character twice>'],
    ['the key with _ and - exchanged', 'Bearer <API_KEY with _ for - and - for _>'],
    ['the key with its parts reordered', 'Bearer <the parts of API_KEY in another order>'],
    ['the key with test for live', 'Bearer <API_KEY with test for live>'],
    [
      'the key with a zero before its first digits',
      'Bearer <API_KEY with a zero before its first digits>',
    ],
    ['the key reversed', 'Bearer <API_KEY backwards>'],
    ['the key rotated by one character', 'Bearer <API_KEY turned by one>'],
    ['the key in the other base64 alphabet', 'Bearer <API_KEY in the other base64 alphabet>'],
  ]),
];
