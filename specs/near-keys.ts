import type { Operation } from '../src/history/history.ts';
import { keyChangedAt } from '../src/http/key.ts';
import {
  type Case,
  CREATE,
  inTurn,
  LIST,
  onEach,
  RETRIEVE,
  withAuthorization,
  withHeaders,
  withSignature,
} from '../src/requirement/case.ts';
import { authorization, oneByOne, sentAloneOn } from './credentials.ts';

export const cutShort = [
  ...authorization(
    'the key without its last character, on a connection that carried the right key',
    'Bearer <API_KEY without its last character>',
    [LIST],
    { before: 'usual' },
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

const KEYS_WITH_ONE_CHARACTER_MORE: [name: string, value: string][] = [
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

/** The first rows are sent on each operation, the others on one. */
const ON_EACH_OPERATION = 2;

export const extended = [
  ...KEYS_WITH_ONE_CHARACTER_MORE.slice(0, ON_EACH_OPERATION).flatMap(([name, value]) =>
    authorization(name, value),
  ),
  ...oneByOne(KEYS_WITH_ONE_CHARACTER_MORE.slice(ON_EACH_OPERATION)),
];

export const otherCase = [
  ...sentAloneOn(
    LIST,
    authorization(
      'the key with the case of its letters swapped',
      'Bearer <API_KEY in swapped case>',
    ),
  ),
  ...authorization(
    'the key with the case of its letters swapped, on a connection that carried the right key',
    'Bearer <API_KEY in swapped case>',
    [LIST, RETRIEVE],
    { before: 'usual' },
  ),
  ...authorization(
    'the key with the case of one letter swapped',
    'Bearer <API_KEY with one letter in swapped case>',
  ),
];

/** Positions in a key, counted from 1; a negative one counts from the end, 0 is the middle. */
const POSITIONS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, -2];

const changedAt = (position: number) => `Bearer ${keyChangedAt(position)}`;

/** Keys with one wrong character, at positions spread over a usual key. */
export const oneCharacter = [
  ...authorization('the first character of the key changed', changedAt(1)),
  ...authorization('a character in the middle of the key changed', changedAt(0)),
  ...authorization(
    'a character in the middle of the key changed, on a connection that carried the right key',
    changedAt(0),
    [RETRIEVE],
    { before: 'usual' },
  ),
  ...authorization('the last character of the key changed', changedAt(-1)),
  ...oneByOne(
    POSITIONS.map(
      (position) => [`character ${position} of the key changed`, changedAt(position)] as const,
    ),
  ),
  ...authorization('the key with a zero for an O', 'Bearer <API_KEY with a look-alike>', [CREATE]),
  ...authorization(
    'the key with a letter for its first punctuation character',
    'Bearer <API_KEY with another sign>',
    [LIST],
  ),
  ...authorization(
    'the key with a letter for a dot',
    'Bearer <API_KEY with a letter for its dot>',
    [LIST],
  ),
  // Some servers close the connection at a letter outside ASCII.
  ...authorization(
    'the key with an accent on a letter',
    'Bearer <API_KEY with an accent>',
    [LIST],
    {
      mayBeSilent: true,
    },
  ),
];

/** The key, if it is a JWT, with other characters that decode to the same signature. */
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
 * Keys that a lenient comparison or lookup may accept. Some cases also carry a header that a file
 * server, a cache or a check of the media type may handle before the key is checked.
 */
export const nearKeys: Case[] = [
  ...near(
    'the JWT without a signature, and the algorithm none',
    'Bearer <API_KEY with the algorithm none>',
    [LIST],
  ),
  // A cache may respond with its own 504 (RFC 9111 section 5.2.1.7) before the key is checked.
  ...near(
    'the key without its punctuation, and cache-control: only-if-cached',
    'Bearer <API_KEY without signs>',
    [LIST],
    {
      'cache-control': 'only-if-cached',
    },
  ).map((candidate): Case => ({ ...candidate, mayBeSilent: true })),
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
    ['the key with "test" instead of "live"', 'Bearer <API_KEY with test for live>'],
    [
      'the key with a zero before its first digits',
      'Bearer <API_KEY with a zero before its first digits>',
    ],
    ['the key reversed', 'Bearer <API_KEY backwards>'],
    ['the key rotated by one character', 'Bearer <API_KEY turned by one>'],
    ['the key in the other base64 alphabet', 'Bearer <API_KEY in the other base64 alphabet>'],
  ]),
];
