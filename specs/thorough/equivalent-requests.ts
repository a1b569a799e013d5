import { lists, members, oneOf, type ValueOf } from '../../src/conduct/domain.ts';
import { type Topic, topic } from '../../src/conduct/topic.ts';
import type { Request } from '../../src/http/exchange.ts';
import type { WritingCase } from '../../src/plan/steps/reads.ts';
import type { NewUser } from '../../src/plan/users.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import { mayBeRefused, usersWithLetters } from '../round-trip.ts';
import { header, lines, repeated, words } from '../words.ts';
import { rewritten } from '../writings.ts';

/**
 * Lines of a head that change nothing; one without a value stands for none. With the long ones a head stays below 8 kB.
 */
const HEADERS = [...lines('equivalent-headers'), ...lines('further-headers')];

const CASES: Record<string, (name: string) => string> = {
  'upper case': (name) => name.toUpperCase(),
  'mixed case': (name) => name.replace(/../g, ([one = '', another = '']) => one.toLowerCase() + another.toUpperCase()),
  'lower case': (name) => name.toLowerCase(),
};

/** What differs between clients in the head of any request, some of it at once. */
const headParts = {
  accept: oneOf(lines('accept')),
  headers: lists(oneOf(HEADERS), 4),
  /** So many lines more: a head stays below 40 of them, which some servers refuse. */
  fields: oneOf([0, 1, 0, 8, 0, 16, 0, 20, 22, 24, 25, 26, 27]),
  isReversed: oneOf([false, true]),
  names: oneOf(['', ...Object.keys(CASES)]),
  connection: oneOf(['kept', 'new']),
};
const heads = members(headParts);

/** Makes an equivalent request. */
type Write = (request: Request) => Request;

/** Makes requests with this head. */
function withHead({ accept, headers, fields, isReversed, names, connection }: ValueOf<typeof heads>) {
  const given = Object.fromEntries([accept, ...headers.map(repeated)].map(header));
  const filling = Array.from({ length: fields }, (_, at) => header(`x-field-${at + 1}: a value of some length`));
  const what = [
    ...(fields ? [`${fields} more lines`] : []),
    ...(isReversed ? ['the lines in reverse order'] : []),
    ...Object.entries(given).map(
      ([name, value]) => `${name}: ${value.length > 100 ? `${value.length} characters` : value}`,
    ),
    ...(names ? [`header names in ${names}`] : []),
    `a ${connection} connection`,
  ];
  const write: Write = (request) => {
    const all = Object.entries({ ...request.headers, ...given, ...Object.fromEntries(filling) })
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [CASES[names]?.(name) ?? name, value] as const);
    return { ...request, headers: Object.fromEntries(isReversed ? all.reverse() : all), connection };
  };
  return { what: what.join(', '), write };
}

const SPACE = ['', '', '', ' ', '\n', '\t', '\r\n', '  ', '\n\n\t '];

/** A creation: its head, and the JSON of its user in one of the many ways to write it. */
const writingParts = {
  ...headParts,
  space: lists(oneOf(SPACE), 10),
  isNameFirst: oneOf([false, true]),
  escapes: oneOf(['none', 'all', 'some', 'capital']),
  framing: oneOf(['', '', 'packets', 'bytes']),
};
const writing = members(writingParts);
type Written = Omit<ValueOf<typeof writing>, 'framing'> & { framing: '' | NonNullable<Request['framing']> };

function written({ space, isNameFirst, escapes, framing, ...head }: Written) {
  const { what, write } = withHead(head);
  const json = (text: string) => {
    const { email, name } = JSON.parse(text) as NewUser;
    const member = (key: string, value: string) => [`"${key}"`, ':', `"${escaped(value, escapes)}"`];
    const both = [member('email', email), member('name', name)];
    const [first = [], second = []] = isNameFirst ? both.reverse() : both;
    const tokens = ['{', ...first, ',', ...second, '}', ''];
    return tokens.map((token, at) => (space[at] ?? '') + token).join('');
  };
  return must(`${what}${framing ? `, in ${framing}` : ''}, equivalent JSON`, ({ body = '', ...request }) => {
    return { ...write({ ...request, body: json(body) }), ...(framing !== '' && { framing }) };
  });
}

/** A user whom every service makes, by a request that is written in another way. */
const must = (what: string, write: Write) => ({ what, fate: 'must' as const, write });

/** A string's content in JSON; `which` says of which characters \u escapes are made. */
function escaped(value: string, which: string): string {
  const unit = (code: string) => {
    const digits = code.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${which === 'capital' ? digits.toUpperCase() : digits}`;
  };
  const isChosen = (at: number) => which === 'all' || which === 'capital' || (which === 'some' && at % 3 === 0);
  return [...value].map((letter, at) => (isChosen(at) ? letter.split('').map(unit).join('') : letter)).join('');
}

const LETTERS = ['Zoë', '山田', '𠮷野', 'שרה', 'Жанна', 'Łucja', 'ελένη', '가나', 'ßẞ', '𝒜𐐀'];

/** So many bytes, by white space in one place. */
function padded(json: string, bytes: number, place: string): string {
  const space = ' '.repeat(Math.max(0, bytes - json.length));
  return place === 'before' ? space + json : place === 'behind' ? json + space : json.replace(',', `,${space}`);
}

const reads = (what: string, perRound: number, part: DrawnPart<WritingCase>): Topic =>
  topic({ what, perRound }, [part], heads, withHead);

export const equivalentReads = [
  reads('equivalent retrievals', 24, rewritten.retrievals),
  reads('equivalent list requests', 10, rewritten.lists),
];

const EQUIVALENT = [rewritten.created, rewritten.bodies];
const FREE = [rewritten.packets];
const WITH_TYPE = [rewritten.mediaTypes, rewritten.packets];
const lengths = members({
  bytes: oneOf(words('body-lengths').map(Number)),
  place: oneOf(['before', 'within', 'behind']),
});
const mediaTypes = members({ type: oneOf(lines('media-types')) });
const furtherMembers = members({ further: oneOf(lines('further-members')) });

export const equivalentCreations: Topic[] = [
  topic({ what: 'equivalent creations', perRound: 9, users: 1 }, EQUIVALENT, writing, written),
  topic({ what: 'bodies of many lengths', perRound: 4, users: 1 }, EQUIVALENT, lengths, ({ bytes, place }) =>
    must(`a body of ${bytes} bytes, white space ${place} its JSON`, ({ body = '', ...request }) => {
      return { ...request, body: padded(body, bytes, place) };
    }),
  ),
  topic({ what: 'creations with other media types', perRound: 2, users: 1 }, WITH_TYPE, mediaTypes, ({ type }) => ({
    ...must(`the media type ${type}`, ({ headers, ...request }) => {
      return { ...request, headers: { ...headers, 'content-type': type } };
    }),
    optional: true as const,
  })),
  // Members beside email and name are free; a service that ignores them makes the user that was sent.
  topic({ what: 'creations with further members', perRound: 2, users: 1 }, FREE, furtherMembers, (one) => ({
    ...must(`with ${one.further}`, ({ body = '', ...request }) => {
      return { ...request, body: `${body.slice(0, -1)},${repeated(one.further)}}` };
    }),
    optional: true as const,
  })),
];

const inChunks = [rewritten.chunks, rewritten.packets];
export const creationsInChunks = topic(
  { what: 'creations in chunks', perRound: 2, users: 1 },
  inChunks,
  writing,
  (one) => {
    const { what, write: control } = written(one);
    const write: Write = (request) => ({ ...control(request), framing: 'chunked' });
    return { ...must(`${what}, in chunks`, write), optional: true as const, control };
  },
);

const withLetters = { what: 'letters in equivalent creations', perRound: 2, users: 1 };
const framing = oneOf(['', 'packets', 'bytes', 'chunked']);
const letters = members({ ...writingParts, framing, letters: oneOf(LETTERS) });
export const equivalentLetters = topic(withLetters, [usersWithLetters], letters, ({ letters, ...params }) => {
  const { what, write } = written(params);
  return mayBeRefused(`${letters}: ${what}`, { name: (own) => `${letters} ${own.name}` }, write);
});
