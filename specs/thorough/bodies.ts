import fc from 'fast-check';
import type { NewUser } from '../../src/history/creation.ts';
import type { Case } from '../../src/requirement/case.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { mistyped } from '../mistyped-values.ts';
import {
  body,
  inPrototypes,
  notObjects,
  withNeither,
  withoutEmail,
  withoutName,
} from './invalid-bodies.ts';
import { lines } from './lines.ts';

/** Ways to write a user as JSON, by name. */
const WRITERS: Record<string, (user: NewUser) => string> = {
  narrow: (user) => JSON.stringify(user),
  wide: (user) => JSON.stringify(user, undefined, 2),
  reversed: ({ email, name }) => JSON.stringify({ name, email }),
};

/** Bodies that end after a share of their characters. */
const truncated = fc
  .record({
    writer: fc.constantFrom(...Object.keys(WRITERS)),
    percent: fc.integer({ min: 1, max: 99 }),
  })
  .map(({ writer, percent }) =>
    body(`that ends after ${percent} % of the characters, ${writer}`, (user) => {
      const text = WRITERS[writer]?.(user) ?? '';
      return text.slice(0, Math.max(1, Math.floor((text.length * percent) / 100)));
    }),
  );

/** Bodies that end directly before or after a structural character. */
const truncatedAtCharacters: Case[] = Object.entries(WRITERS).flatMap(([writer, write]) =>
  ['"', ':', ','].flatMap((character) => [
    body(`that ends before the first ${character}, ${writer}`, (user) =>
      write(user).slice(0, Math.max(1, write(user).indexOf(character))),
    ),
    body(`that ends before the last ${character}, ${writer}`, (user) =>
      write(user).slice(0, write(user).lastIndexOf(character)),
    ),
    body(`that ends after the first ${character}, ${writer}`, (user) =>
      write(user).slice(0, write(user).indexOf(character) + 1),
    ),
    body(`that ends after the last ${character}, ${writer}`, (user) =>
      write(user).slice(0, write(user).lastIndexOf(character) + 1),
    ),
  ]),
);

const notStrings: Case[] = (['email', 'name'] as const).flatMap((member) => [
  ...lines('not-strings').map((json) => mistyped(member, json, () => json)),
  mistyped(member, 'an array with the string in it', (sent) => JSON.stringify([sent])),
  mistyped(member, 'an array in an array with the string in it', (sent) =>
    JSON.stringify([[sent]]),
  ),
]);

/** Rounds in which each table is sent once. */
const ROUNDS = 7;

const table = (name: string, slug: string, cases: Case[]): DrawnCases => ({
  name,
  slugs: [slug, 'create.invalid-status', 'create.answered'],
  perRound: Math.ceil(cases.length / ROUNDS),
  tables: [cases],
});

export const bodies: DrawnCases[] = [
  table('bodies without email', 'create.email-required', withoutEmail),
  table('bodies without name', 'create.name-required', withoutName),
  table('bodies with neither email nor name', 'create.members-required', withNeither),
  {
    name: 'bodies with email or name in a member __proto__',
    slugs: ['create.invalid-status'],
    perRound: 1,
    tables: [inPrototypes],
  },
  table(
    'blank bodies',
    'create.body-required',
    [' ', '\n', '\t', '\r\n', '   \n '].map((text) => body(JSON.stringify(text), text)),
  ),
  table('bodies that are not objects', 'create.object-required', notObjects),
  table('bodies truncated at a character', 'create.complete-json', truncatedAtCharacters),
  {
    name: 'truncated bodies',
    slugs: ['create.complete-json', 'create.invalid-status', 'create.answered'],
    perRound: 10,
    cases: truncated,
  },
  {
    name: 'values that are not strings',
    slugs: ['create.strings-only', 'create.mistyped-status', 'create.answered'],
    perRound: 32,
    tables: [notStrings],
  },
];
