import type { Patch } from '../service.ts';
import { type Broken, broken, changedSuccess } from './broken.ts';

/** Changes names when users are stored. */
export const storesName =
  (change: (name: string) => string): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) => store({ ...user, name: change(user.name) });
  };

/** Services that change strings on the way through storage or the list. */
export const brokenRoundTrip: Broken[] = [
  broken(
    'round-trip.letters-beyond-ascii',
    'a charset in capital letters is taken for Latin-1',
    (service) => {
      const { handle } = service;
      service.handle = ({ headers, body, ...request }) => {
        const isOdd = /charset=UTF-8/.test(headers['content-type'] ?? '');
        return handle({
          ...request,
          headers,
          body: isOdd ? Buffer.from(body).toString('latin1') : body,
        });
      };
    },
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'names are stored as Latin-1',
    storesName((name) => Buffer.from(name, 'latin1').toString('latin1')),
    ['round-trip.other-strings'],
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'accents are lost',
    storesName((name) => name.normalize('NFD').replace(/[\u0300-\u036f]/g, '')),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'names are decomposed',
    storesName((name) => name.normalize('NFD')),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'compatibility letters are folded',
    storesName((name) => name.normalize('NFKC')),
    ['round-trip.other-strings'],
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'letters beyond ASCII become question marks',
    storesName((name) => name.replace(/[^\x20-\x7e]/g, '?')),
    ['round-trip.other-strings'],
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'letters outside the BMP are lost',
    storesName((name) => name.replace(/[\u{20000}-\u{3ffff}]/gu, '?')),
  ),
  ...(
    [
      ['a dotless i gets its dot', /ı/g, 'i'],
      ['a German ß becomes ss', /ß/g, 'ss'],
      ['a final sigma becomes a sigma', /ς/g, 'σ'],
      ['a Cyrillic yo loses its dots', /ё/g, 'е'],
      ['letters of Windows-1252 are lost', /[œŒšŠžŽŸ]/g, '?'],
      ['the Arabic yeh becomes alef maksura', /ي/g, 'ى'],
      ['combining marks at the end of a name are lost', /\p{M}+$/gu, ''],
      ['the virama of Devanagari is lost', /\u094d/g, ''],
      ['Georgian letters become capitals', /[ა-ჺ]/g, (letter: string) => letter.toUpperCase()],
      ['traditional characters become simplified ones', /[國龍陳]/g, '国'],
      ['a letter beyond ASCII at the beginning is lost', /^É/, ''],
      ['a letter beyond ASCII at the end is lost', /é$/, ''],
      [
        'Katakana becomes Hiragana',
        /[ァ-ヶ]/g,
        (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 0x60),
      ],
      ['an Icelandic eth becomes a d', /[ðÐ]/g, 'd'],
      ['a capital ß becomes SS', /ẞ/g, 'SS'],
      ['Persian letters become Arabic ones', /ی/g, 'ي'],
      ['Armenian letters become capitals', /[ա-ֆ]/g, (letter: string) => letter.toUpperCase()],
      [
        'the second of two characters outside the BMP is lost',
        /(?<=[\u{10000}-\u{3ffff}])[\u{10000}-\u{3ffff}]/gu,
        '',
      ],
      ['Korean syllables are decomposed', /[가-힣]/g, (letter: string) => letter.normalize('NFD')],
    ] as [name: string, from: RegExp, to: string][]
  ).map(([name, from, to]) =>
    broken(
      'round-trip.letters-beyond-ascii',
      name,
      storesName((name) => name.replace(from, to)),
    ),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'a name of Hangul alone loses its space',
    storesName((name) => name.replace(/^([가-힣]+) (?=[가-힣 ]+$)/, '$1')),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'Ethiopic letters are lost',
    storesName((name) => name.replace(/[\u1200-\u137f]/g, '?')),
  ),
  ...(
    [
      ['a tab becomes a space', /\t/g, ' '],
      ['CRLF becomes LF', /\r\n/g, '\n'],
      ['a no-break space becomes a space', /\u00a0/g, ' '],
      ['curly quotes become straight', /[‘’]/g, "'"],
      ['percent-escapes are decoded', /%41/g, 'A'],
      ['a backslash and an n become a line break', /\\n/g, '\n'],
    ] as [name: string, from: RegExp, to: string][]
  ).map(([name, from, to]) =>
    broken(
      'round-trip.other-strings',
      name,
      storesName((name) => name.replace(from, to)),
    ),
  ),
  broken('list.agrees-with-retrieve', 'only the list loses letters beyond ASCII', (service) => {
    service.item = (user) => ({ ...user, name: user.name.replace(/[^\x20-\x7e]/g, '?') });
  }),
  broken('list.agrees-with-retrieve', 'only the list escapes apostrophes', (service) => {
    service.item = (user) => ({ ...user, name: user.name.replaceAll("'", '&#39;') });
  }),
  broken(
    'list.agrees-with-retrieve',
    'the list is written in blocks of 256 bytes, which cut letters',
    changedSuccess((reply) => {
      const bytes = Buffer.from(JSON.stringify(reply.body));
      const blocks = Array.from({ length: Math.ceil(bytes.length / 256) }, (_, at) =>
        bytes.subarray(at * 256, (at + 1) * 256).toString(),
      );
      return { ...reply, headers: { 'content-type': 'application/json' }, body: blocks.join('') };
    }, 'list'),
  ),
  broken('list.agrees-with-retrieve', 'only the list has no line breaks', (service) => {
    service.item = (user) => ({ ...user, name: user.name.replaceAll('\n', ' ') });
  }),
  broken('list.agrees-with-retrieve', 'only the list has no emoji', (service) => {
    service.item = (user) => ({
      ...user,
      name: user.name.replace(/\p{Extended_Pictographic}/gu, ''),
    });
  }),
  broken(
    'round-trip.other-strings',
    'names are escaped for HTML',
    storesName((name) => name.replace(/&/g, '&amp;').replace(/</g, '&lt;')),
  ),
  broken(
    'round-trip.other-strings',
    'names are trimmed',
    storesName((name) => name.trim()),
  ),
  broken(
    'round-trip.other-strings',
    'names are cut at 255 characters',
    storesName((name) => name.slice(0, 255)),
  ),
  broken(
    'round-trip.other-strings',
    'emoji are lost',
    storesName((name) => name.replace(/\p{Extended_Pictographic}/gu, '')),
  ),
  broken('round-trip.other-strings', 'tags of emails are lost', (service) => {
    const { store } = service;
    service.store = (user) => store({ ...user, email: user.email.replace(/\+.*@/, '@') });
  }),
  broken(
    'round-trip.letters-beyond-ascii',
    'an escaped surrogate pair becomes two replacement characters',
    (service) => {
      const { parse } = service;
      service.parse = (body) =>
        parse(body.replaceAll(/\\ud[89ab]..\\ud[c-f]../gi, '\\ufffd\\ufffd'));
    },
  ),
];
