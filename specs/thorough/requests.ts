import fc, { type Arbitrary } from 'fast-check';
import { topic } from '../../src/conduct/topic.ts';
import type { Request } from '../../src/http/exchange.ts';
import { cases } from '../../src/plan/evidence.ts';
import { created, kept, laterWrittenUsers, type UserCase, unusualUsers } from '../../src/plan/steps/users.ts';
import { listWritten, retrievalsAfterRefusals, type WritingCase } from '../../src/plan/steps/writings.ts';
import { inTurn, rowOf, sideBySide } from './drawn.ts';
import { head, type Write } from './head.ts';

const reading: Arbitrary<WritingCase[]> = head;

/** Media types that mean the same as the usual one. */
const TYPES = [
  ...['Application/Json', 'APPLICATION/JSON', 'application/json;charset=utf-8', 'application/json; charset=UTF-8'],
  ...[
    'application/json ; charset=utf-8',
    'application/json; charset="utf-8"',
    'application/json;charset=UTF-8;',
    'application/json; CHARSET=utf-8',
  ],
];
const SPACE = ['', ' ', '\n', '\t', '\r\n', '  ', '\n\n\t '];
/** The JSON of a user, in one of the many ways to write it. */
const jsonText: Arbitrary<((text: string) => string)[]> = sideBySide(
  rowOf(fc.array(fc.constantFrom(...SPACE), { minLength: 7, maxLength: 7 })),
  inTurn([false, true]),
  inTurn(['none', 'all', 'some', 'capital']),
).map((rows) =>
  rows.map(([space, isTurned, escapes]) => (text: string) => {
    const { email, name } = JSON.parse(text) as { email: string; name: string };
    const members = Object.entries({ email, name });
    const [first, second] = isTurned ? members.reverse() : members;
    const [a, b, c, d, e, f, g] = space;
    const member = ([key, value]: [string, string] = ['', '']) => `"${key}"${b}:${c}"${escaped(value, escapes)}"`;
    return `${a}{${d}${member(first)}${e},${f}${member(second)}${g}}${a}`;
  }),
);

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

const writing: Arbitrary<{ what: string; write: Write }[]> = sideBySide(
  head,
  jsonText,
  inTurn<Request['framing']>([undefined, undefined, 'packets']),
).map((rows) =>
  rows.map(([{ what, write }, json, framing]) => ({
    what: `${what}${framing ? `, in ${framing}` : ''}, JSON written otherwise`,
    write: (request: Request) => ({
      ...write({ ...request, body: json(request.body ?? '') }),
      ...(framing && { framing }),
    }),
  })),
);
const writtenUser: Arbitrary<UserCase[]> = writing.map((rows) =>
  rows.map(({ what, write }) => ({ what, fate: 'must', write })),
);
const otherTypes: UserCase[] = TYPES.map((type) => ({
  what: `the media type ${type}`,
  fate: 'must',
  optional: true,
  write: (request) => ({ ...request, headers: { ...request.headers, 'content-type': type } }),
}));
const inChunks: Arbitrary<UserCase[]> = writing.map((rows) =>
  rows.map(({ what, write }) => ({
    what: `${what}, in chunks`,
    fate: 'must',
    optional: true,
    write: (request) => ({ ...write(request), framing: 'chunked' }),
  })),
);
const LETTERS = ['Zoë', '山田', '𠮷野', 'שרה', 'Жанна', 'Łucja', 'ελένη', '가나', 'ßẞ'];
const writtenLetters: Arbitrary<UserCase[]> = sideBySide(writing, inTurn(LETTERS)).map((rows) =>
  rows.map(([{ what, write }, letters]) => ({
    what: `${letters}: ${what}`,
    fate: 'may',
    kind: { what: letters, name: (own) => `${letters} ${own.name}` },
    write: whole(write),
  })),
);

/** Surrogates can't be split: where half of one would stand alone, the usual text does. */
function whole(write: Write): Write {
  return (request) => {
    const written = write(request);
    return (written.body ?? '').isWellFormed()
      ? written
      : { ...written, ...(request.body !== undefined && { body: request.body }) };
  };
}

/** Users with something beside email and name, which is free. */
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const further = (
  [
    ['an identifier', '"id":"x"'],
    ['a number as identifier', '"id":1'],
    ['a nested object', '"address":{"city":"x"}'],
    ['nesting of 100 levels', `"x":${deep(100)}`],
    ['nesting of 5,000 levels', `"x":${deep(5000)}`],
    ['a number of 400 digits', `"x":${'9'.repeat(400)}`],
    ['a number beyond a double', '"x":1e999'],
    ['100 kB', `"x":"${'x'.repeat(100_000)}"`],
    ['1,000 members', Array.from({ length: 1000 }, (_, index) => `"x${index}":${index}`).join(',')],
    ['__proto__', '"__proto__":{"email":"a@example.com","admin":true}'],
    ['a role', '"role":"admin","isAdmin":true'],
    ['dates', '"createdAt":"1970-01-01T00:00:00Z","deleted":true'],
  ] as [string, string][]
).map(
  ([what, members]): UserCase => ({
    what: `with ${what}`,
    fate: 'may',
    kind: { what: `with ${what}` },
    write: (request) => ({ ...request, body: (request.body ?? '').replace(/\}$/, `,${members}}`) }),
  }),
);

export const requests = [
  topic({
    what: 'retrievals written otherwise',
    cases: reading,
    perRound: 16,
    judgedBy: {
      'http.equivalent-requests': (all: WritingCase[]) => ({ retrieved: cases(retrievalsAfterRefusals, ...all) }),
    },
  }),
  topic({
    what: 'lists written otherwise',
    cases: reading,
    perRound: 5,
    judgedBy: { 'http.equivalent-requests': (all: WritingCase[]) => ({ listed: cases(listWritten, ...all) }) },
  }),
  topic({
    what: 'creations written otherwise',
    cases: writtenUser,
    perRound: 6,
    users: 1,
    judgedBy: {
      'http.equivalent-requests': (all: UserCase[]) => ({
        createdLater: created(laterWrittenUsers, ...all),
        kept: kept(laterWrittenUsers, ...all),
      }),
      'http.survives-bad-requests': (all) => ({ createdLater: created(laterWrittenUsers, ...all) }),
    },
  }),
  topic({
    what: 'creations in chunks',
    cases: inChunks,
    perRound: 2,
    users: 1,
    judgedBy: {
      'http.chunked-body': (all: UserCase[]) => ({ created: created(laterWrittenUsers, ...all) }),
      'retrieve.values': (all) => ({ later: kept(laterWrittenUsers, ...all) }),
    },
  }),
  topic({
    what: 'creations with other media types',
    cases: inTurn(otherTypes),
    perRound: 2,
    users: 1,
    judgedBy: {
      'http.media-type': (all: UserCase[]) => ({ created: created(laterWrittenUsers, ...all) }),
      'retrieve.values': (all) => ({ later: kept(laterWrittenUsers, ...all) }),
    },
  }),
  topic({
    what: 'letters written otherwise',
    cases: writtenLetters,
    perRound: 2,
    users: 1,
    judgedBy: { 'round-trip.letters-beyond-ascii': (all: UserCase[]) => ({ users: kept(unusualUsers, ...all) }) },
  }),
  topic({
    what: 'creations with further members',
    cases: inTurn(further),
    perRound: 1,
    users: 1,
    judgedBy: { 'round-trip.other-strings': (all: UserCase[]) => ({ users: kept(unusualUsers, ...all) }) },
  }),
];
