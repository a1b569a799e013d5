import type { Arbitrary } from 'fast-check';
import type { Request } from '../../src/http/exchange.ts';
import { inTurn, sideBySide } from './drawn.ts';

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

/** Writes a request in another way that means the same. */
export type Write = (request: Request) => Request;
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

/** What clients write in another way in any request: a few of it at the same time, each way before it comes again. */
export const head: Arbitrary<{ what: string; write: Write }[]> = sideBySide(
  inTurn([undefined, 'dropped', ...ACCEPTS]),
  inTurn([undefined, undefined, ...ENCODINGS]),
  inTurn([undefined, undefined, ...LANGUAGES]),
  inTurn([undefined, undefined, undefined, ...TRACES]),
  inTurn<[string, Write]>([
    ['', (request) => request],
    ['capital letters', inCase((name) => name.toUpperCase())],
    ['mixed letters', inCase(mixed)],
    ['small letters', inCase((name) => name.toLowerCase())],
  ]),
  inTurn<'kept' | 'new'>(['kept', 'new']),
).map((rows) =>
  rows.map(([accept, encoding, language, trace, [letters, write], connection]) => {
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
      write: (request: Request) => ({ ...writes.reduce((one, next) => next(one), request), connection }),
    };
  }),
);
