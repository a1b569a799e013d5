import type { Service, User } from '../service.ts';
import { type Broken, broken, changedSuccess } from './broken.ts';

/** Users are changed when they are stored. */
const stored = (change: (user: User) => User) => (service: Service) => {
  const { store } = service;
  service.store = (user) => store(change(user));
};

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
    stored((user) => ({ ...user, name: Buffer.from(user.name, 'latin1').toString('latin1') })),
    ['round-trip.other-strings'],
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'accents are lost',
    stored((user) => ({
      ...user,
      name: user.name.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
    })),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'names are decomposed',
    stored((user) => ({ ...user, name: user.name.normalize('NFD') })),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'compatibility letters are folded',
    stored((user) => ({ ...user, name: user.name.normalize('NFKC') })),
    ['round-trip.other-strings'],
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'letters beyond ASCII become question marks',
    stored((user) => ({ ...user, name: user.name.replace(/[^\x20-\x7e]/g, '?') })),
    ['round-trip.other-strings'],
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'letters outside the BMP are lost',
    stored((user) => ({ ...user, name: user.name.replace(/[\u{20000}-\u{3ffff}]/gu, '?') })),
  ),
  ...(
    [
      ['a dotless i gets its dot', /ı/g, 'i'],
      ['a German ß becomes ss', /ß/g, 'ss'],
      ['a sigma at the end of a word is one within it', /ς/g, 'σ'],
      ['a Cyrillic yo loses its dots', /ё/g, 'е'],
      ['letters of Windows-1252 are lost', /[œŒšŠžŽŸ]/g, '?'],
      ['Arabic letters of one shape are one', /ي/g, 'ى'],
      ['marks at the end of a name are trimmed', /\p{M}+$/gu, ''],
      ['the signs that join letters of India are lost', /\u094d/g, ''],
      ['Georgian letters are capitals', /[ა-ჺ]/g, (letter: string) => letter.toUpperCase()],
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
        'of two characters outside the BMP one is lost',
        /(?<=[\u{10000}-\u{3ffff}])[\u{10000}-\u{3ffff}]/gu,
        '',
      ],
      ['Korean letters are taken apart', /[가-힣]/g, (letter: string) => letter.normalize('NFD')],
    ] as [name: string, from: RegExp, to: string][]
  ).map(([name, from, to]) =>
    broken(
      'round-trip.letters-beyond-ascii',
      name,
      stored((user) => ({ ...user, name: user.name.replace(from, to) })),
    ),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'a name of Hangul alone loses its space',
    stored((user) => ({ ...user, name: user.name.replace(/^([가-힣]+) (?=[가-힣 ]+$)/, '$1') })),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'letters of a script that few have are lost',
    stored((user) => ({ ...user, name: user.name.replace(/[\u1200-\u137f]/g, '?') })),
  ),
  ...(
    [
      ['a tab becomes a space', /\t/g, ' '],
      ['line ends are those of Unix', /\r\n/g, '\n'],
      ['a no-break space does', /\u00a0/g, ' '],
      ['curly quotes are straight', /[‘’]/g, "'"],
      ['escapes of a URL are read', /%41/g, 'A'],
      ['escapes of C are read', /\\n/g, '\n'],
    ] as [name: string, from: RegExp, to: string][]
  ).map(([name, from, to]) =>
    broken(
      'round-trip.other-strings',
      name,
      stored((user) => ({ ...user, name: user.name.replace(from, to) })),
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
    'the list is written in blocks, at whose ends letters are lost',
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
    stored((user) => ({ ...user, name: user.name.replace(/&/g, '&amp;').replace(/</g, '&lt;') })),
  ),
  broken(
    'round-trip.other-strings',
    'names are trimmed',
    stored((user) => ({ ...user, name: user.name.trim() })),
  ),
  broken(
    'round-trip.other-strings',
    'names are cut at 255 characters',
    stored((user) => ({ ...user, name: user.name.slice(0, 255) })),
  ),
  broken(
    'round-trip.other-strings',
    'emoji are lost',
    stored((user) => ({ ...user, name: user.name.replace(/\p{Extended_Pictographic}/gu, '') })),
  ),
  broken(
    'round-trip.other-strings',
    'tags of addresses are lost',
    stored((user) => ({ ...user, email: user.email.replace(/\+.*@/, '@') })),
  ),
  broken(
    'round-trip.letters-beyond-ascii',
    'an escape of two parts is two letters that nobody knows',
    (service) => {
      const { parse } = service;
      service.parse = (body) =>
        parse(body.replaceAll(/\\ud[89ab]..\\ud[c-f]../gi, '\\ufffd\\ufffd'));
    },
  ),
];
