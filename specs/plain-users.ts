import type { OwnParts, UserKind } from '../src/requirement/case.ts';
import { capitalize } from '../src/run/users.ts';
import { PLAIN_WORDS } from './plain-words.ts';

/** Characters of a plain address and a plain name, at most. */
const LONGEST_ADDRESS = 64;
const LONGEST_NAME = 40;

/** Characters of the longest body of a plain user, which every service accepts. */
export const LONGEST_BODY =
  JSON.stringify({ email: '', name: '' }).length + LONGEST_ADDRESS + LONGEST_NAME;

/** Digits of the number of a user, at most. */
const NUMBER_DIGITS = 3;

const LETTERS = 'qazwsxedcrfvtgbyhnujmikolp';
const letters = (count: number) => LETTERS.repeat(3).slice(0, Math.max(1, count));

/** Letters with which a text may end, each after the other. */
const ENDS = 'xsznthrlmdkcgqvwjbfpaeiouy';

/**
 * The word at a place: the classes take turns, so that words in a row are of different classes, and every word of every
 * class has its place.
 */
function word(place: number): string {
  const all = PLAIN_WORDS[place % PLAIN_WORDS.length] as string[];
  return all[Math.floor(place / PLAIN_WORDS.length) % all.length] as string;
}

/** Words in a row, cut to a length; a filter may find them within others. */
function filling(count: number, place: number): string {
  if (count < 1) return '';
  let text = '';
  for (let at = 3 * place; text.length < count; at += 1) text += word(at).toLowerCase();
  return text.slice(0, count - 1) + ENDS.charAt((7 * place) % ENDS.length);
}

/** An address that begins with a word and has as many others as there is room for; each place has words of its own. */
export function address({ tag, domain }: OwnParts, place: number): string {
  const end = `.${tag}${domain}`;
  const length = 50 + ((5 * place) % 13);
  // The same words for a user with a longer number.
  const room = length - end.length + tag.replace(/\D/g, '').length - NUMBER_DIGITS;
  let local = word(place * WORDS_IN_ADDRESS).toLowerCase();
  for (let at = 1; at < WORDS_IN_ADDRESS; at += 1) {
    const longer = `${local}.${word(place * WORDS_IN_ADDRESS + at).toLowerCase()}`;
    if (longer.length <= room) local = longer;
  }
  return local + filling(room - local.length, place) + end;
}

/** An odd number: classes take turns in all of them. */
const WORDS_IN_ADDRESS = 7;

/** A name of some length, the word of a place first. */
export function firstWord(
  { word: own }: OwnParts,
  place: number,
  length = 16 + ((7 * place) % 25),
): string {
  const first = capitalize(word(place));
  return `${first} ${own}${filling(length - own.length - first.length - 1, place)}`;
}

/** The same with the word at the end. */
export const lastWord = (own: OwnParts, place: number, length?: number): string =>
  firstWord(own, place, length).replace(/^(\w+) (\w+)$/, '$2 $1');

/**
 * An address of 64 characters, of which two users have all but the last few: a column or an index that holds fewer
 * takes them for one.
 */
function longestAddress({ tag, domain }: OwnParts): string {
  const end = `.${tag.replace(/\d+$/, (number) => number.padStart(NUMBER_DIGITS, '0'))}${domain}`;
  return letters(LONGEST_ADDRESS - end.length) + end;
}

/** A name that makes a body of so many bytes: the size of a block, at whose end a reader may stop. */
function nameForBody({ tag, domain, word: own }: OwnParts, bytes: number): string {
  const name = `${own} `;
  return name + letters(bytes - JSON.stringify({ email: `${tag}2024${domain}`, name }).length);
}

/** The run's tag as a surname, which several users share. */
const surname = ({ tag }: OwnParts) => capitalize(tag.replace(/\d+$/, ''));

/** Some letters and digits of the run's own that make no word: a few, so that the address is very short. */
function shortOwn({ digits, tag }: OwnParts): { letters: string; digit: string } {
  const from = 'bfghjklnqtvxz';
  const numbers = digits.match(/\d{3}/g) ?? [];
  // The number of the user makes another name if the creation is tried again.
  const number = tag.replace(/\D/g, '');
  const own = [...numbers.slice(0, 4), number].map((one) => from.charAt(Number(one) % from.length));
  return { letters: capitalize(own.join('')), digit: digits.slice(-1) };
}

/** A kind of plain user, of which none may be rejected or changed. */
export interface PlainKind {
  name: string;
  user: UserKind;
}

const kind = (
  what: string,
  email: (own: OwnParts) => string,
  name: (own: OwnParts) => string,
): PlainKind => ({
  name: what,
  user: { email, name },
});

/**
 * Plain users in their whole width: an address of lower-case letters, digits and dots, a name of two words of ASCII
 * letters.
 */
export const PLAIN_KINDS: PlainKind[] = [
  kind(
    'a very short name with a one-letter word',
    (own) => address(own, 0),
    (own) => `D ${shortOwn(own).letters}`,
  ),
  kind(
    'a name in upper case',
    (own) => address(own, 1),
    (own) => firstWord(own, 0).toUpperCase(),
  ),
  kind(
    'a name in lower case',
    (own) => address(own, 2),
    (own) => lastWord(own, 1).toLowerCase(),
  ),
  kind(
    'an address that begins with a number, and the word Jr',
    ({ tag, domain }) => `007.${word(12)}.${tag}${domain}`,
    ({ word: own }) => `Mc${own.toLowerCase()} Jr`,
  ),
  kind(
    'an address with only digits, and every letter in the name',
    ({ digits, domain }) => `0${digits}${domain}`,
    ({ word: own }) => `Nopqrstuvwxyz ${own}abcdefghijklm`,
  ),
  kind(
    'an address with many dots, and a small i at the beginning of the name',
    ({ tag, domain }) => `a.b.i.${word(13)}.${tag}.4.d${domain}`,
    (own) => `i${own.word.toLowerCase()} Mc${surname(own)}`,
  ),
  kind(
    'the word Null',
    (own) => address(own, 3),
    ({ word: own }) => `Null ${own}`,
  ),
  kind(
    'an address of 64 characters and a name of 40',
    longestAddress,
    ({ word: own }) => `${own} Geee${letters(LONGEST_NAME - 5 - own.length)}`,
  ),
  kind(
    'the word Select, and most of an address of 64 characters that another user has',
    longestAddress,
    (own) => {
      return `Select ${own.word}s`;
    },
  ),
  kind(
    'a very short address, and the last name of another user',
    (own) => `q${shortOwn(own).digit}${shortOwn(own).letters.toLowerCase()}${own.domain}`,
    (own) => `O${own.word} Mc${surname(own)}`,
  ),
  kind(
    'two identical words, which are the address as well',
    ({ word: own, domain }) => `${own.toLowerCase()}.${own.toLowerCase()}${domain}`,
    ({ word: own }) => `${own} ${own}`,
  ),
  kind(
    'an address that ends with digits, in a body of 64 bytes',
    ({ tag, domain }) => `${tag}2024${domain}`,
    (own) => nameForBody(own, 64),
  ),
  kind(
    'an address that reads like a number, and a name of 32 characters with the last name and the initial of another user',
    ({ digits, domain }) => `1e${digits}${domain}`,
    (own) => {
      const [first, last] = [`O${own.word}`, `Mc${surname(own)}`];
      return `${first}${letters(31 - first.length - last.length)} ${last}`;
    },
  ),
  kind(
    'an address of a word with digits at its end, and the word True',
    ({ digits, domain }) => `${word(23)}${digits}${domain}`,
    ({ word: own }) => `True ${own}`,
  ),
  kind(
    'an address of a word and digits, and a word that another user has in capitals',
    ({ digits, domain }) => `${word(3).toLowerCase()}.${digits}${domain}`,
    (own) => firstWord(own, 0),
  ),
];
