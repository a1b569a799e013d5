import { lists, members, oneOf, type ValueOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { Request } from '../../src/http/exchange.ts';
import type { WritingCase } from '../../src/plan/steps/reads.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import {
  createdInChunks,
  createdLater,
  createdWithMediaTypes,
  keptLater,
  listsWritten,
  retrievalsWritten,
} from '../equivalent-requests.ts';
import { keptInPackets } from '../retrieve-user.ts';
import { usersWithLetters, usersWithOthers } from '../round-trip.ts';
import { headParts, type Write, withHead } from './head.ts';
import { around } from './strings.ts';

const reading = members(headParts);

/** Media types that mean the same as the usual one. */
const TYPES = [
  ...['Application/Json', 'APPLICATION/JSON', 'application/json;charset=utf-8'],
  ...['application/json; charset=UTF-8', 'application/json ; charset=utf-8', 'application/json; charset="utf-8"'],
  'application/json; CHARSET=utf-8',
];
const SPACE = ['', '', '', ' ', '\n', '\t', '\r\n', '  ', '\n\n\t '];

/** A creation: its head, and the JSON of its user in one of the many ways to write it. */
const writingParts = {
  ...headParts,
  space: lists(oneOf(SPACE), 7),
  isTurned: oneOf([false, true]),
  escapes: oneOf(['none', 'all', 'some', 'capital']),
  framing: oneOf(['', '', 'packets', 'bytes']),
};
const writing = members(writingParts);
type Writing = ValueOf<typeof writing>;

function written({ space, isTurned, escapes, framing, ...head }: Writing): { what: string; write: Write } {
  const { what, write } = withHead(head);
  const json = (text: string) => {
    const { email, name } = JSON.parse(text) as { email: string; name: string };
    const entries = Object.entries({ email, name });
    const [first, second] = isTurned ? entries.reverse() : entries;
    const [a, b, c, d, e, f, g] = space;
    const member = ([key, value]: [string, string] = ['', '']) => `"${key}"${b}:${c}"${escaped(value, escapes)}"`;
    return `${a}{${d}${member(first)}${e},${f}${member(second)}${g}}${a}`;
  };
  return {
    what: `${what}${framing ? `, in ${framing}` : ''}, JSON written otherwise`,
    write: (request) => ({
      ...write({ ...request, body: json(request.body ?? '') }),
      ...(framing && { framing: framing as NonNullable<Request['framing']> }),
    }),
  };
}

/** A string's content in JSON; `which` says of which characters \u escapes are made. */
function escaped(value: string, which: string): string {
  const unit = (code: string) => {
    const digits = code.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${which === 'capital' ? digits.toUpperCase() : digits}`;
  };
  const isChosen = (index: number) => which === 'all' || which === 'capital' || (which === 'some' && index % 3 === 0);
  return value
    .split('')
    .map((code, index) =>
      isChosen(index) || (/[\ud800-\udfff]/.test(code) && which !== 'none')
        ? unit(code)
        : JSON.stringify(code).slice(1, -1),
    )
    .join('');
}

const LETTERS = ['Zoë', '山田', '𠮷野', 'שרה', 'Жанна', 'Łucja', 'ελένη', '가나', 'ßẞ', '𝒜𐐀'];

/** Surrogates can't be split: where half of one would stand alone, the usual text does. */
function whole(write: Write): Write {
  return (request) => {
    const written = write(request);
    return (written.body ?? '').isWellFormed()
      ? written
      : { ...written, ...(request.body !== undefined && { body: request.body }) };
  };
}

/** So many bytes, by white space in one place. */
function padded(json: string, bytes: number, place: string): string {
  const space = ' '.repeat(Math.max(0, bytes - json.length));
  return place === 'before' ? space + json : place === 'behind' ? json + space : json.replace(',', `,${space}`);
}

/** Members beside email and name, which are free. */
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const further: Record<string, string> = {
  'an identifier': '"id":"x"',
  'a number as identifier': '"id":1',
  'a nested object': '"address":{"city":"x"}',
  'nesting of 100 levels': `"x":${deep(100)}`,
  'nesting of 5,000 levels': `"x":${deep(5000)}`,
  'a number of 400 digits': `"x":${'9'.repeat(400)}`,
  'a number beyond a double': '"x":1e999',
  '100 kB': `"x":"${'x'.repeat(100_000)}"`,
  '1,000 members': Array.from({ length: 1000 }, (_, index) => `"x${index}":${index}`).join(','),
  'a member __proto__': '"__proto__":{"email":"a@example.com","admin":true}',
  'a role': '"role":"admin","isAdmin":true',
  dates: '"createdAt":"1970-01-01T00:00:00Z","deleted":true',
};

/** Reads in other writings. */
export const readsWritten: Topic[] = [
  topic({
    what: 'retrievals written otherwise',
    params: reading,
    toCase: (head): WritingCase => withHead(head),
    perRound: 24,
    fills: [into(retrievalsWritten)],
  }),
  topic({
    what: 'lists written otherwise',
    params: reading,
    toCase: (head): WritingCase => withHead(head),
    perRound: 10,
    fills: [into(listsWritten)],
  }),
];

/** Creations in other writings. */
export const creationsWritten: Topic[] = [
  topic({
    what: 'creations written otherwise',
    params: writing,
    toCase: (params): UserCase => ({ ...written(params), fate: 'must' }),
    perRound: 9,
    users: 1,
    fills: [into(createdLater), into(keptLater)],
  }),
  topic({
    what: 'creations of many lengths',
    params: members({ bytes: oneOf(around(7, 16)), place: oneOf(['before', 'within', 'behind']) }),
    toCase: ({ bytes, place }): UserCase => ({
      what: `a body of ${bytes} bytes, white space ${place} its JSON`,
      fate: 'must',
      write: (request) => ({ ...request, body: padded(request.body ?? '', bytes, place) }),
    }),
    perRound: 4,
    users: 1,
    fills: [into(createdLater), into(keptLater)],
  }),
  topic({
    what: 'creations with other media types',
    params: members({ type: oneOf(TYPES) }),
    toCase: ({ type }): UserCase => {
      const withType: Write = (request) => ({ ...request, headers: { ...request.headers, 'content-type': type } });
      return { what: `the media type ${type}`, fate: 'must', optional: true, write: withType };
    },
    perRound: 2,
    users: 1,
    fills: [into(createdWithMediaTypes), into(keptInPackets)],
  }),
  topic({
    what: 'creations with further members',
    params: members({ members: oneOf(Object.keys(further)) }),
    toCase: ({ members }): UserCase => {
      const what = `with ${members}`;
      const write: Write = (request) => ({
        ...request,
        body: (request.body ?? '').replace(/\}$/, `,${further[members]}}`),
      });
      return { what, fate: 'may', kind: { what }, write };
    },
    perRound: 1,
    users: 1,
    fills: [into(usersWithOthers)],
  }),
];

/** Creations in chunks. */
export const creationsInChunks: Topic[] = [
  topic({
    what: 'creations in chunks',
    params: writing,
    toCase: (params): UserCase => {
      const { what, write } = written(params);
      const inChunks: Write = (request) => ({ ...write(request), framing: 'chunked' });
      return { what: `${what}, in chunks`, fate: 'must', optional: true, write: inChunks, control: write };
    },
    perRound: 2,
    users: 1,
    fills: [into(createdInChunks), into(keptInPackets)],
  }),
];

/** The same with letters beyond ASCII. */
export const lettersWritten: Topic[] = [
  topic({
    what: 'letters written otherwise',
    params: members({ ...writingParts, letters: oneOf(LETTERS) }),
    toCase: ({ letters, ...params }): UserCase => {
      const { what, write } = written(params);
      const kind = { what: letters, name: (own: { name: string }) => `${letters} ${own.name}` };
      return { what: `${letters}: ${what}`, fate: 'may', kind, write: whole(write) };
    },
    perRound: 2,
    users: 1,
    fills: [into(usersWithLetters)],
  }),
];
