import fc from 'fast-check';
import type { NewUser } from '../../src/history/creation.ts';
import type { Case, OwnParts, UserKind } from '../../src/requirement/case.ts';
import { capitalize } from '../../src/run/users.ts';
import type { Kind } from '../../src/thorough/draw.ts';
import { concurrentCreation } from '../concurrent-creations.ts';
import { PLAIN_WORDS } from '../plain-words.ts';
import { unusual } from '../round-trip.ts';
import { inAnyCase, kind, lineOf, lines, oneOf, text, weighted } from './arbitraries.ts';

/** The marks that stand for what only one user has, in the texts of names and addresses. */
const MARKS = /<(word|tag|digits)>/g;

const fillIn = (template: string, own: OwnParts): string =>
  template.replace(MARKS, (_, part: 'word' | 'tag' | 'digits') => own[part]);

/** Characters of a plain name and a plain address, at most. */
const LONGEST_NAME = 40;
const LONGEST_ADDRESS = 64;

/** Draws users with plain names and addresses, who are created at the same moment. */
const plainUsers = (
  names: fc.Arbitrary<string>,
  locals: fc.Arbitrary<string>,
): fc.Arbitrary<Case> =>
  fc.tuple(names, locals).map(([name, local]) =>
    concurrentCreation(`the name ${name} and the address ${local}`, {
      name: (own) => fillIn(name, own),
      email: (own) => {
        const email = fillIn(local, own) + own.domain;
        return email.length > LONGEST_ADDRESS ? own.tag + own.domain : email;
      },
    }),
  );

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const letter = oneOf(...LETTERS);
const letters = (max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max }).map((length) => LETTERS.repeat(2).slice(0, length));
const randomLetters = fc.string({ unit: letter, minLength: 1, maxLength: 20 });

/** Draws words that programs often treat in a special way, and other words with a meaning. */
const common = lineOf('common-words');
const other = oneOf(
  ...lines('other-words'),
  ...PLAIN_WORDS.flat().map((word) => word.toLowerCase()),
);

/** Draws names of properties that every JavaScript object has. */
const property = oneOf('constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf');

const nameWord = weighted(
  [6, inAnyCase(other)],
  [2, property],
  [3, inAnyCase(letter)],
  [4, text`${oneOf('Mac', 'Mc', 'O', 'De', 'Van', 'Le')}${common.map(capitalize)}`],
  [6, letters(27).map(capitalize)],
  [2, randomLetters],
);

const besideWord = (word: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(text`${word} <word>`, text`<word> ${word}`);

const twoWords = weighted(
  [4, lineOf('two-words')],
  [1, text`${inAnyCase(letter)} ${inAnyCase(letter)}`],
);

const name = weighted(
  [12, besideWord(nameWord)],
  [1, text`<word>${twoWords.map((words) => words.toLowerCase())}`],
  [1, text`${twoWords}<word>`],
  [1, oneOf('<word> <word>')],
);

const besideTag = (word: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(text`${word}.<tag>`, text`${word}<digits>`, text`<tag>.${word}`);

/** Draws texts that a program may read as a number or a date. */
const number = lineOf('numbers');

const specialLocal = weighted(
  [3, besideTag(common)],
  [1, text`${number}.<tag>`],
  [1, text`<tag>.${lineOf('address-endings')}`],
);

const local = weighted(
  [4, besideTag(text`${other}.${other}`)],
  [4, text`${letters(45)}.<tag>`],
  [2, text`${letter}.${letter}.${letter}.<tag>`],
  [2, text`${randomLetters}${oneOf('.', '7.')}<tag>`],
  [3, oneOf('<tag>', '<digits>', '0x<digits>', '<digits>e5', '0<digits>', '<digits>.50')],
);

/** Draws whole local parts. Identifiers may be made of them, and some are also names of pages. */
const shortLocal = weighted(
  [2, oneOf('new', 'me', 'search', 'count', 'export', 'stats', 'all')],
  [4, letter],
  [1, text`${letter}${oneOf('1', 'b')}`],
  [5, common],
  [5, number],
  [4, other],
);

const LONGEST: UserKind['name'] = ({ word }) =>
  `${word} ${LETTERS.repeat(2)}`.slice(0, LONGEST_NAME);

/** Draws users whom an earlier run may have created as well. */
const shortAddress = fc
  .tuple(shortLocal, fc.constantFrom(undefined, undefined, undefined, LONGEST))
  .map(([drawn, longest]) =>
    unusual(`the address ${drawn}${longest ? ' and the longest name' : ''}`, {
      email: ({ domain }) => drawn + domain,
      ...(longest && { name: longest }),
    }),
  );

/** Returns the tag without the last digit of the user's number: ten consecutive users share it. */
const group = ({ tag }: OwnParts) => tag.replace(/\d$/, '');

/** Draws addresses that are equal to a service that ignores dots, or takes them for a pattern. */
const dotted = oneOf('abxc', 'ab.c', 'a.bc', 'abc').map((part) =>
  concurrentCreation(`the address ${part}`, { email: (own) => part + group(own) + own.domain }),
);

type Member = keyof NewUser;

/** Changes after which a service may take two users for one. */
const CHANGES: Record<string, (value: string) => string> = {
  '': String,
  ' in upper case': (value) => value.toUpperCase(),
  ' in lower case': (value) => value.toLowerCase(),
  ' with an accent': (value) => value.replace(/[aeiouy]/i, '$&\u0301').normalize(),
  ' with its words in another order': (value) => value.replace(/^(.+)([ .])(.+)$/, '$3$2$1'),
  ' without its last character': (value) => value.slice(0, -1),
  ' with a digit at its end': (value) => `${value}0`,
  ' with another dot': (value) => value.replace(/^(.)/, '$1.'),
  ' with a tag': (value) => `${value}+x`,
};

/** Draws a user with the email or the name of another one, or a similar one. */
const second = (member: Member): fc.Arbitrary<Case> =>
  fc.constantFrom(...Object.entries(CHANGES)).map(([description, change]) => {
    const shared = (_: OwnParts, user: NewUser) => user[member].replace(/^[^@]+/, change);
    const creation = unusual(`the same ${member}${description}`, { [member]: shared });
    return { ...creation, rereadsShared: true };
  });

const withIdentifier: Case = {
  ...unusual(
    'the same name, and the identifier of the first user',
    { name: (_, { name: shared }) => shared },
    (usual, { identifiers, user }) => ({
      ...usual,
      body: JSON.stringify({ id: identifiers[0], ...user }),
    }),
  ),
  rereadsShared: true,
};

/** Draws users with one email or one name, who are created at the same moment. */
const rival = (member: Member): fc.Arbitrary<Case> =>
  fc.integer({ min: 1, max: 4 }).map((number) => ({
    ...concurrentCreation(`the same ${member}, ${number} of 4 created at the same moment`, {
      [member]: (own: OwnParts) =>
        member === 'email' ? `same.${group(own)}${own.domain}` : `Same ${group(own)}`,
    }),
    expected: 'either',
  }));

const CREATED = ['create.answers', 'create.concurrent'];
const WORDS = ['create.answers', 'round-trip.other-strings', 'create.accepted-exists'];
const PART = 'plain users';

export const users: Kind<Case>[] = [
  kind('plain users', CREATED, [14, 8, 20, 36, 8, 50], plainUsers(name, local), PART),
  kind(
    'plain names with special words',
    CREATED,
    16,
    plainUsers(besideWord(inAnyCase(common)), oneOf('ada.<tag>')),
    PART,
  ),
  kind(
    'plain addresses with special words',
    CREATED,
    16,
    plainUsers(oneOf('<word> Lovelace'), specialLocal),
    PART,
  ),
  kind('plain addresses that differ in a dot', CREATED, 4, dotted),
  kind(
    'two-word names',
    WORDS,
    6,
    twoWords.map((words) => unusual(`the name ${words}`, { name: () => words })),
    PART,
  ),
  kind('one-word addresses', WORDS, 10, shortAddress, PART),
  kind('concurrent users with the same email', ['create.same-email'], 4, rival('email')),
  kind('concurrent users with the same name', ['create.same-name'], 4, rival('name')),
  kind('users who share an email', ['create.same-email'], 2, second('email'), 'users'),
  kind(
    'users who share a name',
    ['create.same-name'],
    2,
    weighted([9, second('name')], [1, fc.constant(withIdentifier)]),
    'users',
  ),
];
