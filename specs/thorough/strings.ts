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

/** Where a text stands in a name. A service that cuts something off cuts it off at the end. */
const PLACES: Record<string, (text: string, own: OwnParts) => string> = {
  'after the name': (text, { name }) => `${name} ${text}`,
  alone: (text) => text,
  'directly before the name': (text, { name }) => text + name,
  'before the name': (text, { name }) => `${text} ${name}`,
  'within the name': (text, { name }) => name.replace(' ', text),
};

const named = (text: string, place: string): Case =>
  unusual(`${describe(text)} ${place}`, { name: (own) => PLACES[place]?.(text, own) ?? text });

const describe = (text: string) =>
  text.length > 40
    ? `${text.length} characters like ${JSON.stringify(text.slice(0, 20))}`
    : JSON.stringify(text);

const isLetter = (text: string) => /^\p{L}$/u.test(text) && text.normalize('NFC') === text;
/** Vowels and tones are signs of their own in some scripts. */
const isOfLetters = (text: string) =>
  /^\p{L}[\p{L}\p{M}]*( \p{L}[\p{L}\p{M}]*)*$/u.test(text) && text.normalize('NFC') === text;

/** Letters that compose to themselves (NFC), of many scripts and planes. */
const RANGES: [from: number, to: number][] = [
  ...([
    [0xc0, 0x24f],
    [0x250, 0x2af],
    [0x370, 0x3ff],
    [0x400, 0x52f],
    [0x531, 0x587],
  ] as const),
  ...([
    [0x5d0, 0x5ea],
    [0x620, 0x64a],
    [0x671, 0x6d3],
    [0x904, 0x939],
    [0x985, 0x9b9],
  ] as const),
  ...([
    [0xe01, 0xe30],
    [0x10d0, 0x10fa],
    [0x1200, 0x1248],
    [0x13a0, 0x13f5],
  ] as const),
  ...([
    [0x1e00, 0x1eff],
    [0x1f00, 0x1fff],
    [0x2c00, 0x2c5f],
    [0x3041, 0x3096],
  ] as const),
  ...([
    [0x30a1, 0x30fa],
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xa000, 0xa48c],
  ] as const),
  ...([
    [0xac00, 0xd7a3],
    [0x3131, 0x318e],
    [0xfb00, 0xfb06],
    [0xfb50, 0xfbb1],
  ] as const),
  ...([
    [0xfe80, 0xfefc],
    [0xff66, 0xffdc],
    [0xff21, 0xff5a],
    [0x10000, 0x1000b],
  ] as const),
  ...([
    [0x10330, 0x1034a],
    [0x10400, 0x1044f],
    [0x1d400, 0x1d454],
  ] as const),
  ...([
    [0x20000, 0x2a6df],
    [0x2a700, 0x2b738],
    [0x30000, 0x3134a],
  ] as const),
].map(([from, to]) => [from, to]);

/**
 * Letters that code pages, case mapping, collation and normalization treat in a way of their own.
 */
const SPECIAL = [
  ...'ßẞıİŁłØøÆæŒœÐðÞþŠšŽžÿŸµªºΩÅ',
  ...'Σςσĳŉſǅǆʼnﬁﬀ㐀𠮷𩸽𝒜𐐀𐍈가힣あんアンЁёҐ',
  ...'ґאתءيㄱㅏﻻﷲﭏ國學龍馬體臺廣澤邊齋髙發萬與櫻黃劉張',
].filter(isLetter);

const ofRange = ([from, to]: [number, number]) =>
  fc
    .integer({ min: from, max: to })
    .map((code) => String.fromCodePoint(code))
    .filter(isLetter);

/** Some letters of one range: they are many, so that most of the range comes in a run. */
const ofOneRange = fc
  .constantFrom(...RANGES)
  .chain((range) => fc.array(ofRange(range), { minLength: 1, maxLength: 12 }));
const ofAnyRange = fc.array(fc.oneof(...RANGES.map(ofRange)), { minLength: 1, maxLength: 25 });
const special = fc.array(fc.constantFrom(...SPECIAL), { minLength: 1, maxLength: 20 });
/** All letters of Latin beyond ASCII: most names have some of them. */
const LATIN = Array.from({ length: 0x250 - 0xc0 }, (_, at) =>
  String.fromCodePoint(0xc0 + at),
).filter(isLetter);
const latin = fc.array(fc.constantFrom(...LATIN), { minLength: 20, maxLength: 60 });
/** One letter again and again. */
const repeated = fc
  .tuple(fc.oneof(...RANGES.map(ofRange)), fc.constantFrom(2, 5, 9, 17, 30))
  .map(([letter, times]) => Array<string>(times).fill(letter));

const someLetters = fc
  .oneof(
    { weight: 4, arbitrary: ofOneRange },
    { weight: 2, arbitrary: ofAnyRange },
    { weight: 2, arbitrary: special },
    { weight: 2, arbitrary: latin },
    { weight: 1, arbitrary: repeated },
  )
  .map((all) => all.join(''))
  .filter(isOfLetters);

/**
 * Names of each script: some scripts end them with vowels and tones that are signs of their own.
 */
const scripts: Case[] = SCRIPTS.flatMap((names) => [
  named(names.slice(0, 4).join(' '), 'alone'),
  ...names.map((name) => named(name, 'after the name')),
]);

const letters = fc.oneof(
  { weight: 2, arbitrary: someLetters.map((text) => named(text, 'after the name')) },
  { weight: 1, arbitrary: someLetters.map((text) => named(text, 'alone')) },
);

/** Characters, or bytes, around the lengths of columns, buffers and blocks. */
const LENGTHS = [
  32, 64, 100, 128, 255, 256, 300, 500, 512, 1000, 1024, 2000, 2048, 4096, 5000, 8192, 16_384,
  32_768, 65_536,
];
const UNITS = ['x', 'é', '山', '𠮷'];

/** A name of so many bytes in all. */
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

/** The very long names: a few, because each makes every list longer. */
const LONGEST = 66_000;
const exactBytes: Case[] = LENGTHS.filter((length) => length <= 4096).map((length) =>
  ofBytes('x', length),
);
const letterBytes: Case[] = ['é', '山', '𠮷'].flatMap((unit) =>
  LENGTHS.filter((length) => length <= 1024).map((length) => ofBytes(unit, length)),
);
const veryLong: Case[] = [ofBytes('x', LONGEST), ofBytes('山', 10_000)];

/** Texts that services often reject: one of them would hide the others. */
const isControl = (text: string) => /[\p{Cc}\u2028\u2029\ufeff]/u.test(text);
const HARMLESS = TEXTS.filter((text) => !isControl(text));

const texts: Case[] = TEXTS.flatMap((text) => [
  named(text, 'alone'),
  ...(text.trim() === text ? [named(text, 'after the name')] : []),
  named(text, 'within the name'),
]);

const severalTexts = fc
  .record({
    texts: fc.subarray(HARMLESS, { minLength: 1, maxLength: 7 }),
    place: fc.constantFrom(...Object.keys(PLACES)),
  })
  .map(({ texts: some, place }) => named(some.join(' '), place));

const anyText = fc
  .record({
    text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    place: fc.constantFrom(...Object.keys(PLACES)),
  })
  .filter(({ text }) => text.isWellFormed())
  .map(({ text, place }) => named(text, place));

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
