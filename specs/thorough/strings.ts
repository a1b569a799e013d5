import fc from 'fast-check';
import {
  asUsual,
  type Case,
  CREATE,
  type OwnParts,
  type UserKind,
} from '../../src/requirement/case.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { SCRIPTS } from '../scripts.ts';
import { TEXTS } from './texts.ts';

/** A user whom the service may reject, but not change. */
const unusual = (name: string, user: UserKind): Case => ({
  name,
  operation: CREATE,
  phase: 'valid',
  expected: 'either',
  user,
  change: asUsual,
});

/** Places of a text in a name. A service that truncates names truncates them at the end. */
const PLACES: Record<string, (text: string, own: OwnParts) => string> = {
  'after the name': (text, { name }) => `${name} ${text}`,
  alone: (text) => text,
  'directly before the name': (text, { name }) => text + name,
  'before the name': (text, { name }) => `${text} ${name}`,
  'within the name': (text, { name }) => name.replace(' ', text),
};

const withText = (text: string, place: string): Case =>
  unusual(`${describe(text)} ${place}`, { name: (own) => PLACES[place]?.(text, own) ?? text });

const describe = (text: string) =>
  text.length > 40
    ? `${text.length} characters like ${JSON.stringify(text.slice(0, 20))}`
    : JSON.stringify(text);

const isLetter = (text: string) => /^\p{L}$/u.test(text) && text.normalize('NFC') === text;

/** Whether a text has only letters, and the marks by which some scripts write vowels and tones. */
const hasOnlyLetters = (text: string) =>
  /^\p{L}[\p{L}\p{M}]*( \p{L}[\p{L}\p{M}]*)*$/u.test(text) && text.normalize('NFC') === text;

/** Ranges of letters of many scripts and planes. */
const RANGES: [from: number, to: number][] = [
  [0xc0, 0x24f],
  [0x250, 0x2af],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x531, 0x587],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x671, 0x6d3],
  [0x904, 0x939],
  [0x985, 0x9b9],
  [0xe01, 0xe30],
  [0x10d0, 0x10fa],
  [0x1200, 0x1248],
  [0x13a0, 0x13f5],
  [0x1e00, 0x1eff],
  [0x1f00, 0x1fff],
  [0x2c00, 0x2c5f],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa48c],
  [0xac00, 0xd7a3],
  [0x3131, 0x318e],
  [0xfb00, 0xfb06],
  [0xfb50, 0xfbb1],
  [0xfe80, 0xfefc],
  [0xff66, 0xffdc],
  [0xff21, 0xff5a],
  [0x10000, 0x1000b],
  [0x10330, 0x1034a],
  [0x10400, 0x1044f],
  [0x1d400, 0x1d454],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b738],
  [0x30000, 0x3134a],
];

/** Letters that code pages, case mapping, collation or normalization treat in a special way. */
const SPECIAL = [
  ...'ßẞıİŁłØøÆæŒœÐðÞþŠšŽžÿŸµªºΩÅ',
  ...'Σςσĳŉſǅǆʼnﬁﬀ㐀𠮷𩸽𝒜𐐀𐍈가힣あんアンЁёҐ',
  ...'ґאתءيㄱㅏﻻﷲﭏ國學龍馬體臺廣澤邊齋髙發萬與櫻黃劉張',
].filter(isLetter);

const letterOf = ([from, to]: [number, number]) =>
  fc
    .integer({ min: from, max: to })
    .map((code) => String.fromCodePoint(code))
    .filter(isLetter);

const lettersOfOneRange = fc
  .constantFrom(...RANGES)
  .chain((range) => fc.array(letterOf(range), { minLength: 1, maxLength: 12 }));
const lettersOfAnyRange = fc.array(fc.oneof(...RANGES.map(letterOf)), {
  minLength: 1,
  maxLength: 25,
});
const specialLetters = fc.array(fc.constantFrom(...SPECIAL), { minLength: 1, maxLength: 20 });

/** The Latin letters outside ASCII, the most frequent in names. */
const LATIN = Array.from({ length: 0x250 - 0xc0 }, (_, at) =>
  String.fromCodePoint(0xc0 + at),
).filter(isLetter);
const latinLetters = fc.array(fc.constantFrom(...LATIN), { minLength: 20, maxLength: 60 });
const repeatedLetter = fc
  .tuple(fc.oneof(...RANGES.map(letterOf)), fc.constantFrom(2, 5, 9, 17, 30))
  .map(([letter, times]) => Array<string>(times).fill(letter));

const someLetters = fc
  .oneof(
    { weight: 4, arbitrary: lettersOfOneRange },
    { weight: 2, arbitrary: lettersOfAnyRange },
    { weight: 2, arbitrary: specialLetters },
    { weight: 2, arbitrary: latinLetters },
    { weight: 1, arbitrary: repeatedLetter },
  )
  .map((chosen) => chosen.join(''))
  .filter(hasOnlyLetters);

/** Names of each script. In some scripts they end with a combining mark. */
const scripts: Case[] = SCRIPTS.flatMap((names) => [
  withText(names.slice(0, 4).join(' '), 'alone'),
  ...names.map((name) => withText(name, 'after the name')),
]);

const letters = fc.oneof(
  { weight: 2, arbitrary: someLetters.map((text) => withText(text, 'after the name')) },
  { weight: 1, arbitrary: someLetters.map((text) => withText(text, 'alone')) },
);

/** Usual lengths of columns, buffers and blocks, in bytes. */
const LENGTHS = [
  32, 64, 100, 128, 255, 256, 300, 500, 512, 1000, 1024, 2000, 2048, 4096, 5000, 8192, 16_384,
  32_768, 65_536,
];
const UNITS = ['x', 'é', '山', '𠮷'];

/** A name of a number of bytes that ends with a character, as often as it fits. */
const ofBytes = (unit: string, bytes: number): Case =>
  unusual(`a name of ${bytes} bytes that ends with ${unit}`, {
    name: ({ name }) => {
      const left = bytes - Buffer.byteLength(`${name} `);
      const times = Math.max(1, Math.floor(left / Buffer.byteLength(unit)));
      const filler = 'x'.repeat(Math.max(0, left - times * Buffer.byteLength(unit)));
      return `${name} ${filler}${unit.repeat(times)}`;
    },
  });

const lengthsOf = (units: string[], most: number) =>
  fc
    .record({
      unit: fc.constantFrom(...units),
      length: fc.constantFrom(...LENGTHS.filter((length) => length <= most)),
      more: fc.integer({ min: -1, max: 1 }),
    })
    .map(({ unit, length, more }) => ofBytes(unit, length + more));

const exactBytes: Case[] = LENGTHS.filter((length) => length <= 4096).map((length) =>
  ofBytes('x', length),
);
const letterBytes: Case[] = ['é', '山', '𠮷'].flatMap((unit) =>
  LENGTHS.filter((length) => length <= 1024).map((length) => ofBytes(unit, length)),
);
// Each very long name makes every later list longer, so there are only two.
const veryLong: Case[] = [ofBytes('x', 66_000), ofBytes('山', 10_000)];

/**
 * Texts without control characters, which services often reject: one of those would hide the other
 * texts.
 */
const HARMLESS_TEXTS = TEXTS.filter((text) => !/[\p{Cc}\u2028\u2029\ufeff]/u.test(text));

const texts: Case[] = TEXTS.flatMap((text) => [
  withText(text, 'alone'),
  ...(text.trim() === text ? [withText(text, 'after the name')] : []),
  withText(text, 'within the name'),
]);

const severalTexts = fc
  .record({
    texts: fc.subarray(HARMLESS_TEXTS, { minLength: 1, maxLength: 7 }),
    place: fc.constantFrom(...Object.keys(PLACES)),
  })
  .map(({ texts: chosen, place }) => withText(chosen.join(' '), place));

const anyText = fc
  .record({
    text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    place: fc.constantFrom(...Object.keys(PLACES)),
  })
  .filter(({ text }) => text.isWellFormed())
  .map(({ text, place }) => withText(text, place));

const ADDRESSES: UserKind['email'][] = [
  ({ local, domain }) => `${local}+a+b${domain}`,
  ({ tag, domain }) => `UPPER.${tag}${domain}`,
  ({ local, domain }) => `${local}_x-y${domain}`,
  ({ local, domain }) => `o'${local}${domain}`,
  ({ local, domain }) => `"${local}"${domain}`,
  ({ local, domain }) => `${local}%41${domain}`,
  ({ tag, domain }) => `ü.${tag}${domain}`,
  ({ local, domain }) => `${local}${'x'.repeat(60)}${domain}`,
  ({ local, domain }) => ` ${local}${domain} `,
];
const addresses = ADDRESSES.map((email, at) =>
  unusual(`an unusual address, ${at + 1}`, email ? { email } : {}),
);

const EXISTS = 'create.accepted-exists';
const LETTERS = ['round-trip.letters-beyond-ascii', EXISTS];
const OTHERS = ['round-trip.other-strings', EXISTS];

export const strings: DrawnCases[] = [
  { name: 'names of each script', slugs: LETTERS, perRound: 10, tables: [scripts] },
  { name: 'letters', slugs: LETTERS, perRound: 10, cases: letters },
  { name: 'letters of many lengths', slugs: LETTERS, perRound: 3, tables: [letterBytes] },
  { name: 'unusual texts', slugs: OTHERS, perRound: 16, tables: [texts] },
  { name: 'several texts', slugs: OTHERS, perRound: 4, cases: severalTexts },
  { name: 'any text', slugs: OTHERS, perRound: 2, cases: anyText },
  { name: 'names of just so many bytes', slugs: OTHERS, perRound: 2, tables: [exactBytes] },
  { name: 'names of many lengths', slugs: OTHERS, perRound: 2, cases: lengthsOf(UNITS, 8192) },
  { name: 'very long names', slugs: OTHERS, perRound: 1, tables: [veryLong] },
  { name: 'unusual addresses', slugs: OTHERS, perRound: 1, tables: [addresses] },
];
