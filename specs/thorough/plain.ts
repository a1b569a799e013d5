import fc from 'fast-check';
import { byClass, kinds, members, oneOf, random, type ValueOf } from '../../src/conduct/domain.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import { capitalised, type Own } from '../../src/plan/users.ts';
import { PLAIN_NUMBERS, PLAIN_WORDS } from '../plain-users.ts';
import { lines, words } from './words.ts';

const SMALL = 'abcdefghijklmnopqrstuvwxyz';

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

const writing = oneOf(['Capital', 'small', 'Capital', 'ALL']);

/** Names: most with a word, others with letters at random, with a prefix, or of every length up to the longest. */
const names = kinds(
  {
    word: members({ word: byClass(COMMON, CLASSES), writing }),
    last: members({ word: byClass(COMMON, CLASSES), writing }),
    letters: members({ word: letters(SMALL + SMALL.toUpperCase(), 24) }),
    prefix: members({ prefix: oneOf(['Mac', 'Mc', 'O', 'De', 'Van', 'Le']), word: oneOf(OTHERS), inner: writing }),
    length: members({ length: upTo(NAME - 14, 15) }),
    alike: members({ writing }),
    pair: members({ pair: oneOf(PAIRS), isBehind: oneOf([true, false]) }),
    letter: members({ letter: letters(SMALL + SMALL.toUpperCase(), 1), isBehind: oneOf([true, false]) }),
  },
  [
    ...(['word', 'pair', 'last', 'length', 'pair', 'letters', 'letter'] as const),
    ...(['word', 'pair', 'prefix', 'pair', 'last', 'alike'] as const),
  ],
);

export function nameOf(one: ValueOf<typeof names>, own: Own): string {
  if (one.kind === 'length') {
    const filled = (SMALL + SMALL).slice(0, Math.max(1, one.length - own.word.length - 1));
    return `${own.word} ${capitalised(filled)}`;
  }
  if (one.kind === 'letter') return one.isBehind ? `${own.word} ${one.letter}` : `${one.letter} ${own.word}`;
  if (one.kind === 'pair') return one.isBehind ? own.word + one.pair.toLowerCase() : one.pair + own.word.toLowerCase();
  if (one.kind === 'alike') return `${own.word} ${one.writing === 'ALL' ? own.word.toUpperCase() : own.word}`;
  const word =
    one.kind === 'prefix'
      ? one.prefix + (one.inner === 'small' ? one.word : capitalised(one.word)).slice(0, 18)
      : one.word;
  const written =
    !('writing' in one) || one.writing === 'small'
      ? word
      : one.writing === 'ALL'
        ? word.toUpperCase()
        : capitalised(word);
  return one.kind === 'last' ? `${own.word} ${written}` : `${written} ${own.word}`;
}

/** Whether the run's own part is behind the words. */
const isBehind = oneOf([true, true, false]);
const TURNS = [
  ...(['words', 'number', 'words', 'end', 'words', 'length', 'words'] as const),
  ...(['words', 'words', 'initials', 'number', 'random'] as const),
];

const FURTHER = {
  second: byClass(COMMON, CLASSES),
  third: byClass([], CLASSES),
  fourth: oneOf(COMMON),
  fifth: byClass([], CLASSES),
};

/** Addresses: of some words, of what looks like a number, of letters and digits at random, of initials, of every length. */
const locals = kinds(
  {
    words: members({ first: oneOf(COMMON), ...FURTHER, isBehind }),
    number: members({ number: oneOf(PLAIN_NUMBERS) }),
    random: members({ letters: letters(`${SMALL}0123456789`, 20) }),
    initials: members({ letters: letters(SMALL, 12), isBehind }),
    length: members({ length: upTo(ADDRESS - 29, 30) }),
    digits: members({ as: oneOf(['digits', 'hex', 'exponent', 'octal', 'fraction']) }),
    joined: members({}),
    end: members({ end: oneOf(words('ends')) }),
  },
  [...TURNS, 'length', 'digits', ...TURNS, 'digits', ...TURNS, 'joined', 'digits'],
);

/** A number of the user's own, in ways in which a program may read one. */
const NUMBERS: Record<'digits' | 'hex' | 'exponent' | 'octal' | 'fraction', (digits: string) => string> = {
  digits: (digits) => digits,
  hex: (digits) => `0x${BigInt(digits).toString(16)}`,
  exponent: (digits) => `${digits}e5`,
  octal: (digits) => `0${BigInt(digits).toString(8)}`,
  fraction: (digits) => `${digits}.50`,
};

function localOf(one: ValueOf<typeof locals>, { tag, domain, digits }: Own): string {
  if (one.kind === 'digits') return NUMBERS[one.as](digits);
  if (one.kind === 'joined') return tag.replaceAll('.', '');
  if (one.kind === 'end') return `${tag}.${one.end}`;
  if (one.kind === 'random') return `${one.letters}.${tag}`;
  if (one.kind === 'length') {
    const left = one.length - tag.length - domain.length - 1;
    return left > 0 ? `${(SMALL + SMALL).slice(0, left)}.${tag}` : tag;
  }
  const room = ADDRESS - tag.length - domain.length - 1;
  const text =
    one.kind === 'number'
      ? one.number
      : one.kind === 'initials'
        ? [...one.letters].join('.')
        : asManyAsFit([one.first, one.second, one.third, one.fourth, one.fifth], room);
  const small = text.toLowerCase();
  return !('isBehind' in one) || one.isBehind ? `${small}.${tag}` : `${tag}.${small}`;
}

function asManyAsFit([first = '', ...more]: string[], room: number): string {
  return more.reduce((all, word) => (all.length + word.length < room ? `${all}.${word}` : all), first);
}

export const plain = members({ name: names, local: locals });

export const plainUser = ({ name, local }: ValueOf<typeof plain>): UserCase => ({
  what: 'a plain user',
  fate: 'must',
  kind: {
    what: 'a plain user',
    name: (own) => nameOf(name, own).slice(0, NAME).trim(),
    email: (own) => {
      const address = `${localOf(local, own)}${own.domain}`;
      return address.length > ADDRESS ? `${own.tag}${own.domain}` : address;
    },
  },
});
