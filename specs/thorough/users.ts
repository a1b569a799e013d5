import fc from 'fast-check';
import { type Domain, kind, kinds, members, oneOf, random, type ValueOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { TwinCase, UserCase } from '../../src/plan/steps/users.ts';
import { capitalised, type NewUser, type Own } from '../../src/plan/users.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import { createdOfWords, createdTogether, keptTogether, ofOneEmail, ofOneName } from '../creations-together.ts';
import { PLAIN_NUMBERS, PLAIN_WORDS } from '../plain-users.ts';
import { mayBeRefused } from '../round-trip.ts';
import { asUsual } from './reads.ts';
import { lines, words } from './words.ts';

/** Creations of one user each, the parts of the evidence that they fill, how many a round takes, and what they are made of. */
export const creations = <P>(
  what: string,
  parts: DrawnPart<UserCase>[],
  perRound: number,
  params: Domain<P>,
  toCase: (params: P) => UserCase,
): Topic =>
  topic({
    what,
    params,
    toCase,
    perRound,
    users: 1,
    fills: parts.map((part) => into(part)),
  });

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
const NAME = 40;
const ADDRESS = 64;

const word = oneOf(COMMON, ...CLASSES);
const WRITINGS = { capital: capitalised, small: (word: string) => word, all: (word: string) => word.toUpperCase() };
const writing = oneOf(['capital', 'small', 'capital', 'all']);
const isBehind = oneOf([true, false]);
const beside = (text: string, isBehind: boolean, { word }: Own) => (isBehind ? `${word} ${text}` : `${text} ${word}`);

/** A name of so many characters. */
function nameOfLength(length: number, { word }: Own): string {
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
  third: oneOf([], ...CLASSES),
  fourth: oneOf(COMMON),
  fifth: oneOf([], ...CLASSES),
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

const plain = members({ name: names, local: locals });

const plainUser = ({ name, local }: ValueOf<typeof plain>): UserCase => ({
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

const turned = (text: string, by: string) => text.split(by).reverse().join(by);

/** What the second of two has that is the same as the first one's, or like it. */
const LIKE: Record<string, [member: keyof NewUser, change: (value: string) => string]> = {
  'the same name': ['name', (name) => name],
  'the same name in upper case': ['name', (name) => name.toUpperCase()],
  'the same name in lower case': ['name', (name) => name.toLowerCase()],
  'the same name with an accent': ['name', (name) => name.replace(/[aeiou]/i, '$&\u0301').normalize()],
  'a name of the same words': ['name', (name) => turned(name, ' ')],
  'the beginning of the name': ['name', (name) => name.slice(0, -1)],
  'the same email': ['email', (email) => email],
  'the same email in upper case': ['email', (email) => email.toUpperCase()],
  'the same email with a dot more': ['email', (email) => email.replace(/^(.)/, '$1.')],
  'the same email with a tag': ['email', (email) => email.replace('@', '+x@')],
  'an email of the same words': ['email', (email) => email.replace(/^[^@]+/, (local) => turned(local, '.'))],
  'an email that is one digit longer': ['email', (email) => email.replace('@', '0@')],
};
const isAlikeIn =
  (member: keyof NewUser) =>
  (one: TwinCase): TwinCase[] =>
    LIKE[one.what]?.[0] === member ? [one] : [];

/** How many users who are made one after the other have one email, or one name: where the last of some ends, the next begin. */
const OF_ONE = 4;

const tagOfSeveral = ({ tag }: Own) => tag.replace(/\d+$/, (count) => `${Math.floor(Number(count) / OF_ONE)}`);

const addresses = members({ local: oneOf(SHORT), length: oneOf(['usual', 'longest']) });
const TOGETHER = [createdTogether, keptTogether];
const OF_WORDS = [createdOfWords, keptTogether];

export const users: Topic[] = [
  // With names of their own: a service may take one of them, or all.
  creations('concurrent users with the same email', TOGETHER, 4, asUsual, () =>
    mayBeRefused('the same email, concurrently', { email: (own) => `same.${tagOfSeveral(own)}${own.domain}` }),
  ),
  { ...creations('concurrent plain users', TOGETHER, 44, plain, plainUser), isUsual: true },
];

/** Each of them is about others. */
export const usersWhoAreAlike: Topic[] = [
  creations('concurrent users with the same name', TOGETHER, 4, asUsual, () =>
    mayBeRefused('the same name, concurrently', { name: (own) => `Same ${tagOfSeveral(own)}` }),
  ),
  // An earlier run may have used the name or the address, and a service may want names of its own for each.
  creations('two-word names', OF_WORDS, 8, members({ name: oneOf(TWO_WORDS) }), ({ name }) =>
    mayBeRefused(name, { name: () => name }),
  ),
  creations('one-word addresses', OF_WORDS, 12, addresses, ({ local, length }) =>
    mayBeRefused(`${local} before the at sign`, {
      email: ({ domain }) => local + domain,
      ...(length === 'longest' && { name: (own) => nameOfLength(NAME, own) }),
    }),
  ),
  topic({
    what: 'users who share a name or an email',
    params: members({ first: plain, like: oneOf(Object.keys(LIKE)) }),
    toCase: ({ first, like: what }): TwinCase => {
      const [member, change] = LIKE[what] as (typeof LIKE)[string];
      return { what, like: (user) => ({ [member]: () => change(user[member]) }), first: plainUser(first) };
    },
    perRound: 3,
    users: 2,
    fills: [into(ofOneName, isAlikeIn('name')), into(ofOneEmail, isAlikeIn('email'))],
  }),
];
