import fc, { type Arbitrary } from 'fast-check';
import type { Request } from '../../src/http/exchange.ts';
import { cases } from '../../src/plan/evidence.ts';
import { created, kept, laterWrittenUsers, type UserCase, unusualUsers } from '../../src/plan/steps/users.ts';
import { listWritten, retrievalsAfterRefusals, type WritingCase } from '../../src/plan/steps/writings.ts';
import { topic } from '../../src/requirement/topic.ts';
import { rowOf } from './drawn.ts';

const ACCEPTS = [
  ...[
    '*/*',
    'application/json',
    'application/*',
    'application/json;q=0.5',
    'application/json, text/plain, */*',
    '*/*;q=0.1',
  ],
  ...[
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'text/html, application/json',
  ],
  ...['application/json;indent=2, */*', 'application/xml;q=0.1, application/json', 'image/avif,image/webp,*/*;q=0.8'],
];
const ENCODINGS = [
  ...[
    'gzip',
    'deflate',
    'br',
    'gzip, deflate',
    'gzip, deflate, br',
    'identity',
    '*',
    'gzip;q=1.0, identity;q=0.5, *;q=0',
    'GZIP',
    'x-gzip',
    'br;q=1',
  ],
  ...['identity;q=0.5, *;q=0.1', 'gzip;q=0', 'gzip;q=0.001, br;q=0.002', 'compress, gzip'],
];
const LANGUAGES = [
  'de',
  'de-CH, en;q=0.5',
  '*',
  'fr-CA,fr;q=0.9',
  'zh-Hans-CN',
  'tr',
  'ar',
  'x-klingon',
  'en;q=0.1',
  'ja-JP',
];
const TRACES = [
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  '00-00000000000000000000000000000000-0000000000000000-00',
  '00-x-y-01',
  'cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what',
];

type Write = (request: Request) => Request;
const setting =
  (name: string, value: string): Write =>
  (request) => ({ ...request, headers: { ...request.headers, [name]: value } });
const dropping =
  (name: string): Write =>
  ({ headers: { [name]: _, ...headers }, ...request }) => ({ ...request, headers });
const inCase =
  (write: (name: string) => string): Write =>
  (request) => ({
    ...request,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [write(name), value])),
  });
const mixed = (name: string) =>
  [...name].map((letter, index) => (index % 2 ? letter.toUpperCase() : letter.toLowerCase())).join('');

/** What clients write in another way in any request: a few of it at the same time. */
const head: Arbitrary<{ what: string; write: Write }> = fc
  .tuple(
    fc.constantFrom(undefined, 'dropped', ...ACCEPTS),
    fc.constantFrom(undefined, undefined, ...ENCODINGS),
    fc.constantFrom(undefined, undefined, ...LANGUAGES),
    fc.constantFrom(undefined, undefined, ...TRACES),
    fc.constantFrom<[string, Write]>(
      ['', (request) => request],
      ['capital letters', inCase((name) => name.toUpperCase())],
      ['mixed letters', inCase(mixed)],
      ['small letters', inCase((name) => name.toLowerCase())],
    ),
    fc.constantFrom<'kept' | 'new'>('kept', 'new'),
  )
  .map(([accept, encoding, language, trace, [letters, write], connection]) => {
    const writes: Write[] = [
      ...(accept === 'dropped' ? [dropping('accept')] : accept === undefined ? [] : [setting('accept', accept)]),
      ...(encoding === undefined ? [] : [setting('accept-encoding', encoding)]),
      ...(language === undefined ? [] : [setting('accept-language', language)]),
      ...(trace === undefined ? [] : [setting('traceparent', trace)]),
      write,
    ];
    const named = { accept, 'accept-encoding': encoding, 'accept-language': language, traceparent: trace };
    const what = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
    return {
      what: [...what, ...(letters ? [`header names in ${letters}`] : []), `a ${connection} connection`].join(', '),
      write: (request) => ({ ...writes.reduce((one, next) => next(one), request), connection }),
    };
  });

/** Parameters that no service knows. */
const unknownQuery = fc
  .tuple(
    fc.constantFrom('utm_source', '_', 'cb', 'gclid', 'x', 'fbclid', 'ref', 'nocache', 'xyzzy'),
    fc.constantFrom('1', 'x', '', '%20', 'a=b', '%E5%B1%B1'),
  )
  .map(([name, value]) => `?${name}=${value}`);
const reading: Arbitrary<WritingCase> = fc
  .tuple(head, fc.option(unknownQuery, { freq: 3 }))
  .map(([{ what, write }, query]) => ({
    what: `${what}${query ? `, the query ${query}` : ''}`,
    write: (request) => write({ ...request, path: `${request.path}${query ?? ''}` }),
  }));
/** A list is known by its usual path: only what follows it differs. */
const listing: Arbitrary<WritingCase> = reading;

const TYPES = [
  ...[
    'application/json',
    'Application/Json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
  ],
  ...[
    'application/json ; charset=utf-8',
    'application/json; charset="utf-8"',
    'application/json;charset=UTF-8;',
    'application/json; CHARSET=utf-8',
  ],
];
const SPACE = ['', ' ', '\n', '\t', '\r\n', '  ', '\n\n\t '];
/** The JSON of a user, in one of the many ways to write it. */
const jsonText = fc
  .tuple(
    fc.array(fc.constantFrom(...SPACE), { minLength: 7, maxLength: 7 }),
    fc.boolean(),
    fc.constantFrom('none', 'all', 'some', 'capital'),
  )
  .map(([space, isTurned, escapes]) => (text: string) => {
    const { email, name } = JSON.parse(text) as { email: string; name: string };
    const members = Object.entries({ email, name });
    const [first, second] = isTurned ? members.reverse() : members;
    const [a, b, c, d, e, f, g] = space;
    const member = ([key, value]: [string, string] = ['', '']) => `"${key}"${b}:${c}"${escaped(value, escapes)}"`;
    return `${a}{${d}${member(first)}${e},${f}${member(second)}${g}}${a}`;
  });

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

const writing: Arbitrary<{ what: string; write: Write }> = fc
  .tuple(
    head,
    fc.constantFrom(...TYPES),
    jsonText,
    fc.constantFrom<Request['framing']>(undefined, undefined, 'chunked', 'packets'),
  )
  .map(([{ what, write }, type, json, framing]) => ({
    what: `${what}, ${type}${framing ? `, in ${framing}` : ''}, JSON written otherwise`,
    write: (request) => ({
      ...write({ ...request, headers: { ...request.headers, 'content-type': type }, body: json(request.body ?? '') }),
      ...(framing && { framing }),
    }),
  }));
const writtenUser: Arbitrary<UserCase> = writing.map(({ what, write }) => ({ what, fate: 'must', write }));
const LETTERS = ['Zoë', '山田', '𠮷野', 'שרה', 'Жанна', 'Łucja', 'ελένη', '가나', 'ßẞ'];
const writtenLetters: Arbitrary<UserCase> = fc
  .tuple(writing, fc.constantFrom(...LETTERS))
  .map(([{ what, write }, letters]) => ({
    what: `${letters}: ${what}`,
    fate: 'may',
    kind: { what: letters, name: (own) => `${letters} ${own.name}` },
    write: whole(write),
  }));

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
const further = fc
  .constantFrom<[string, string]>(
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
  )
  .map(
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
    cases: rowOf(reading),
    perRound: 16,
    judgedBy: {
      'http.equivalent-requests': (all: WritingCase[]) => ({ retrieved: cases(retrievalsAfterRefusals, ...all) }),
    },
  }),
  topic({
    what: 'lists written otherwise',
    cases: rowOf(listing),
    perRound: 5,
    judgedBy: { 'http.equivalent-requests': (all: WritingCase[]) => ({ listed: cases(listWritten, ...all) }) },
  }),
  topic({
    what: 'creations written otherwise',
    cases: rowOf(writtenUser),
    perRound: 4,
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
    what: 'letters written otherwise',
    cases: rowOf(writtenLetters),
    perRound: 2,
    users: 1,
    judgedBy: { 'round-trip.letters-beyond-ascii': (all: UserCase[]) => ({ users: kept(unusualUsers, ...all) }) },
  }),
  topic({
    what: 'creations with further members',
    cases: rowOf(further),
    perRound: 1,
    users: 1,
    judgedBy: { 'round-trip.other-strings': (all: UserCase[]) => ({ users: kept(unusualUsers, ...all) }) },
  }),
];
