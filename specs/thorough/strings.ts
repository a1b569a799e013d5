import fc from 'fast-check';
import type { Case, UserKind } from '../../src/requirement/case.ts';
import type { Kind } from '../../src/thorough/draw.ts';
import { unusual } from '../round-trip.ts';
import { SCRIPTS } from '../scripts.ts';
import { invisible, kind, lengths, lines, oneOf, shortened, weighted } from './arbitraries.ts';

/** Names with a text in them. A service that truncates names truncates them at the end. */
const PLACES: Record<string, (text: string, name: string) => string> = {
  'after the name': (text, name) => `${name} ${text}`,
  alone: (text) => text,
  'within the name': (text, name) => name.replace(' ', () => text),
  'before the name': (text, name) => `${text} ${name}`,
  'directly before the name': (text, name) => text + name,
};

/** Draws names with a text at one of the first places. */
const named = (texts: fc.Arbitrary<string>, places: number): fc.Arbitrary<Case> =>
  fc
    .tuple(texts, fc.constantFrom(...Object.entries(PLACES).slice(0, places)))
    .map(([text, [place, put]]) =>
      unusual(`${shortened(JSON.stringify(text))} ${place}`, {
        name: ({ name }) => put(text, name),
      }),
    );

/** Whether a text has only letters, and the marks by which some scripts write vowels and tones. */
const hasOnlyLetters = (text: string) =>
  /^\p{L}[\p{L}\p{M}]*$/u.test(text) && text.normalize('NFC') === text;

/** The first and the last code point of letters in many scripts and planes; Latin comes first. */
const RANGES = lines('letter-ranges').map((range) => {
  const [min, max] = range.split(' ').map((code) => Number.parseInt(code, 16));
  const codes = fc.integer({ min: min ?? 0, max: max ?? 0 });
  return codes.map((code) => String.fromCodePoint(code)).filter(hasOnlyLetters);
});
const [latin = oneOf('é')] = RANGES;
const range = fc.constantFrom(...RANGES);

/** Letters that code pages, case mapping, collation or normalization treat in a special way. */
const special = oneOf(...lines('special-letters').join(''));

const word = (unit: fc.Arbitrary<string>, maxLength: number, minLength = 1) =>
  fc.string({ unit, minLength, maxLength, size: 'max' });

const times = fc.integer({ min: 2, max: 30 });

const letters = weighted(
  [4, range.chain((unit) => word(unit, 12))],
  [2, word(fc.oneof(...RANGES), 25)],
  [2, word(special, 20)],
  // Latin letters outside ASCII are the most frequent in names.
  [2, word(latin, 60, 20)],
  [1, range.chain((unit) => fc.tuple(unit, times)).map(([unit, count]) => unit.repeat(count))],
).filter(hasOnlyLetters);

/** Draws names of each script. In some scripts they end with a combining mark. */
const scriptName = oneOf(...SCRIPTS.flat());

/** Draws a name of a number of bytes that ends with a character, as often as it fits. */
const ofBytes = (units: string, bytes: fc.Arbitrary<number>): fc.Arbitrary<Case> =>
  fc.tuple(oneOf(...units), bytes).map(([unit, length]) => {
    const size = Buffer.byteLength(unit);
    return unusual(`a name of ${length} bytes that ends with ${unit}`, {
      name: ({ name }) => {
        const left = length - Buffer.byteLength(`${name} `);
        const times = Math.max(1, Math.floor(left / size));
        return `${name} ${'x'.repeat(Math.max(0, left - times * size))}${unit.repeat(times)}`;
      },
    });
  });

/** Texts that loaders, filters, fonts or terminals may interpret. */
const TEXTS = lines('texts');

/** Draws several of them. Services often reject invisible characters, which would hide the others. */
const someTexts = fc
  .subarray(TEXTS, { minLength: 1, maxLength: 7 })
  .map((chosen) => chosen.join(' '));

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });

const ADDRESSES: Record<string, NonNullable<UserKind['email']>> = {
  'two tags': ({ local, domain }) => `${local}+a+b${domain}`,
  capitals: ({ tag, domain }) => `UPPER.${tag}${domain}`,
  signs: ({ local, domain }) => `${local}_x-y%41${domain}`,
  'an apostrophe': ({ local, domain }) => `o'${local}${domain}`,
  quotes: ({ local, domain }) => `"${local}"${domain}`,
  'a letter outside ASCII': ({ tag, domain }) => `ü.${tag}${domain}`,
  'more characters than usual': ({ local, domain }) => `${local}${'x'.repeat(60)}${domain}`,
  'outer spaces': ({ local, domain }) => ` ${local}${domain} `,
};

const address = fc
  .constantFrom(...Object.entries(ADDRESSES))
  .map(([description, email]) => unusual(`an address with ${description}`, { email }));

const EXISTS = 'create.accepted-exists';
const LETTERS = ['round-trip.letters-beyond-ascii', EXISTS];
const OTHERS = ['round-trip.other-strings', EXISTS];

export const strings: Kind<Case>[] = [
  kind('names of each script', LETTERS, 10, named(scriptName, 2)),
  kind('letters', LETTERS, 10, named(letters, 2)),
  kind('letters of many lengths', LETTERS, 3, ofBytes('é山𠮷', lengths(32, 1024))),
  kind(
    'texts',
    OTHERS,
    18,
    named(weighted([5, oneOf(...TEXTS)], [1, invisible], [1, oneOf('  ', '\r\n')]), 3),
  ),
  kind('several texts', OTHERS, 6, named(weighted([2, someTexts], [1, anyText]), 5)),
  kind(
    'names of many lengths',
    OTHERS,
    4,
    weighted([2, ofBytes('x', lengths(32, 4096))], [1, ofBytes('é山𠮷', lengths(32, 8192))]),
  ),
  // Each very long name makes every later list longer, so there is one in a round.
  kind(
    'very long names',
    OTHERS,
    1,
    fc.oneof(ofBytes('x', fc.constant(66_000)), ofBytes('山', fc.constant(10_000))),
  ),
  kind('unusual addresses', OTHERS, 1, address),
];
