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

/** Last letters of texts, which take turns. */
const LAST_LETTERS = 'xsznthrlmdkcgqvwjbfpaeiouy';

/**
 * Returns the word with a number. The classes take turns, so that consecutive words are of
 * different classes.
 */
function wordAt(index: number): string {
  const words = PLAIN_WORDS[index % PLAIN_WORDS.length] as string[];
  return words[Math.floor(index / PLAIN_WORDS.length) % words.length] as string;
}

/** Joins words to a text of some length: a filter may find them within it. */
function joinWords(length: number, index: number): string {
  if (length < 1) return '';
  let text = '';
  for (let at = 3 * index; text.length < length; at += 1) text += wordAt(at).toLowerCase();
  return text.slice(0, length - 1) + LAST_LETTERS.charAt((7 * index) % LAST_LETTERS.length);
}

/** An odd number, so that the first words of addresses are of all classes. */
const WORDS_IN_ADDRESS = 7;

/** Returns an address of words, as many as fit into its length. Each index has words of its own. */
function address({ tag, domain }: OwnParts, index: number): string {
  const end = `.${tag}${domain}`;
  const length = 50 + ((5 * index) % 13);
  // The number of a user may have fewer digits; the words are the same.
  const available = length - end.length + tag.replace(/\D/g, '').length - NUMBER_DIGITS;
  const firstIndex = index * WORDS_IN_ADDRESS;
  let local = wordAt(firstIndex).toLowerCase();
  for (let step = 1; step < WORDS_IN_ADDRESS; step += 1) {
    const longer = `${local}.${wordAt(firstIndex + step).toLowerCase()}`;
    if (longer.length <= available) local = longer;
  }
  return local + joinWords(available - local.length, index) + end;
}

/** Returns a name that begins with a word. The length varies with the index. */
function nameWithFirstWord({ word }: OwnParts, index: number): string {
  const first = capitalize(wordAt(index));
  const length = 16 + ((7 * index) % 25);
  return `${first} ${word}${joinWords(length - word.length - first.length - 1, index)}`;
}

/** Returns a name that ends with a word. */
const nameWithLastWord = (own: OwnParts, index: number): string =>
  nameWithFirstWord(own, index).replace(/^(\w+) (\w+)$/, '$2 $1');

/**
 * Returns an address of 64 characters. Two users have it, with different last characters: a column
 * or an index that holds fewer can't distinguish them.
 */
function longestAddress({ tag, domain }: OwnParts): string {
  const end = `.${tag.replace(/\d+$/, (number) => number.padStart(NUMBER_DIGITS, '0'))}${domain}`;
  return letters(LONGEST_ADDRESS - end.length) + end;
}

/**
 * Returns a name that makes the body as long as a block of bytes, at whose end a parser may stop.
 */
function nameForBody({ tag, domain, word }: OwnParts, bytes: number): string {
  const name = `${word} `;
  return name + letters(bytes - JSON.stringify({ email: `${tag}2024${domain}`, name }).length);
}

/** Returns the run's tag as a surname, which several users share. */
const surname = ({ tag }: OwnParts) => capitalize(tag.replace(/\d+$/, ''));

const CONSONANTS = 'bfghjklnqtvxz';

/**
 * Returns a few letters and a digit that belong to the run and make no word, for a very short
 * address.
 */
function initials({ digits, tag }: OwnParts): { letters: string; digit: string } {
  const numbers = digits.match(/\d{3}/g) ?? [];
  // The number of the user makes another name if the creation is tried again.
  const userNumber = tag.replace(/\D/g, '');
  const chosen = [...numbers.slice(0, 4), userNumber].map((number) =>
    CONSONANTS.charAt(Number(number) % CONSONANTS.length),
  );
  return { letters: capitalize(chosen.join('')), digit: digits.slice(-1) };
}

/** A kind of plain user: a service must accept it and must not change it. */
export interface PlainKind {
  name: string;
  user: UserKind;
}

const kind = (
  kindName: string,
  email: (own: OwnParts) => string,
  name: (own: OwnParts) => string,
): PlainKind => ({
  name: kindName,
  user: { email, name },
});

/**
 * The whole range of plain users: an address of lower-case letters, digits and dots, and a name of
 * two words of ASCII letters.
 */
export const PLAIN_KINDS: PlainKind[] = [
  kind(
    'a very short name with a one-letter word',
    (own) => address(own, 0),
    (own) => `D ${initials(own).letters}`,
  ),
  kind(
    'a name in upper case',
    (own) => address(own, 1),
    (own) => nameWithFirstWord(own, 0).toUpperCase(),
  ),
  kind(
    'a name in lower case',
    (own) => address(own, 2),
    (own) => nameWithLastWord(own, 1).toLowerCase(),
  ),
  kind(
    'an address that begins with a number, and the word Jr',
    ({ tag, domain }) => `007.${wordAt(12)}.${tag}${domain}`,
    ({ word }) => `Mc${word.toLowerCase()} Jr`,
  ),
  kind(
    'an address with only digits, and every letter in the name',
    ({ digits, domain }) => `0${digits}${domain}`,
    ({ word }) => `Nopqrstuvwxyz ${word}abcdefghijklm`,
  ),
  kind(
    'an address with many dots, and a small i at the beginning of the name',
    ({ tag, domain }) => `a.b.i.${wordAt(13)}.${tag}.4.d${domain}`,
    (own) => `i${own.word.toLowerCase()} Mc${surname(own)}`,
  ),
  kind(
    'the word Null',
    (own) => address(own, 3),
    ({ word }) => `Null ${word}`,
  ),
  kind(
    'an address of 64 characters and a name of 40',
    longestAddress,
    ({ word }) => `${word} Geee${letters(LONGEST_NAME - 5 - word.length)}`,
  ),
  kind(
    'the word Select, and most of an address of 64 characters that another user has',
    longestAddress,
    ({ word }) => `Select ${word}s`,
  ),
  kind(
    'a very short address, and the last name of another user',
    (own) => `q${initials(own).digit}${initials(own).letters.toLowerCase()}${own.domain}`,
    (own) => `O${own.word} Mc${surname(own)}`,
  ),
  kind(
    'two identical words, which are the address as well',
    ({ word, domain }) => `${word.toLowerCase()}.${word.toLowerCase()}${domain}`,
    ({ word }) => `${word} ${word}`,
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
      const first = `O${own.word}`;
      const last = `Mc${surname(own)}`;
      return `${first}${letters(31 - first.length - last.length)} ${last}`;
    },
  ),
  kind(
    'an address of a word with digits at its end, and the word True',
    ({ digits, domain }) => `${wordAt(23)}${digits}${domain}`,
    ({ word }) => `True ${word}`,
  ),
  kind(
    'an address of a word and digits, and a word that another user has in capitals',
    ({ digits, domain }) => `${wordAt(3).toLowerCase()}.${digits}${domain}`,
    (own) => nameWithFirstWord(own, 0),
  ),
];
