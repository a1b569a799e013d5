import type { UserKind } from '../src/plan/users.ts';

const letters = (count: number) => 'qazwsxedcrfvtgbyhnujmikolp'.repeat(3).slice(0, count);
const random = (count: number) =>
  Array.from({ length: count }, () => letters(26)[Math.floor(Math.random() * 26)]).join('');
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Characters of a plain address and a plain name, at most. */
const [ADDRESS, NAME] = [64, 40];

/** Characters of the longest body of a plain user, which every service accepts. */
export const LONGEST_BODY = JSON.stringify({ email: '', name: '' }).length + ADDRESS + NAME;

/**
 * Plain users in their whole width, for the users that a run creates anyway: an address of lower-case letters, digits and dots, a
 * name of two words of ASCII letters. No service may refuse one of them, or change it.
 */
export const PLAIN_KINDS: UserKind[] = [
  { what: 'a word of one letter', name: ({ word }) => `X ${word}` },
  { what: 'a name in capital letters', name: ({ name }) => name.toUpperCase() },
  { what: 'a name in small letters', name: ({ name }) => name.toLowerCase() },
  {
    what: 'an address that begins with a digit, and the word Jr',
    email: ({ tag, domain }) => `7${tag}${domain}`,
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
  { what: 'the word Null', email: ({ tag, domain }) => `null.${tag}${domain}`, name: ({ word }) => `Null ${word}` },
  { what: 'the word True', email: ({ tag, domain }) => `true.${tag}${domain}`, name: ({ word }) => `True ${word}` },
  {
    what: 'the word Select',
    email: ({ tag, domain }) => `select.${tag}${domain}`,
    name: ({ word }) => `Select ${word}`,
  },
  { what: 'an address of many dots', email: ({ tag, domain }) => `a.b.c.${tag}.d${domain}` },
  { what: 'a very short name', name: () => `${capitalised(random(1))} ${capitalised(random(3))}` },
  {
    what: 'a very short address',
    email: ({ domain }) => `${random(1)}${Math.floor(Math.random() * 10)}${random(2)}${domain}`,
    name: ({ word }) => `${word} Short`,
  },
];

/** How many of them are created by requests in other writings; the others are created at the same time. */
export const WRITTEN_KINDS = 5;
