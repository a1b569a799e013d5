import fc from 'fast-check';
import { byClass, kind, kinds, members, oneOf, random, type ValueOf } from '../../src/conduct/domain.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import { capitalised, type Own } from '../../src/plan/users.ts';
import { PLAIN_NUMBERS, PLAIN_WORDS } from '../plain-users.ts';
import { lines, words } from './words.ts';

const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const BOTH = SMALL + SMALL.toUpperCase();

/** Letters at random. */
const letters = (alphabet: string, most: number) =>
  random<string>(
    fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: most }),
    (value) =>
      typeof value === 'string' &&
      value.length > 0 &&
      value.length <= most &&
      [...value].every((one) => alphabet.includes(one)),
  );
const upTo = (count: number, from: number) => oneOf(Array.from({ length: count }, (_, index) => from + index));

/** Words that loaders, queries, filters and templates take for something else; as a part of a name they are plain. */
const COMMON = words('common');
export const TWO_WORDS = lines('two-words');
/** Those that are words. */
const PAIRS = TWO_WORDS.filter((pair) => pair.length > 3);
const CLASSES = [...lines('other').map((line) => line.split(' ')), ...PLAIN_WORDS];
const OTHERS = CLASSES.flat();

/** The shortest addresses, and those of which nothing tells that a run has made them. */
export const SHORT = [
  ...new Set([...SMALL, ...COMMON, ...CLASSES.flatMap((some) => some.slice(0, 8)), ...PLAIN_NUMBERS]),
].map((one) => one.toLowerCase());

/** Plain names and addresses: what every service must take as it is (at most 40 and 64 characters). */
export const NAME = 40;
const ADDRESS = 64;

const word = byClass(COMMON, CLASSES);
const WRITINGS = { capital: capitalised, small: (word: string) => word, all: (word: string) => word.toUpperCase() };
const writing = oneOf(['capital', 'small', 'capital', 'all']);
const isBehind = oneOf([true, false]);
const beside = (text: string, isBehind: boolean, { word }: Own) => (isBehind ? `${word} ${text}` : `${text} ${word}`);

/** A name of so many characters. */
export function nameOfLength(length: number, { word }: Own): string {
  return `${word} ${capitalised((SMALL + SMALL).slice(0, Math.max(1, length - word.length - 1)))}`;
}

/** Names: most with a word, others with letters at random, with a prefix, or of every length up to the longest. */
const names = kinds<Own>({
  first: kind(2, { word, writing }, ({ word, writing }, own) => beside(WRITINGS[writing](word), false, own)),
  last: kind(2, { word, writing }, ({ word, writing }, own) => beside(WRITINGS[writing](word), true, own)),
  pair: kind(4, { pair: oneOf(PAIRS), isBehind }, ({ pair, isBehind }, { word }) =>
    isBehind ? word + pair.toLowerCase() : pair + word.toLowerCase(),
  ),
  letters: kind(1, { text: letters(BOTH, 24) }, ({ text }, own) => beside(text, false, own)),
  letter: kind(1, { text: letters(BOTH, 1), isBehind }, ({ text, isBehind }, own) => beside(text, isBehind, own)),
  length: kind(1, { length: upTo(NAME - 14, 15) }, ({ length }, own) => nameOfLength(length, own)),
  alike: kind(1, { writing }, ({ writing }, own) => `${own.word} ${WRITINGS[writing](own.word)}`),
  prefix: kind(1, { prefix: oneOf(['Mac', 'Mc', 'O', 'De', 'Van', 'Le']), word: oneOf(OTHERS), writing }, (one, own) =>
    beside(one.prefix + WRITINGS[one.writing](one.word).slice(0, 18), false, own),
  ),
});

/** Whether the run's own part is behind the words. */
const isTagBehind = oneOf([true, true, false]);
const withTag = (text: string, isTagBehind: boolean, { tag }: Own) =>
  isTagBehind ? `${text.toLowerCase()}.${tag}` : `${tag}.${text.toLowerCase()}`;

/** A number of the user's own, in ways in which a program may read one. */
const NUMBERS: Record<string, (digits: string) => string> = {
  digits: (digits) => digits,
  hex: (digits) => `0x${BigInt(digits).toString(16)}`,
  exponent: (digits) => `${digits}e5`,
  octal: (digits) => `0${BigInt(digits).toString(8)}`,
  fraction: (digits) => `${digits}.50`,
};

const WORDS = {
  first: oneOf(COMMON),
  second: word,
  third: byClass([], CLASSES),
  fourth: oneOf(COMMON),
  fifth: byClass([], CLASSES),
};

/** Addresses: of some words, of what looks like a number, of letters and digits at random, of initials, of every length. */
const locals = kinds<Own>({
  words: kind(18, { ...WORDS, isTagBehind }, ({ isTagBehind, ...words }, own) =>
    withTag(asManyAsFit(Object.values(words), ADDRESS - own.tag.length - own.domain.length - 1), isTagBehind, own),
  ),
  number: kind(6, { number: oneOf(PLAIN_NUMBERS) }, ({ number }, own) => withTag(number, true, own)),
  random: kind(3, { letters: letters(`${SMALL}0123456789`, 20) }, ({ letters }, own) => withTag(letters, true, own)),
  initials: kind(3, { letters: letters(SMALL, 12), isTagBehind }, ({ letters, isTagBehind }, own) =>
    withTag([...letters].join('.'), isTagBehind, own),
  ),
  length: kind(4, { length: upTo(ADDRESS - 29, 30) }, ({ length }, { tag, domain }) => {
    const left = length - tag.length - domain.length - 1;
    return left > 0 ? `${(SMALL + SMALL).slice(0, left)}.${tag}` : tag;
  }),
  digits: kind(3, { as: oneOf(Object.keys(NUMBERS)) }, ({ as }, { digits }) => NUMBERS[as]?.(digits) ?? digits),
  tag: kind(1, {}, (_, { tag }) => tag),
  end: kind(3, { end: oneOf(words('ends')) }, ({ end }, { tag }) => `${tag}.${end}`),
});

function asManyAsFit([first = '', ...more]: string[], room: number): string {
  return more.reduce((all, word) => (all.length + word.length < room ? `${all}.${word}` : all), first);
}

export const plain = members({ name: names, local: locals });

export const plainUser = ({ name, local }: ValueOf<typeof plain>): UserCase => ({
  what: 'a plain user',
  fate: 'must',
  kind: {
    what: 'a plain user',
    name: (own) => names.textOf(name, own).slice(0, NAME).trim(),
    email: (own) => {
      const address = `${locals.textOf(local, own)}${own.domain}`;
      return address.length > ADDRESS ? `${own.tag}${own.domain}` : address;
    },
  },
});
