import fc from 'fast-check';
import type { Request } from '../../src/http/exchange.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  LIST,
  RETRIEVE,
  withBody,
  withHeaders,
} from '../../src/requirement/case.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { headerOf, lines } from './lines.ts';

/** Usual lengths of buffers. A head stays below 8 kB, the limit of many servers. */
const LENGTHS = [64, 128, 256, 512, 1024, 2048, 4096];

/** Headers that do not change the meaning of a request. */
const HEADERS: [name: string, value: string][] = [
  ...[...lines('equivalent-headers'), ...lines('further-headers')].map(headerOf),
  ...LENGTHS.flatMap((length) =>
    [-1, 0, 1].map((more): [string, string] => ['baggage', `k=${'v'.repeat(length + more - 2)}`]),
  ),
];

/** Ways to write the names of headers. */
const NAME_CASES: Record<string, (name: string) => string> = {
  'as usual': (name) => name,
  'upper case': (name) => name.toUpperCase(),
  'lower case': (name) => name.toLowerCase(),
  'mixed case': (name) =>
    name.replace(/../g, (two) => two.charAt(0).toLowerCase() + two.charAt(1).toUpperCase()),
};

/** Some servers reject a head of 40 lines or more. */
const MOST_FIELDS = 27;

/** Heads of requests, as different clients may send them. */
const head = fc
  .record({
    accept: fc.option(fc.constantFrom(...lines('accept')), { nil: undefined, freq: 6 }),
    headers: fc.subarray(HEADERS, { maxLength: 4 }),
    fields: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: MOST_FIELDS })),
    isReversed: fc.boolean(),
    names: fc.constantFrom(...Object.keys(NAME_CASES)),
    connection: fc.constantFrom('kept' as const, 'new' as const),
  })
  .map(({ accept, headers, fields, isReversed, names, connection }) => {
    const filling = Array.from({ length: fields }, (_, at): [string, string] => {
      return [`x-field-${at + 1}`, 'a value of some length'];
    });
    const own: Record<string, string | undefined> = { accept, ...Object.fromEntries(headers) };
    const name = [
      `accept: ${accept ?? 'none'}`,
      ...headers.map(([field, value]) => `${field}: ${shortened(value)}`),
      ...(fields > 0 ? [`${fields} more headers`] : []),
      ...(isReversed ? ['the headers in reverse order'] : []),
      `header names ${names}`,
      `a ${connection} connection`,
    ].join(', ');
    const change: Change = inTurn(
      withHeaders({ ...own, ...Object.fromEntries(filling) }),
      (usual) => {
        const all = Object.entries(usual.headers).map(([field, value]): [string, string] => {
          return [NAME_CASES[names]?.(field) ?? field, value];
        });
        return {
          ...usual,
          headers: Object.fromEntries(isReversed ? all.reverse() : all),
          connection,
        };
      },
    );
    return { name, change };
  });

const shortened = (value: string) => (value.length > 100 ? `${value.length} characters` : value);

const SPACE = ['', '', '', ' ', '\n', '\t', '\r\n', '  ', '\n\n\t '];
/** Tokens of a user's JSON, and its end: white space may precede each. */
const TOKENS = 10;

/** Returns the content of a JSON string, with \u escapes for some of its characters. */
function escaped(value: string, which: string): string {
  const unit = (code: string) => {
    const digits = code.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${which === 'in capitals' ? digits.toUpperCase() : digits}`;
  };
  const isChosen = (at: number) => {
    if (which === 'of every third character') return at % 3 === 0;
    return which !== 'none';
  };
  return [...value]
    .map((letter, at) => (isChosen(at) ? letter.split('').map(unit).join('') : plain(letter)))
    .join('');
}

const plain = (letter: string) => JSON.stringify(letter).slice(1, -1);

/** Equivalent ways to write a user as JSON. */
const jsonOfUser = fc
  .record({
    space: fc.array(fc.constantFrom(...SPACE), { minLength: TOKENS, maxLength: TOKENS }),
    isNameFirst: fc.boolean(),
    escapes: fc.constantFrom(
      'none',
      'of all characters',
      'of every third character',
      'in capitals',
    ),
  })
  .map(({ space, isNameFirst, escapes }) => {
    const change = withBody(({ email, name }) => {
      const member = (key: string, value: string) => [
        `"${key}"`,
        ':',
        `"${escaped(value, escapes)}"`,
      ];
      const both = [member('email', email), member('name', name)];
      const [first = [], second = []] = isNameFirst ? both.reverse() : both;
      const tokens = ['{', ...first, ',', ...second, '}', ''];
      return tokens.map((token, at) => (space[at] ?? '') + token).join('');
    });
    const order = isNameFirst ? 'the name first' : 'the email first';
    return {
      name: `${order}, white space ${JSON.stringify(space.join('|'))}, escapes ${escapes}`,
      change,
    };
  });

type Framing = Request['framing'];
const framed =
  (framing: Framing | undefined): Change =>
  (usual) => ({ ...usual, ...(framing && { framing }) });

const framings = fc.constantFrom<Framing | undefined>(undefined, undefined, 'packets', 'bytes');

const creation = (name: string, change: Change, more: Partial<Case> = {}): Case => ({
  name,
  operation: CREATE,
  change,
  phase: 'valid',
  expected: 'created',
  ...more,
});

const writing = fc
  .record({ head, json: jsonOfUser, framing: framings })
  .map(({ head: own, json, framing }) => ({
    name: `${own.name}, ${json.name}${framing ? `, in ${framing}` : ''}`,
    change: inTurn(own.change, json.change, framed(framing)),
  }));

/** A short user leaves room for white space and escapes. */
const SHORT_USER: Case['user'] = {
  email: ({ tag, domain }) => tag + domain,
  name: ({ word }) => `${word} Q`,
};

const equivalent = writing.map(({ name, change }) => creation(name, change, { user: SHORT_USER }));

const read = (operation: Case['operation']) =>
  head.map(
    ({ name, change }): Case => ({
      name,
      operation,
      change,
      phase: 'valid',
      known: 'first',
    }),
  );

const mediaTypes: Case[] = lines('media-types').map((type) =>
  creation(`the media type ${type}`, withHeaders({ 'content-type': type })),
);

const inChunks = fc.record({ head, json: jsonOfUser }).map(({ head: own, json }) => {
  const change = inTurn(own.change, json.change, framed('chunked'));
  return creation(`${own.name}, ${json.name}, in chunks`, change, { user: SHORT_USER });
});

/**
 * Members that the interface does not mention, and that must not replace the email and the name.
 */
const FURTHER_MEMBERS = [
  '"manager":{"email":"a@example.com","name":"Ann Lee"}',
  '"friends":[{"name":"Ann Lee"},{"email":"a@example.com"}]',
  '"address":{"city":"x"}',
  '"role":"admin","isAdmin":true',
  '"createdAt":"1970-01-01T00:00:00Z","deleted":true',
  '"__proto__":{"email":"a@example.com","admin":true}',
  `"x":${'['.repeat(100)}${']'.repeat(100)}`,
  `"x":${'9'.repeat(400)}`,
  '"x":1e999',
];
const furtherMembers: Case[] = FURTHER_MEMBERS.map((members) =>
  creation(
    `further members ${shortened(members)}`,
    (usual) => ({ ...usual, body: (usual.body ?? '').replace('{', `{${members},`) }),
    { expected: 'either' },
  ),
);

const LETTERS = ['Zoë', '山田', '𠮷野', 'שרה', 'Жанна', 'Łucja', 'ελένη', '가나', 'ßẞ', '𝒜𐐀'];
const letters = fc
  .record({
    head,
    json: jsonOfUser,
    framing: fc.oneof(framings, fc.constant<Framing>('chunked')),
    name: fc.constantFrom(...LETTERS),
  })
  .map(({ head: own, json, framing, name }) =>
    creation(
      `${name}: ${own.name}, ${json.name}${framing ? `, in ${framing}` : ''}`,
      inTurn(own.change, json.change, framed(framing)),
      { expected: 'either', user: { name: (parts) => `${name} ${parts.name}` } },
    ),
  );

const EXISTS = 'create.accepted-exists';
const EQUIVALENT = ['http.equivalent-requests'];

export const writings: DrawnCases[] = [
  { name: 'equivalent retrievals', slugs: EQUIVALENT, perRound: 24, cases: read(RETRIEVE) },
  { name: 'equivalent list requests', slugs: EQUIVALENT, perRound: 10, cases: read(LIST) },
  { name: 'equivalent creations', slugs: [...EQUIVALENT, EXISTS], perRound: 9, cases: equivalent },
  { name: 'media types', slugs: ['http.media-type', EXISTS], perRound: 2, tables: [mediaTypes] },
  { name: 'chunked creations', slugs: ['http.chunked-body', EXISTS], perRound: 3, cases: inChunks },
  {
    name: 'creations with further members',
    slugs: ['round-trip.other-strings', EXISTS],
    part: 'plain users',
    perRound: 2,
    tables: [furtherMembers],
  },
  {
    name: 'letters in equivalent creations',
    slugs: ['round-trip.letters-beyond-ascii', EXISTS],
    perRound: 4,
    cases: letters,
  },
];
