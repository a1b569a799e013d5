import fc from 'fast-check';
import type { Request } from '../../src/http/exchange.ts';
import {
  type Case,
  type Change,
  inTurn,
  LIST,
  RETRIEVE,
  type UserKind,
  withBody,
  withHeaders,
} from '../../src/requirement/case.ts';
import type { Kind } from '../../src/thorough/draw.ts';
import { unusual } from '../round-trip.ts';
import { UPGRADE } from '../writings.ts';
import {
  headerOf,
  inAnyCase,
  kind,
  lengths,
  lineOf,
  lines,
  oneOf,
  text,
  weighted,
} from './arbitraries.ts';

/** A way to write a request, and its description. */
interface Writing {
  name: string;
  change: Change;
}

/** Draws writings that are described by what was drawn. */
const written = <T>(
  drawn: fc.Arbitrary<T>,
  changeOf: (value: T) => Change,
): fc.Arbitrary<Writing> =>
  drawn.map((value) => ({ name: JSON.stringify(value), change: changeOf(value) }));

/** Draws several writings of one request. */
const together = (...writings: readonly fc.Arbitrary<Writing>[]): fc.Arbitrary<Writing> =>
  fc.tuple(...writings).map((parts) => ({
    name: parts.map(({ name }) => name).join(', '),
    change: inTurn(...parts.map(({ change }) => change)),
  }));

const type = lineOf('other-types');
const comma = oneOf(', ', ',', ' , ');

/** Draws values of Accept that allow JSON, and prefer nothing to it. */
const accept = fc.oneof(
  text`${oneOf('application/json', 'application/*', '*/*')}${oneOf('', ';q=1', ';q=0.5', ';q=0.001')}`,
  text`application/json${comma}${type}${oneOf('', ';q=0.1', ';q=0.8')}`,
  text`${type}${oneOf(';q=0.1', ';q=0.9')}${comma}application/json`,
  text`application/json${oneOf(';indent=2', ';charset=utf-8', ';q=0.9')}${comma}*/*;q=0.5`,
  text`${type};q=0.1, */*`,
);

/** Headers that do not change the meaning of a request. */
const HEADERS = [...lines('equivalent-headers'), ...lines('further-headers')];

/** Some servers reject a head of 40 lines or more, or of 8 kB. */
const MOST_FIELDS = 27;
const LONGEST_FIELD = 4096;

const headers = written(
  fc.record({
    accept: weighted<string | undefined>([1, fc.constant(undefined)], [6, accept]),
    headers: fc.subarray(HEADERS, { maxLength: 4 }),
    upgrade: weighted<object>([9, fc.constant({})], [1, fc.constant(UPGRADE)]),
    baggage: fc.oneof(fc.constant(0), lengths(64, LONGEST_FIELD)),
    fields: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: MOST_FIELDS })),
  }),
  ({ accept, headers, upgrade, baggage, fields }) =>
    withHeaders({
      accept,
      ...Object.fromEntries(headers.map(headerOf)),
      ...upgrade,
      ...(baggage > 0 && { baggage: `k=${'v'.repeat(baggage - 2)}` }),
      ...Object.fromEntries([...Array(fields).keys()].map((at) => [`x-field-${at}`, 'some text'])),
    }),
);

/** Ways to write the names of headers. */
const NAMES: Record<string, (name: string) => string> = {
  usual: String,
  'upper case': (name) => name.toUpperCase(),
  'mixed case': (name) =>
    name.replace(/(.)(.)/g, (_, first, second) => first.toLowerCase() + second.toUpperCase()),
};

const fields = written(
  fc.record({
    names: oneOf(...Object.keys(NAMES)),
    isReversed: fc.boolean(),
    connection: fc.constantFrom('kept' as const, 'new' as const),
  }),
  ({ names, isReversed, connection }) =>
    (usual) => {
      const all = Object.entries(usual.headers);
      if (isReversed) all.reverse();
      const write = NAMES[names] ?? String;
      const written = Object.fromEntries(all.map(([name, value]) => [write(name), value]));
      return { ...usual, headers: written, connection };
    },
);

const head = together(headers, fields);

const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Ways to write the characters of a JSON string, by their places. */
const ESCAPES: Record<string, (unit: string, at: number) => string> = {
  none: String,
  'of all characters': escapeOf,
  'of every third character': (unit, at) => (at % 3 === 0 ? escapeOf(unit) : unit),
  'in capitals': (unit) => escapeOf(unit).toUpperCase().replace('U', 'u'),
};

/** Draws white space of JSON, half of the time none. */
const space = fc.oneof(oneOf(''), oneOf(' ', '\n', '\t', '\r\n', '  ', '\n\n\t '));

/** White space may precede each token of a user's JSON, and the end. */
const TOKENS = 10;

const json = written(
  fc.record({
    spaces: fc.array(space, { minLength: TOKENS, maxLength: TOKENS }),
    order: fc.shuffledSubarray(['email', 'name'] as const, { minLength: 2 }),
    escapes: oneOf(...Object.keys(ESCAPES)),
  }),
  ({ spaces, order, escapes }) =>
    withBody((user) => {
      const write = ESCAPES[escapes] ?? String;
      const [first = [], second = []] = order.map((member) => {
        return [`"${member}"`, ':', `"${user[member].split('').map(write).join('')}"`];
      });
      const tokens = ['{', ...first, ',', ...second, '}', ''];
      return tokens.map((token, at) => (spaces[at] ?? '') + token).join('');
    }),
);

const framed = (...framings: readonly Request['framing'][]): fc.Arbitrary<Writing> =>
  written(fc.record({ framing: fc.constantFrom(...framings) }), ({ framing }) => (usual) => ({
    ...usual,
    ...(framing && { framing }),
  }));

/** A short user leaves room for white space and escapes. */
const SHORT_USER: UserKind = {
  email: ({ tag, domain }) => tag + domain,
  name: ({ word }) => `${word} Q`,
};

const creations = (writings: fc.Arbitrary<Writing>): fc.Arbitrary<Case> =>
  writings.map(({ name, change }) => ({
    ...unusual(name, SHORT_USER, change),
    expected: 'created',
  }));

const reads = (operation: Case['operation']): fc.Arbitrary<Case> =>
  head.map((writing) => ({ ...writing, operation, phase: 'valid', known: 'first' }));

const charset = inAnyCase(oneOf('charset'));
const mediaType = fc.oneof(
  inAnyCase(oneOf('application/json')),
  text`application/json${oneOf(';', ' ;', '; ', ';  ')}${charset}=${oneOf('utf-8', 'UTF-8', '"utf-8"')}`,
);

/** Draws members that the interface does not mention, and that must not replace email or name. */
const furtherMembers = lineOf('further-members').map((members) =>
  unusual(`further members ${members}`, {}, (usual) => {
    return { ...usual, body: (usual.body ?? '').replace('{', `{${members},`) };
  }),
);

const lettersWritten = fc
  .tuple(lineOf('short-names'), together(head, json, framed(undefined, 'packets', 'chunked')))
  .map(([letters, { name, change }]) =>
    unusual(`${letters}: ${name}`, { name: (own) => `${letters} ${own.name}` }, change),
  );

const EXISTS = 'create.accepted-exists';
const EQUIVALENT = 'http.equivalent-requests';

export const writings: Kind<Case>[] = [
  kind('equivalent reads', [EQUIVALENT], 34, weighted([24, reads(RETRIEVE)], [10, reads(LIST)])),
  kind(
    'equivalent creations',
    [EQUIVALENT, EXISTS],
    9,
    creations(together(head, json, framed(undefined, undefined, 'packets', 'bytes'))),
  ),
  kind(
    'media types',
    ['http.media-type', EXISTS],
    2,
    creations(written(mediaType, (value) => withHeaders({ 'content-type': value }))),
  ),
  kind(
    'chunked creations',
    ['http.chunked-body', EXISTS],
    3,
    creations(together(head, json, framed('chunked'))),
  ),
  kind(
    'creations with further members',
    ['round-trip.other-strings', EXISTS],
    2,
    furtherMembers,
    'plain users',
  ),
  kind(
    'letters in equivalent creations',
    ['round-trip.letters-beyond-ascii', EXISTS],
    4,
    lettersWritten,
  ),
];
