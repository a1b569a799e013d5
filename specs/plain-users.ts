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

/** One of these for each place, in each run another one. */
function chosen(from: readonly string[], { tag }: Own, place: number): string {
  const letters = tag.replace(/\d+$/, '');
  const sum = [...letters].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 65_521, place);
  return from[sum % from.length] as string;
}

const word = (own: Own, place: number) => chosen(PLAIN_WORDS[place % PLAIN_WORDS.length] as string[], own, place);

/** How many users have words; each takes those of some classes, so that all classes are there. */
const WITH_WORDS = 8;

/** An address that begins with a word of a class, and has as many more as there is room for. */
const address = (place: number) => (own: Own) => {
  const end = `.${own.tag}${own.domain}`;
  const first = word(own, place);
  const fits = (...all: string[]) => all.join('.').length + end.length <= ADDRESS;
  const second = [word(own, place + WITH_WORDS)].filter((one) => fits(first, one));
  const third = [word(own, place + 3)].filter((one) => fits(first, ...second, one));
  return [first, ...second, ...third].join('.') + end;
};
const firstWord = (place: number) => (own: Own) => `${capitalised(word(own, place))} ${own.word}`;
const lastWord = (place: number) => (own: Own) => `${own.word} ${capitalised(word(own, place))}`;

/** A name whose last word other users of the run have as well. */
const relative: NonNullable<UserKind['name']> = ({ word, tag }) => `${word} ${capitalised(tag.replace(/\d+$/, ''))}`;

/**
 * Plain users in their whole width, for the users that a run creates anyway: an address of lower-case letters, digits and dots, a
 * name of two words of ASCII letters. No service may refuse one of them, or change it.
 */
export const PLAIN_KINDS: UserKind[] = [
  { what: 'a word of one letter', email: address(0), name: ({ word }) => `X ${word}` },
  { what: 'a name in capital letters', email: address(1), name: (own) => firstWord(9)(own).toUpperCase() },
  { what: 'a name in small letters', email: address(2), name: (own) => lastWord(12)(own).toLowerCase() },
  {
    what: 'an address that begins with a number, and the word Jr',
    email: (own) => `${chosen(PLAIN_NUMBERS, own, 3)}.${own.tag}${own.domain}`,
    name: ({ word }) => `${word} Jr`,
  },
  {
    what: 'an address of digits alone, and all letters',
    email: ({ digits, domain }) => `0${digits}${domain}`,
    name: ({ word }) => `Nopqrstuvwxyz ${word}abcdefghijklm`,
  },
  {
    what: 'an address of 64 characters and a name of 40',
    email: ({ tag, domain }) => `${letters(Math.max(1, ADDRESS - tag.length - 1 - domain.length))}.${tag}${domain}`,
    name: ({ word }) => `${word} ${capitalised(letters(NAME - 1 - word.length))}`,
  },
  { what: 'the word Null', email: address(5), name: ({ word }) => `Null ${word}` },
  { what: 'the word True', email: address(3), name: ({ word }) => `True ${word}` },
  { what: 'the word Select', email: address(10), name: ({ word }) => `Select ${word}` },
  { what: 'an address of many dots', email: ({ tag, domain }) => `a.b.c.${tag}.d${domain}`, name: relative },
  {
    what: 'a very short name',
    email: address(7),
    name: () => `${capitalised(random(1))} ${capitalised(random(3, NO_WORD))}`,
  },
  {
    what: 'a very short address, and the last name of another user',
    email: ({ domain }) => `${random(1)}${random(1, DIGITS)}${random(1)}${random(1, DIGITS)}${domain}`,
    name: relative,
  },
];

/** A name of the same word twice, and words that hold another one. */
export const ALIKE: UserKind = { what: 'two words alike', email: address(6), name: ({ word }) => `${word} ${word}` };

/** How many of them are created by requests in other writings; the others are created at the same time. */
export const WRITTEN_KINDS = 5;
