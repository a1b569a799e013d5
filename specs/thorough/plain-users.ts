import fc from 'fast-check';
import {
  asUsual,
  type Case,
  CREATE,
  type OwnParts,
  type UserKind,
} from '../../src/requirement/case.ts';
import { capitalize } from '../../src/run/users.ts';
import { PLAIN_WORDS } from '../plain-words.ts';
import { lines } from './lines.ts';

/** Characters of a plain name and a plain address, at most. */
const LONGEST_NAME = 40;
const LONGEST_ADDRESS = 64;

export const COMMON = lines('common-words');
const OTHERS = [
  ...new Set([...lines('other-words'), ...PLAIN_WORDS.flat().map((word) => word.toLowerCase())]),
].filter((word) => !COMMON.includes(word));

export const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const PROPERTIES = [
  ...['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'],
  ...['toLocaleString', 'propertyIsEnumerable'],
];
/** A few of them, of different kinds. */
const SOME = COMMON.filter((_, at) => at % 7 === 0);
const PREFIXES = ['Mac', 'Mc', 'O', 'De', 'Van', 'Le'];
export const TWO_WORDS = lines('two-words');

/** Makes a part of a plain user of what is the user's own. */
type Make = (own: OwnParts) => string;

/** A plain name that begins, or ends, with a text. */
const besideOwn = (text: string): Make[] => [
  ({ word }) => `${text} ${word}`,
  ({ word }) => `${word} ${text}`,
];

const WRITTEN = [capitalize, (word: string) => word, (word: string) => word.toUpperCase()];

/** Names with a word in each place and in each case; the cases take turns. */
const namesOf = (words: readonly string[]): Make[] =>
  words.flatMap((word, at) => {
    const write = WRITTEN[at % WRITTEN.length] as (word: string) => string;
    const [first, last] = besideOwn(write(word)) as [Make, Make];
    const [capital, capitalLast] = besideOwn(capitalize(word)) as [Make, Make];
    return at % WRITTEN.length === 0 ? [first, last] : [first, capitalLast, capital, last];
  });

/** Names of every length, and names that a rule for names may change. */
const otherNames: Make[] = [
  ...Array.from(
    { length: LONGEST_NAME },
    (_, at): Make =>
      ({ word }) => {
        return `${word} ${capitalize(SMALL.repeat(2).slice(0, Math.max(1, at - word.length)))}`;
      },
  ),
  ...PROPERTIES.flatMap(besideOwn),
  ...[...SMALL].flatMap((letter) => [...besideOwn(letter.toUpperCase()), ...besideOwn(letter)]),
  ({ word }) => `${word} ${word}`,
  ({ word }) => `${word.toUpperCase()} ${word.toUpperCase()}`,
  ...PREFIXES.flatMap((prefix) =>
    SOME.map(
      (word): Make =>
        ({ word: own }) =>
          `${prefix}${capitalize(word)} ${own}`,
    ),
  ),
];

/** Two words that mean something together, within the user's own. */
const pairNames: Make[] = TWO_WORDS.filter((pair) => pair.length > 3).flatMap((pair): Make[] => [
  ({ word }) => `${word}${pair.toLowerCase()}`,
  ({ word }) => `${pair}${word.toLowerCase()}`,
]);

/** Beginnings of an address that a program may read as a number. */
export const NUMBERS = [
  ...'0 00 007 010 0777 08 09 0x1f 0xff 0b11 0o17 1e5 5e2 1e400 2e308 1.0 00.1 3.14'.split(' '),
  ...'1.2.3.4 127.0.0.1 10.20.30.40 2024 1970.01.01 12.31 9007199254740993'.split(' '),
  ...'18446744073709551616 2147483648 4294967296 1e 0e0 0x 1.e5 123 mar1 sep.2 dec12'.split(' '),
  ...'1may'.split(' '),
];

/** A whole address before the at sign that is a number of the user's own. */
const OWN_NUMBERS: Make[] = [
  ({ digits }) => digits,
  ({ digits }) => `0x${BigInt(digits).toString(16)}`,
  ({ digits }) => `${digits}e5`,
  ({ digits }) => `0${BigInt(digits).toString(8)}`,
  ({ digits }) => `${digits}.50`,
];

const ENDS = [
  ...'com org net edu gov co uk de io info example invalid localhost json xml html'.split(' '),
  ...'csv txt php exe js zip bak png www mail null nan true false test 0 1 00'.split(' '),
];

const otherAddresses: Make[] = [
  ...NUMBERS.map(
    (number): Make =>
      ({ tag }) =>
        `${number}.${tag}`,
  ),
  ...[...OWN_NUMBERS, ...OWN_NUMBERS],
  ...ENDS.map(
    (end): Make =>
      ({ tag }) =>
        `${tag}.${end}`,
  ),
  ...Array.from(
    { length: 45 },
    (_, at): Make =>
      ({ tag }) =>
        `${SMALL.repeat(2).slice(0, at + 1)}.${tag}`,
  ),
  ...Array.from(
    { length: 12 },
    (_, at): Make =>
      ({ tag }) =>
        `${[...SMALL.slice(at, at + 3)].join('.')}.${tag}`,
  ),
  ({ tag }) => tag,
];

/** Words in an address, in front of the user's own or behind it. */
const wordAddresses = (words: readonly string[]): Make[] =>
  words.flatMap((word, at): Make[] => {
    const further = [1, 2, 3].map((step) => OTHERS[(7 * at + 31 * step) % OTHERS.length]);
    return [
      ({ tag }) => [word, ...further, tag].join('.').toLowerCase(),
      ({ digits }) => `${word.toLowerCase()}${digits}`,
      ({ tag }) => [tag, ...further, word].join('.').toLowerCase(),
    ];
  });

/** Cuts a name, and an address by leaving out words, to their length. */
export const fitName =
  (make: Make): Make =>
  (own) =>
    make(own).slice(0, LONGEST_NAME).trim();

const fitAddress =
  (make: Make): Make =>
  (own) => {
    const words = make(own).split('.');
    const isOwn = (word: string) => word.includes(own.tag) || word.includes(own.digits);
    const address = () => words.join('.') + own.domain;
    while (address().length > LONGEST_ADDRESS) {
      const last = words.findLastIndex((word) => !isOwn(word));
      if (last === -1) return own.tag + own.domain;
      words.splice(last, 1);
    }
    return address();
  };

export const together = (
  name: string,
  user: UserKind,
  expected: Case['expected'] = 'created',
): Case => ({
  name,
  operation: CREATE,
  change: asUsual,
  phase: 'together',
  expected,
  user,
});

/** Gives each name an address, one after the other. */
const plainUsers = (names: Make[], addresses: Make[]): Case[] => {
  const length = Math.max(names.length, addresses.length);
  return Array.from({ length }, (_, at) => {
    const name = names[at % names.length] as Make;
    const email = addresses[at % addresses.length] as Make;
    return together(`a plain user, ${at + 1}`, { name: fitName(name), email: fitAddress(email) });
  });
};

/** Those that most programs stumble over come first. */
export const plainTables = [
  plainUsers(namesOf(COMMON), wordAddresses(COMMON)),
  plainUsers(otherNames, otherAddresses),
  plainUsers(pairNames, otherAddresses),
  plainUsers(namesOf(OTHERS), wordAddresses(OTHERS)),
];

/** Letters of both cases, and dots, at random: a name and an address that no table has. */
export const randomUsers = fc
  .record({
    name: fc.string({
      unit: fc.constantFrom(...SMALL, ...SMALL.toUpperCase()),
      minLength: 1,
      maxLength: 24,
    }),
    local: fc.string({
      unit: fc.constantFrom(...SMALL, ...'0123456789'),
      minLength: 1,
      maxLength: 20,
    }),
  })
  .map(({ name, local }) =>
    together(`the name ${name} and the address ${local}`, {
      name: fitName(({ word }) => `${name} ${word}`),
      email: fitAddress(({ tag }) => `${local}.${tag}`),
    }),
  );
