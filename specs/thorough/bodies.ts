import fc from 'fast-check';
import type { NewUser } from '../../src/history/creation.ts';
import { type Case, CREATE, withBody } from '../../src/requirement/case.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import {
  body,
  inPrototypes,
  noObjects,
  withNeither,
  withoutEmail,
  withoutName,
} from './invalid-bodies.ts';
import { lines } from './lines.ts';

/** White space in JSON, and the order of members, of which a truncated body has any. */
const WRITTEN: Record<string, (user: NewUser) => string> = {
  narrow: (user) => JSON.stringify(user),
  wide: (user) => JSON.stringify(user, undefined, 2),
  reversed: ({ email, name }) => JSON.stringify({ name, email }),
};

/** A part of a body: it ends after a share of its characters. */
const truncated = fc
  .record({
    written: fc.constantFrom(...Object.keys(WRITTEN)),
    share: fc.integer({ min: 1, max: 99 }),
  })
  .map(({ written, share }) =>
    body(`that ends after ${share} % of the characters, ${written}`, (user) => {
      const text = WRITTEN[written]?.(user) ?? '';
      return text.slice(0, Math.max(1, Math.floor((text.length * share) / 100)));
    }),
  );

/** Directly before and after each sign of its structure. */
const atSigns: Case[] = Object.entries(WRITTEN).flatMap(([written, write]) =>
  ['"', ':', ','].flatMap((sign) =>
    [0, 1].flatMap((after) => [
      body(`that ends ${after ? 'after' : 'before'} the first ${sign}, ${written}`, (user) =>
        write(user).slice(0, Math.max(1, write(user).indexOf(sign) + after)),
      ),
      body(`that ends ${after ? 'after' : 'before'} the last ${sign}, ${written}`, (user) =>
        write(user).slice(0, write(user).lastIndexOf(sign) + after),
      ),
    ]),
  ),
);

/** A value that is not a string as email or as name. */
function mistyped(member: 'email' | 'name', text: string, value: (own: string) => string): Case {
  const other = member === 'email' ? 'name' : 'email';
  return {
    name: `${text} as ${member}`,
    operation: CREATE,
    expected: 'either',
    untraced: member,
    change: withBody((user) => {
      return `{"${other}":${JSON.stringify(user[other])},"${member}":${value(user[member])}}`;
    }),
  };
}

const notStrings: Case[] = (['email', 'name'] as const).flatMap((member) => [
  ...lines('not-strings').map((text) => mistyped(member, text, () => text)),
  mistyped(member, 'an array with the string in it', (text) => JSON.stringify([text])),
  mistyped(member, 'an array in an array with the string in it', (text) =>
    JSON.stringify([[text]]),
  ),
]);

/** Each table is sent in so many rounds. */
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
  table('bodies that are not objects', 'create.object-required', noObjects),
  table('bodies truncated at a sign', 'create.complete-json', atSigns),
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
