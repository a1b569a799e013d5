import type { NewUser } from '../../src/history/creation.ts';
import {
  asUsual,
  type Case,
  CREATE,
  type OwnParts,
  type UserKind,
} from '../../src/requirement/case.ts';
import { capitalize } from '../../src/run/users.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { PLAIN_WORDS } from '../plain-words.ts';
import {
  COMMON,
  concurrentCreation,
  fitName,
  NUMBERS,
  plainTables,
  randomUsers,
  SMALL,
  TWO_WORDS,
} from './plain-users.ts';

/** Users whom an earlier run may have created as well. */
const mayBeThere = (name: string, user: UserKind): Case => ({
  name,
  operation: CREATE,
  change: asUsual,
  phase: 'valid',
  expected: 'either',
  user,
});

const SHORT = [
  ...new Set([
    ...SMALL,
    ...COMMON,
    ...PLAIN_WORDS.flatMap((words) => words.slice(0, 8)),
    ...NUMBERS,
  ]),
].map((word) => word.toLowerCase());
const longest: UserKind['name'] = fitName(({ word }) => `${word} ${capitalize(SMALL.repeat(2))}`);
const withAddress = (local: string, name?: UserKind['name']) =>
  mayBeThere(`the address ${local}${name ? ' and the longest name' : ''}`, {
    email: ({ domain }) => local + domain,
    ...(name && { name }),
  });
const PAGES = ['new', 'me', 'search', 'count', 'export', 'stats', 'all'];

/** The shortest addresses, also with the longest name. */
const shortest: Case[] = [
  ...['a', 'ab', 'x1', '1', 'q'].map((local) => withAddress(local, longest)),
  ...[...SMALL].map((letter) => withAddress(letter)),
  // An identifier that is made of the address must not be the path of a page.
  ...PAGES.map((page) => withAddress(page)),
];
const oneWordAddresses: Case[] = SHORT.filter(
  (local) => !SMALL.includes(local) && !PAGES.includes(local),
).map((local) => withAddress(local));
const twoWordNames = TWO_WORDS.map((name) => mayBeThere(`the name ${name}`, { name: () => name }));

/** A second user with the same email or name as another one, or a similar one. */
const twin = (name: string, user: UserKind, more: Partial<Case> = {}): Case => ({
  name,
  operation: CREATE,
  change: asUsual,
  phase: 'valid',
  expected: 'either',
  user,
  rereadsShared: true,
  ...more,
});

const accented = (text: string) => text.replace(/[aeiouy]/i, '$&\u0301').normalize();
const reversed = (text: string, by: string) => text.split(by).reverse().join(by);
const like = (name: string, change: (value: string) => string) =>
  twin(name, { name: (_, other: NewUser) => change(other.name) });
const likeEmail = (name: string, change: (value: string) => string) =>
  twin(name, { email: (_, other: NewUser) => change(other.email) });

const likeNames: Case[] = [
  like('the same name', (name) => name),
  like('the same name in upper case', (name) => name.toUpperCase()),
  like('the same name in lower case', (name) => name.toLowerCase()),
  like('the same name with an accent', accented),
  like('a name of the same words in another order', (name) => reversed(name, ' ')),
  like('the beginning of the same name', (name) => name.slice(0, -1)),
  {
    ...like('the same name, and the identifier of the first user', (name) => name),
    change: (usual, { identifiers, user }) => ({
      ...usual,
      body: JSON.stringify({ id: identifiers[0], ...user }),
    }),
  },
];

const local = (email: string, change: (text: string) => string) =>
  email.replace(/^[^@]+/, (text) => change(text));

const likeEmails: Case[] = [
  likeEmail('the same email', (email) => email),
  likeEmail('the same email in upper case', (email) => email.toUpperCase()),
  likeEmail('the same email with an accent', accented),
  likeEmail('the same email with one dot more', (email) => email.replace(/^(.)/, '$1.')),
  likeEmail('the same email with a tag', (email) => email.replace('@', '+x@')),
  likeEmail('an email of the same words in another order', (email) =>
    local(email, (text) => reversed(text, '.')),
  ),
  likeEmail('an email that is one digit longer', (email) => email.replace('@', '0@')),
];

/** Returns the tag without the last digit of the user's number: ten consecutive users share it. */
const group = ({ tag }: OwnParts) => tag.replace(/\d$/, '');
const sharedEmail: UserKind = { email: (own) => `same.${group(own)}${own.domain}` };
const sharedName: UserKind = { name: (own) => `Same ${group(own)}` };

/**
 * Addresses that are equal to a service that ignores dots, or reads them as a pattern for any
 * character.
 */
const DOTTED = ['abxc', 'ab.c', 'a.bc', 'abc'];
const dotted: Case[] = DOTTED.map((text) =>
  concurrentCreation(`the address ${text}`, {
    email: (own) => `${text}${group(own)}${own.domain}`,
  }),
);

const CREATED = ['create.answers', 'create.concurrent'];
const WORDS = ['create.answers', 'round-trip.other-strings', 'create.accepted-exists'];
const rivals = (name: string, user: UserKind) =>
  [1, 2, 3, 4].map((number) =>
    concurrentCreation(`${name}, ${number} of 4 created at the same moment`, user, 'either'),
  );

export const users: DrawnCases[] = [
  {
    name: 'concurrent plain users',
    slugs: CREATED,
    part: 'plain users',
    perRound: 44,
    how: 'together',
    tables: plainTables,
  },
  {
    name: 'random plain users',
    slugs: CREATED,
    part: 'plain users',
    perRound: 4,
    how: 'together',
    cases: randomUsers,
  },
  {
    name: 'plain addresses that differ in a dot',
    slugs: CREATED,
    perRound: 4,
    how: 'together',
    tables: [dotted],
  },
  {
    name: 'concurrent users with the same email',
    slugs: ['create.same-email'],
    perRound: 4,
    how: 'together',
    tables: [rivals('the same email', sharedEmail)],
  },
  {
    name: 'concurrent users with the same name',
    slugs: ['create.same-name'],
    perRound: 4,
    how: 'together',
    tables: [rivals('the same name', sharedName)],
  },
  {
    name: 'two-word names',
    slugs: WORDS,
    part: 'plain users',
    mayExist: true,
    perRound: 6,
    tables: [twoWordNames],
  },
  {
    name: 'one-word addresses',
    slugs: WORDS,
    part: 'plain users',
    mayExist: true,
    perRound: 10,
    tables: [shortest, oneWordAddresses],
  },
  {
    name: 'users who share a name',
    slugs: ['create.same-name'],
    part: 'users',
    perRound: 2,
    tables: [likeNames],
  },
  {
    name: 'users who share an email',
    slugs: ['create.same-email'],
    part: 'users',
    perRound: 2,
    tables: [likeEmails],
  },
];
