import fc from 'fast-check';
import { into, lists, members, oneOf, random, textsMade, topic, type Whole, way } from '../../src/conduct/topic.ts';
import type { TwinCase, UserCase } from '../../src/plan/steps/users.ts';
import { capitalised, type NewUser, type Own } from '../../src/plan/users.ts';
import { createdOfWords, createdTogether, keptTogether, ofOneEmail, ofOneName, twin } from '../creations-together.ts';
import { PLAIN_NUMBERS, PLAIN_WORDS, withAddress, withName } from '../plain-users.ts';
import { mayBeRefused } from '../round-trip.ts';
import { lines, words } from '../words.ts';
import { asUsual } from './reads.ts';

const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const BOTH = SMALL + SMALL.toUpperCase();

/** Letters at random. */
const letters = (alphabet: string, most: number) =>
  random(fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: most }));
/** The first letters of the alphabet, so many. */
const alphabet = (from: number, to: number) =>
  oneOf(Array.from({ length: to - from + 1 }, (_, index) => (SMALL + SMALL).slice(0, from + index)));

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
const beside = (text: string, isBehind: boolean) => (isBehind ? `{word} ${text}` : `${text} {word}`);

/** A text with what is a user's own in the place of the marks that stand for it. */
export function filled(text: string, own: Own): string {
  const { digits, name, word } = own;
  const [first = '', last = ''] = name.split(' ');
  const numbers = { hex: BigInt(digits).toString(16), octal: BigInt(digits).toString(8) };
  const values = { ...own, ...numbers, first, last, small: word.toLowerCase(), all: word.toUpperCase() };
  const byMark = new Map(Object.entries(values));
  return text.replace(/\{(\w+)\}/g, (mark, of) => byMark.get(of) ?? mark);
}
const SOME: Own = { local: '', tag: 'x1', digits: '12', domain: '', name: '', choices: '', word: 'X' };
const isPlain = (form: RegExp) => (text: string) =>
  text.length < LONGEST && text.includes('{') && form.test(filled(text, SOME));
/** Characters of the longest text with marks. */
const LONGEST = 200;

/** Names: most with a word, others with letters at random, with a prefix, or of every length up to the longest. */
const names = textsMade(
  isPlain(/^[a-z]+ [a-z]+$/i),
  way(2, { word, writing }, ({ word, writing }) => beside(WRITINGS[writing](word), false)),
  way(2, { word, writing }, ({ word, writing }) => beside(WRITINGS[writing](word), true)),
  way(4, { pair: oneOf(PAIRS), isBehind }, ({ pair, isBehind }) =>
    isBehind ? `{word}${pair.toLowerCase()}` : `${pair}{small}`,
  ),
  way(1, { property: oneOf(words('properties')), isBehind }, (one) => beside(one.property, one.isBehind)),
  way(1, { text: letters(BOTH, 24) }, ({ text }) => beside(text, false)),
  way(1, { text: letters(BOTH, 1), isBehind }, ({ text, isBehind }) => beside(text, isBehind)),
  way(1, { text: alphabet(2, 27) }, ({ text }) => `{word} ${capitalised(text)}`),
  way(1, { again: oneOf(['{word}', '{all}']) }, ({ again }) => `{word} ${again}`),
  way(1, { prefix: oneOf(['Mac', 'Mc', 'O', 'De', 'Van', 'Le']), word: oneOf(OTHERS), writing }, (one) =>
    beside(one.prefix + WRITINGS[one.writing](one.word).slice(0, 18), false),
  ),
);

/** Whether the run's own part is behind the words. */
const isTagBehind = oneOf([true, true, false]);
const withTag = (text: string, isTagBehind = true) => {
  return isTagBehind ? `${text.toLowerCase()}.{tag}` : `{tag}.${text.toLowerCase()}`;
};

/** A number of the user's own, in ways in which a program may read one. */
const NUMBERS = ['{digits}', '0x{hex}', '{digits}e5', '0{octal}', '{digits}.50'];

/**
 * Addresses: of some words, of what looks like a number, of letters and digits at random, of initials, of every length.
 */
const locals = textsMade(
  isPlain(/^[a-z\d]+(\.[a-z\d]+)*$/),
  way(18, { first: oneOf(COMMON), more: lists(word, 4), isTagBehind }, ({ first, more, isTagBehind }) =>
    withTag([first, ...more].join('.'), isTagBehind),
  ),
  way(6, { number: oneOf(PLAIN_NUMBERS) }, ({ number }) => withTag(number)),
  way(3, { letters: letters(`${SMALL}0123456789`, 20) }, ({ letters }) => withTag(letters)),
  way(3, { letters: letters(SMALL, 12), isTagBehind }, ({ letters, isTagBehind }) =>
    withTag([...letters].join('.'), isTagBehind),
  ),
  way(4, { text: alphabet(7, 45) }, ({ text }) => withTag(text)),
  way(3, { number: oneOf(NUMBERS) }, ({ number }) => number),
  way(6, { word }, ({ word }) => `${word.toLowerCase()}{digits}`),
  way(1, {}, () => '{tag}'),
  way(3, { end: oneOf(words('ends')) }, ({ end }) => `{tag}.${end}`),
);

const plain = { name: names, local: locals };

const nameOf = (text: string) => (own: Own) => filled(text, own).slice(0, NAME).trim();

/** An address of as many of the words as fit, and always with what is the user's own. */
const addressOf = (local: string) => (own: Own) => {
  const words = local.split('.');
  const address = () => filled(words.join('.'), own) + own.domain;
  while (address().length > ADDRESS) {
    const last = words.findLastIndex((word) => !word.includes('{'));
    if (last === -1) return own.tag + own.domain;
    words.splice(last, 1);
  }
  return address();
};

const plainUser = ({ name, local }: Whole<typeof plain>): UserCase => {
  const what = 'a plain user';
  return { what, fate: 'must', kind: { what, name: nameOf(name), email: addressOf(local) } };
};

const turned = (text: string, by: string) => text.split(by).reverse().join(by);

/** What the second of two has that is the same as the first one's, or like it. */
const LIKE: Record<string, [member: keyof NewUser, change: (value: string) => string]> = {
  'the same name': ['name', (name) => name],
  'the same name and identifier': ['name', (name) => name],
  'the same name in upper case': ['name', (name) => name.toUpperCase()],
  'the same name in lower case': ['name', (name) => name.toLowerCase()],
  'the same name with an accent': ['name', (name) => name.replace(/[aeiou]/i, '$&\u0301').normalize()],
  'a name of the same words': ['name', (name) => turned(name, ' ')],
  'the beginning of the name': ['name', (name) => name.slice(0, -1)],
  'the same email': ['email', (email) => email],
  'the same email in upper case': ['email', (email) => email.toUpperCase()],
  'the same email with an accent': ['email', (email) => email.replace(/[aeiou]/, '$&\u0301').normalize()],
  'the same email with a dot more': ['email', (email) => email.replace(/^(.)/, '$1.')],
  'the same email with a tag': ['email', (email) => email.replace('@', '+x@')],
  'an email of the same words': ['email', (email) => email.replace(/^[^@]+/, (local) => turned(local, '.'))],
  'an email that is one digit longer': ['email', (email) => email.replace('@', '0@')],
};
const alikeIn = (member: keyof NewUser, part: typeof ofOneName) =>
  into(part, (one: TwinCase) => (LIKE[one.what]?.[0] === member ? [one] : []));

/**
 * How many users who are made one after the other have one email, or one name: where the last of some ends, the next
 * begin.
 */
const OF_ONE = 4;

const tagOfSeveral = ({ tag }: Own) => tag.replace(/\d+$/, (count) => `${Math.floor(Number(count) / OF_ONE)}`);

/** For who takes no account of dots, or one for any character, these addresses are one. */
const DOTTED = ['abxc', 'ab.c', 'a.bc', 'abc'];
const email = (own: Own) => `${DOTTED[Number(/\d+$/.exec(own.tag)) % OF_ONE]}${tagOfSeveral(own)}${own.domain}`;
const differingInDots = (): UserCase => ({ what: 'a plain user', fate: 'must', kind: { what: 'a plain user', email } });

const TOGETHER = [createdTogether, keptTogether];
const OF_WORDS = [createdOfWords, keptTogether];

export const users = [
  // With names of their own: a service may take one of them, or all.
  topic({ what: 'concurrent users with the same email', perRound: 4, users: 1 }, TOGETHER, asUsual, () =>
    mayBeRefused('the same email, concurrently', { email: (own) => `same.${tagOfSeveral(own)}${own.domain}` }),
  ),
  topic({ what: 'concurrent plain users', perRound: 44, users: 1, isUsual: true }, TOGETHER, plain, plainUser),
];

/** Each of them is about others. */
export const usersWhoAreAlike = [
  topic({ what: 'concurrent users with the same name', perRound: 4, users: 1 }, TOGETHER, asUsual, () =>
    mayBeRefused('the same name, concurrently', { name: (own) => `Same ${tagOfSeveral(own)}` }),
  ),
  topic({ what: 'plain addresses that differ in a dot', perRound: 8, users: 1 }, TOGETHER, asUsual, differingInDots),
  // An earlier run may have used the name or the address, and a service may want names of its own for each.
  topic({ what: 'two-word names', perRound: 8, users: 1 }, OF_WORDS, { name: oneOf(TWO_WORDS) }, ({ name }) =>
    withName(name),
  ),
  topic(
    { what: 'one-word addresses', perRound: 16, users: 1 },
    OF_WORDS,
    { local: oneOf(SHORT), length: oneOf(['usual', 'longest']) },
    ({ local, length }) =>
      withAddress(local, length === 'longest' ? nameOf(`{word} ${capitalised(SMALL + SMALL)}`) : undefined),
  ),
  topic(
    { what: 'users who share a name or an email', perRound: 3, users: 2 },
    [alikeIn('name', ofOneName), alikeIn('email', ofOneEmail)],
    { first: members(plain), like: oneOf(Object.keys(LIKE)) },
    ({ first, like: what }) => {
      const [member, change] = LIKE[what] as (typeof LIKE)[string];
      return { ...twin(what, plainUser(first), member, change), proposesIdentifier: what.endsWith('identifier') };
    },
  ),
];
