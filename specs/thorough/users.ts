import fc from 'fast-check';
import { byClass, kinds, members, oneOf, random, type ValueOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { TwinCase, UserCase } from '../../src/plan/steps/users.ts';
import { capitalised, type Own } from '../../src/plan/users.ts';
import { createdOfWords, createdTogether, keptTogether, ofOneEmail, ofOneName } from '../creations-together.ts';
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
const TWO_WORDS = lines('two-words');
/** Those that are words. */
const PAIRS = TWO_WORDS.filter((pair) => pair.length > 3);
const CLASSES = [...lines('other').map((line) => line.split(' ')), ...PLAIN_WORDS];
const OTHERS = CLASSES.flat();

/** The shortest addresses, and those of which nothing tells that a run has made them. */
const SHORT = [...new Set([...SMALL, ...COMMON, ...CLASSES.flatMap((some) => some.slice(0, 8)), ...PLAIN_NUMBERS])].map(
  (one) => one.toLowerCase(),
);

/** Plain names and addresses: what every service must take as it is (at most 40 and 64 characters). */
const [NAME, ADDRESS] = [40, 64];

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

function nameOf(one: ValueOf<typeof names>, own: Own): string {
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

const plain = members({ name: names, local: locals });

const plainUser = ({ name, local }: ValueOf<typeof plain>): UserCase => ({
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

const turned = (text: string, by: string) => text.split(by).reverse().join(by);
const inLocal = (change: (local: string) => string) => (email: string) =>
  `${change(email.slice(0, email.lastIndexOf('@')))}${email.slice(email.lastIndexOf('@'))}`;

/** What the second of two shares with the first, or is like in. */
const LIKE: Record<string, TwinCase['like']> = {
  'the same name': ({ name }) => ({ name: () => name }),
  'the same name in capital letters': ({ name }) => ({ name: () => name.toUpperCase() }),
  'the same name in small letters': ({ name }) => ({ name: () => name.toLowerCase() }),
  'a name of the same words': ({ name }) => ({ name: () => turned(name, ' ') }),
  'the beginning of the name': ({ name }) => ({ name: () => name.slice(0, -1) }),
  'the same email': ({ email }) => ({ email: () => email }),
  'the same email in upper case': ({ email }) => ({ email: () => email.toUpperCase() }),
  'the same email with a dot more': ({ email }) => ({ email: () => email.replace(/^(.)/, '$1.') }),
  'the same email with a tag': ({ email }) => ({ email: () => email.replace('@', '+x@') }),
  'an email of the same words': ({ email }) => ({ email: () => inLocal((local) => turned(local, '.'))(email) }),
  'an email that is one digit longer': ({ email }) => ({ email: () => inLocal((local) => `${local}0`)(email) }),
};
const ofName = ({ what }: TwinCase) => what.includes('name');

/** How many users who are made one after the other have one email: where the last of some ends, the next begin. */
const OF_ONE_EMAIL = 4;

/** One of several who have the same email, and names of their own: a service may take one of them, or all. */
const ofSameEmail: UserCase = {
  what: 'one email at the same time',
  fate: 'may',
  kind: {
    what: 'one email at the same time',
    email: ({ tag, domain }) =>
      `same.${tag.replace(/\d+$/, (count) => `${Math.floor(Number(count) / OF_ONE_EMAIL)}`)}${domain}`,
  },
};

export const users: Topic[] = [
  topic({
    what: 'users of one email at the same time',
    params: members({ written: oneOf(['as usual']) }),
    toCase: (): UserCase => ({ ...ofSameEmail }),
    perRound: 4,
    users: 1,
    fills: [into(createdTogether), into(keptTogether)],
  }),
  topic({
    what: 'plain users at the same time',
    params: plain,
    toCase: plainUser,
    perRound: 44,
    users: 1,
    isUsual: true,
    fills: [into(createdTogether), into(keptTogether)],
  }),
  topic({
    what: 'plain users of two known words',
    params: members({ name: oneOf(TWO_WORDS) }),
    // An earlier run may have used the name, and a service may want names of its own for each: it may refuse these.
    toCase: ({ name }): UserCase => ({ what: name, fate: 'may', kind: { what: name, name: () => name } }),
    perRound: 8,
    users: 1,
    fills: [into(createdOfWords), into(keptTogether)],
  }),
  topic({
    what: 'plain addresses of one known word',
    params: members({ local: oneOf(SHORT), length: oneOf(['usual', 'longest']) }),
    // An earlier run may have used it.
    toCase: ({ local, length }): UserCase => ({
      what: `${local} before the at sign`,
      fate: 'may',
      kind: {
        what: `${local} before the at sign`,
        email: ({ domain }) => local + domain,
        ...(length === 'longest' && { name: (own: Own) => nameOf({ kind: 'length', length: NAME }, own) }),
      },
    }),
    perRound: 12,
    users: 1,
    fills: [into(createdOfWords), into(keptTogether)],
  }),
  topic({
    what: 'users who share a name or an email',
    params: members({ first: plain, like: oneOf(Object.keys(LIKE)) }),
    toCase: ({ first, like }): TwinCase => ({
      what: like,
      like: LIKE[like] as TwinCase['like'],
      first: plainUser(first),
    }),
    perRound: 3,
    users: 2,
    fills: [
      into(ofOneName, (one: TwinCase) => (ofName(one) ? [one] : [])),
      into(ofOneEmail, (one: TwinCase) => (ofName(one) ? [] : [one])),
    ],
  }),
];
