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

/** Names of properties that every JavaScript object has. */
const PROPERTIES = [
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'toLocaleString',
  'propertyIsEnumerable',
];
const SOME_COMMON = COMMON.filter((_, index) => index % 7 === 0);
const PREFIXES = ['Mac', 'Mc', 'O', 'De', 'Van', 'Le'];
export const TWO_WORDS = lines('two-words');

/** Makes an email or a name from the parts that only one user has. */
type Make = (own: OwnParts) => string;

const before =
  (text: string): Make =>
  ({ word }) =>
    `${text} ${word}`;
const after =
  (text: string): Make =>
  ({ word }) =>
    `${word} ${text}`;

/**
 * Names with each word in both places. A third of the words is capitalized, in lower case, and in
 * capitals each.
 */
const namesOf = (words: readonly string[]): Make[] =>
  words.flatMap((word, index) => {
    const capitalized = capitalize(word);
    if (index % 3 === 0) return [before(capitalized), after(capitalized)];
    const written = index % 3 === 1 ? word : word.toUpperCase();
    return [before(written), after(capitalized), before(capitalized), after(written)];
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
  ...PROPERTIES.flatMap((property) => [before(property), after(property)]),
  ...[...SMALL].flatMap((letter) => [
    before(letter.toUpperCase()),
    after(letter.toUpperCase()),
    before(letter),
    after(letter),
  ]),
  ({ word }) => `${word} ${word}`,
  ({ word }) => `${word.toUpperCase()} ${word.toUpperCase()}`,
  ...PREFIXES.flatMap((prefix) =>
    SOME_COMMON.map(
      (word): Make =>
        ({ word: own }) =>
          `${prefix}${capitalize(word)} ${own}`,
    ),
  ),
];

/** Two words that have a meaning together, joined with the user's own word. */
const pairNames: Make[] = TWO_WORDS.filter((pair) => pair.length > 3).flatMap((pair): Make[] => [
  ({ word }) => `${word}${pair.toLowerCase()}`,
  ({ word }) => `${pair}${word.toLowerCase()}`,
]);

/** Beginnings of an address that a program may read as a number. */
export const NUMBERS = [
  '0',
  '00',
  '007',
  '010',
  '0777',
  '08',
  '09',
  '0x1f',
  '0xff',
  '0b11',
  '0o17',
  '1e5',
  '5e2',
  '1e400',
  '2e308',
  '1.0',
  '00.1',
  '3.14',
  '1.2.3.4',
  '127.0.0.1',
  '10.20.30.40',
  '2024',
  '1970.01.01',
  '12.31',
  '9007199254740993',
  '18446744073709551616',
  '2147483648',
  '4294967296',
  '1e',
  '0e0',
  '0x',
  '1.e5',
  '123',
  'mar1',
  'sep.2',
  'dec12',
  '1may',
];

/** Local parts that are a number which only this user has. */
const OWN_NUMBERS: Make[] = [
  ({ digits }) => digits,
  ({ digits }) => `0x${BigInt(digits).toString(16)}`,
  ({ digits }) => `${digits}e5`,
  ({ digits }) => `0${BigInt(digits).toString(8)}`,
  ({ digits }) => `${digits}.50`,
];

const ENDINGS = [
  'com',
  'org',
  'net',
  'edu',
  'gov',
  'co',
  'uk',
  'de',
  'io',
  'info',
  'example',
  'invalid',
  'localhost',
  'json',
  'xml',
  'html',
  'csv',
  'txt',
  'php',
  'exe',
  'js',
  'zip',
  'bak',
  'png',
  'www',
  'mail',
  'null',
  'nan',
  'true',
  'false',
  'test',
  '0',
  '1',
  '00',
];

const otherAddresses: Make[] = [
  ...NUMBERS.map(
    (number): Make =>
      ({ tag }) =>
        `${number}.${tag}`,
  ),
  ...[...OWN_NUMBERS, ...OWN_NUMBERS],
  ...ENDINGS.map(
    (ending): Make =>
      ({ tag }) =>
        `${tag}.${ending}`,
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

/** Addresses with words before or after the user's tag. */
const wordAddresses = (words: readonly string[]): Make[] =>
  words.flatMap((word, at): Make[] => {
    const further = [1, 2, 3].map((step) => OTHERS[(7 * at + 31 * step) % OTHERS.length]);
    return [
      ({ tag }) => [word, ...further, tag].join('.').toLowerCase(),
      ({ digits }) => `${word.toLowerCase()}${digits}`,
      ({ tag }) => [tag, ...further, word].join('.').toLowerCase(),
    ];
  });

/** Truncates a name to the length of a plain one. */
export const fitName =
  (make: Make): Make =>
  (own) =>
    make(own).slice(0, LONGEST_NAME).trim();

/** Shortens an address to the length of a plain one by leaving out words. */
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

export const concurrentCreation = (
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

/** Pairs names with addresses. The shorter list starts again at its end. */
const plainUsers = (names: Make[], addresses: Make[]): Case[] => {
  const length = Math.max(names.length, addresses.length);
  return Array.from({ length }, (_, at) => {
    const name = names[at % names.length] as Make;
    const email = addresses[at % addresses.length] as Make;
    return concurrentCreation(`a plain user, ${at + 1}`, {
      name: fitName(name),
      email: fitAddress(email),
    });
  });
};

/** Tables of plain users. The words that break most programs come first. */
export const plainTables = [
  plainUsers(namesOf(COMMON), wordAddresses(COMMON)),
  plainUsers(otherNames, otherAddresses),
  plainUsers(pairNames, otherAddresses),
  plainUsers(namesOf(OTHERS), wordAddresses(OTHERS)),
];

/** Random names and addresses. */
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
    concurrentCreation(`the name ${name} and the address ${local}`, {
      name: fitName(({ word }) => `${name} ${word}`),
      email: fitAddress(({ tag }) => `${local}.${tag}`),
    }),
  );
