import { hash } from '../src/plan/turns.ts';
import { capitalised, type Own, type UserKind } from '../src/plan/users.ts';
import { lines, words } from './thorough/words.ts';

const letters = (count: number) => 'qazwsxedcrfvtgbyhnujmikolp'.repeat(3).slice(0, count);
const random = (count: number, from = letters(26)) =>
  Array.from({ length: count }, () => from[Math.floor(Math.random() * from.length)]).join('');

const DIGITS = '0123456789';

/** Letters that make no word, of which a filter might know it. */
const NO_WORD = 'bfghjklnqtvxz';

/** Characters of a plain address and a plain name, at most. */
const [ADDRESS, NAME] = [64, 40];

/** Characters of the longest body of a plain user, which every service accepts. */
export const LONGEST_BODY = JSON.stringify({ email: '', name: '' }).length + ADDRESS + NAME;

/**
 * Words that loaders, queries, filters, shells and spreadsheets take for something else, by class; in a name or an address they
 * are plain. NUMBERS only in an address.
 */
export const PLAIN_WORDS = lines('plain-words').map((line) => line.replace(/^.*: /, '').split(' '));
export const PLAIN_NUMBERS = words('plain-numbers');

/** Those that stand first in a class: as likely as all others together. */
const COMMON = 6;

/** One of these for each place, in each run another one. */
function chosen(from: readonly string[], { choices }: Own, place: number): string {
  const drawn = hash(`${choices} ${place}`);
  const some = drawn % 2 === 0 ? from.slice(0, COMMON) : from;
  return some[(drawn >> 1) % some.length] as string;
}

const word = (own: Own, place: number) => chosen(PLAIN_WORDS[place % PLAIN_WORDS.length] as string[], own, place);

/** A length for each place, in each run another one: with `step`, places have all of them in turn. */
const lengthAt = ({ choices }: Own, place: number, least: number, most: number, step: number) =>
  least + ((hash(choices) + step * place) % (most - least + 1));

/**
 * Letters that lengthen a text: words in a row, which a filter may find within others, and at each place another letter
 * at the end.
 */
const filling = (own: Own, count: number, place: number) => {
  let text = '';
  for (let at = 3 * place; text.length < count; at += 1) text += word(own, at).toLowerCase();
  return count < 1 ? '' : text.slice(0, count - 1) + ENDS.charAt((7 * place) % ENDS.length);
};
const ENDS = 'xsznthrlmdkcgqvwjbfpaeiouy';

/** How far the classes of the words of an address are from each other. */
const NEXT_CLASSES = [0, 8, 3, 13, 5, 10];

/** Digits of the numbers of users, at most. */
const DIGITS_OF_NUMBER = 3;

/** An address of some length: it begins with a word of a class, and has as many of others as there is room for. */
const address = (place: number) => (own: Own) => {
  const end = `.${own.tag}${own.domain}`;
  const length = lengthAt(own, place, 40, ADDRESS - 1, 5);
  // The same words where the user is made again, with a longer number.
  const room = length - end.length + own.tag.replace(/\D/g, '').length - DIGITS_OF_NUMBER;
  // Of a class that other addresses have as well another word.
  const another = PLAIN_WORDS.length * place;
  const [first = '', ...more] = NEXT_CLASSES.map((next) => word(own, another + place + next).toLowerCase());
  const local = more.reduce((all, one) => (`${all}.${one}`.length <= room ? `${all}.${one}` : all), first);
  return local + filling(own, length - end.length - local.length, place) + end;
};

/**
 * A name of some length: a word of a class, and another one. Names of places in a row have words of classes in a row,
 * in each run of others.
 */
function parts(own: Own, place: number, length = lengthAt(own, place, 16, NAME, 7)): [one: string, another: string] {
  const one = capitalised(word(own, place + (hash(own.choices) % PLAIN_WORDS.length)));
  return [one, own.word + filling(own, length - own.word.length - one.length - 1, place)];
}
export const firstWord = (place: number, length?: number) => (own: Own) => parts(own, place, length).join(' ');
export const lastWord = (place: number, length?: number) => (own: Own) => parts(own, place, length).reverse().join(' ');

/**
 * An address of 64 characters, of which two users of the run have all but the last few: a column, or an index, that
 * holds fewer takes them for one.
 */
const longest = ({ tag, domain }: Own) => {
  const numbered = tag.replace(/\d+$/, (number) => number.padStart(DIGITS_OF_NUMBER, '0'));
  return `${letters(Math.max(1, ADDRESS - `.${numbered}${domain}`.length))}.${numbered}${domain}`;
};

/** A name whose last word and first letter another user of the run has as well, with capital letters within. */
const relative: NonNullable<UserKind['name']> = ({ word, tag }) => `O${word} Mc${capitalised(tag.replace(/\d+$/, ''))}`;

/**
 * Plain users in their whole width, for the users that a run creates anyway: an address of lower-case letters, digits
 * and dots, a name of two words of ASCII letters. No service may refuse one of them, or change it.
 */
export const PLAIN_KINDS: UserKind[] = [
  { what: 'a one-letter word', email: address(0), name: ({ word }) => `X ${word}` },
  { what: 'a name in upper case', email: address(1), name: (own) => firstWord(0)(own).toUpperCase() },
  { what: 'a name in lower case', email: address(2), name: (own) => lastWord(1)(own).toLowerCase() },
  {
    what: 'an address that begins with a number, and the word Jr',
    email: (own) => `${chosen(PLAIN_NUMBERS, own, 3)}.${own.tag}${own.domain}`,
    name: ({ word }) => `Mc${word.toLowerCase()} Jr`,
  },
  {
    what: 'an address with only digits, and every letter in the name',
    email: ({ digits, domain }) => `0${digits}${domain}`,
    name: ({ word }) => `Nopqrstuvwxyz ${word}abcdefghijklm`,
  },
  {
    what: 'an address of 64 characters and a name of 40',
    email: longest,
    name: ({ word }) => `${word} Geee${letters(NAME - 5 - word.length)}`,
  },
  { what: 'the word Null', email: address(5), name: ({ word }) => `Null ${word}` },
  { what: 'the word True', email: address(3), name: ({ word }) => `True ${word}` },
  {
    what: 'the word Select, and most of an address of 64 characters that another user has',
    email: longest,
    name: ({ word }) => `Select ${word}s`,
  },
  { what: 'an address with many dots', email: ({ tag, domain }) => `a.b.c.${tag}.4.d${domain}`, name: relative },
  {
    what: 'a very short name',
    email: address(7),
    name: (own) => `${chosen([...ENDS], own, 13).toUpperCase()} ${capitalised(random(3, NO_WORD))}`,
  },
  {
    what: 'a very short address, and the last name of another user',
    email: ({ domain }) => `${random(1)}${random(1, DIGITS)}${random(1)}${random(1, DIGITS)}${domain}`,
    name: relative,
  },
];

/** Bytes of a block, at whose end a reader may stop. */
const BLOCK = 64;
const endsInDigits = ({ tag, domain }: Own) => `${tag}2024${domain}`;

/** Kinds for users who are created one after another, and only listed. */
export const LISTED_KINDS: UserKind[] = [
  { what: 'two identical words', email: address(6), name: ({ word }) => `${word} ${word}` },
  {
    what: 'an address that ends with digits, in a body of 64 bytes',
    email: endsInDigits,
    name: (own) => {
      const name = `${own.word} `;
      return name + letters(Math.max(1, BLOCK - JSON.stringify({ email: endsInDigits(own), name }).length));
    },
  },
  {
    what: 'an address with six parts, and a name of 32 characters',
    email: ({ tag, domain }) => `a.bc.d.ef.g.${tag}${domain}`,
    name: lastWord(2, 32),
  },
  {
    what: 'an address that reads like a number',
    email: (own) => `${chosen(['1e', '0x', '9'], own, 4)}${own.digits}${own.domain}`,
    name: firstWord(3),
  },
  {
    what: 'the name in the address',
    email: ({ name, domain }) => name.toLowerCase().replace(' ', '.') + domain,
    name: ({ name }) => name,
  },
  {
    what: 'an address of a word and digits',
    email: (own) => `${word(own, 7)}.${own.digits}${own.domain}`,
    name: lastWord(5),
  },
  ...[0, 1, 2, 3].map((place): UserKind => {
    const name = place % 2 === 0 ? firstWord : lastWord;
    return { what: `everyday words, ${place + 1}`, email: address(16 + 5 * place), name: name(4 + place) };
  }),
];

/** How many of them are created by requests in other writings; the others are created at the same time. */
export const WRITTEN_KINDS = 5;
