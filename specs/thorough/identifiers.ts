import { topic } from '../../src/conduct/topic.ts';
import { cases } from '../../src/plan/evidence.ts';
import { kindOf, segmentOf } from '../../src/plan/identifier.ts';
import { unknownIdentifiers } from '../../src/plan/nobody.ts';
import { type LookupCase, lookups } from '../../src/plan/steps/lookups.ts';
import { shuffled, words } from './drawn.ts';

const isInteger = (text: string) => kindOf(text) === 'integer';
const encoded = (text: string): LookupCase => ({ what: 'an odd identifier', segments: () => [segmentOf(text)] });

/** Identifiers of the shape of the known ones that are nobody's: whatever is somebody's after all is left out. */
const shaped: LookupCase[] = [
  ...Array.from({ length: 6 }, () => ({
    what: 'as the known ones',
    segments: (all: string[]) => unknownIdentifiers(all).map(segmentOf),
  })),
  ...[
    2n ** 16n,
    2n ** 31n,
    2n ** 32n,
    2n ** 33n,
    2n ** 53n,
    2n ** 63n,
    2n ** 64n,
    10n ** 6n,
    10n ** 9n,
    10n ** 12n,
    10n ** 20n,
  ].map((step) => ({
    what: 'a known integer plus much',
    segments: ([one = '']: string[]) =>
      isInteger(one) ? [`${BigInt(one) + step}`].filter((text) => !text.startsWith(one)) : [],
  })),
  // A part of a known one; where it is short, it may well be somebody's own.
  ...[0.25, 0.5, 0.75].flatMap((share) => [
    { what: 'the beginning of a known one', segments: ([one = '']: string[]) => partOf(one, 0, share) },
    { what: 'the end of a known one', segments: ([one = '']: string[]) => partOf(one, 1 - share, 1) },
  ]),
  ...[0, 1, 2, 3].map((place) => ({
    what: 'a known one with a character changed at its end',
    segments: ([one = '', ...more]: string[]) => {
      const at = one.length - 1 - place;
      if (isInteger(one) || one.length < 12 || !/[0-9a-f]/.test(one[at] ?? '')) return [];
      const changed = one.slice(0, at) + (one[at] === '0' ? '1' : '0') + one.slice(at + 1);
      return more.includes(changed) ? [] : [segmentOf(changed)];
    },
  })),
  ...[
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '00000000-0000-4000-8000-000000000000',
  ].map((text) => ({
    what: 'a UUID of nobody',
    segments: ([one = '']: string[]) => (kindOf(one) === 'UUID' ? [text] : []),
  })),
];

/** A part of an identifier that is long enough for it to be nobody's. */
function partOf(one: string, from: number, to: number): string[] {
  const part = one.slice(Math.floor(one.length * from), Math.floor(one.length * to));
  return isInteger(one) || part.length < 6 || part === one ? [] : [segmentOf(part)];
}

const ODD = [
  ...[
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-Infinity',
    'None',
    'nil',
    'true',
    'false',
    '[object Object]',
    '[]',
    '{}',
    '()',
  ],
  ...[
    "'",
    '"',
    '`',
    '%',
    '\\',
    '|',
    '^',
    '~',
    '$',
    '&',
    '=',
    '+',
    '#',
    '?',
    ';',
    ',',
    ':',
    '!',
    '<',
    '>',
    '\0',
    '\n',
    '\t',
    ' ',
    '\r\n',
  ],
  ...[
    'é',
    '山',
    '𠮷',
    '👍',
    '\u202e',
    '\ufeff',
    '٣',
    '１',
    'x'.repeat(255),
    'x'.repeat(256),
    'x'.repeat(1024),
    'x'.repeat(4000),
    '9'.repeat(400),
  ],
];
const PATTERNS = [
  ...[
    '*',
    '**',
    '_',
    '__',
    '.*',
    '.+',
    '.',
    '?*',
    '[a-z0-9]*',
    '[^x]*',
    '%%',
    '%_%',
    '^',
    '^.',
    '$',
    '\\d+',
    '\\w+',
    '(.*)',
    '.{1,99}',
    '.|.',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    '__class__',
    'length',
    'keys',
  ],
  ...[
    "x' OR '1'='1",
    "x' OR 'x'='x",
    '0 OR 1=1',
    "' OR ''='",
    '" OR ""="',
    "' OR 1=1--",
    "' OR 1=1#",
    "x') OR ('1'='1",
    "' UNION SELECT * FROM users--",
  ],
  ...[
    '{"$ne":null}',
    '{"$gt":""}',
    '[$ne]',
    '$where',
    '{$ne:1}',
    '*)(uid=*',
    '*)(|(id=*)',
    "' or '1'='1",
    "x'||'1'='1",
    '1=1',
    'x OR TRUE',
  ],
  ...['${id}', '{{id}}', '#{id}', ':id', '{id}', '<id>', '@id', '$id', '%s', '%d', '%(id)s'],
].filter((text) => text !== '.');

/** Places among the users, where no identifier is a number. */
const places = words('1 2 3 10 -1 00 -0 0x1 1.0 1e0 01').map(
  (text): LookupCase => ({
    what: 'a place among the users',
    segments: ([one = '', ...more]) => (isInteger(one) || more.some(isInteger) || one.startsWith('-') ? [] : [text]),
  }),
);

const judgedAs = (slug: string, status: string, what: string, all: LookupCase[], perRound: number) =>
  topic({
    what,
    cases: shuffled(all),
    perRound,
    reads: true,
    judgedBy: {
      [slug]: (drawn: LookupCase[]) => ({ found: cases(lookups, ...drawn) }),
      [status]: (drawn: LookupCase[]) => ({ found: cases(lookups, ...drawn) }),
    },
  });

export const identifiers = [
  judgedAs('retrieve.unknown', 'retrieve.unknown-status', 'identifiers as the known ones', shaped, 10),
  judgedAs('retrieve.odd', 'retrieve.odd-status', 'odd identifiers', ODD.map(encoded), 14),
  judgedAs(
    'retrieve.pattern',
    'retrieve.odd-status',
    'identifiers that are patterns or queries',
    [...PATTERNS.map(encoded), ...places],
    20,
  ),
];
