import fc, { type Arbitrary } from 'fast-check';
import { cases } from '../../src/plan/evidence.ts';
import {
  type BodyCase,
  type MistypedCase,
  mistyped,
  mistypedStored,
  bodies as refusedBodies,
} from '../../src/plan/steps/bodies.ts';
import type { NewUser } from '../../src/plan/users.ts';
import { topic } from '../../src/requirement/topic.ts';
import { rowOf } from './drawn.ts';

const body = (what: string, make: BodyCase['make']): BodyCase => ({ what, make });
const fixed = (text: string) => body(`the body ${text.slice(0, 40)}`, () => ({ body: text, traces: {} }));

/** Members that stand in the place of the one that is left out. */
const OTHERS = [
  'mail',
  'e-mail',
  'email_address',
  'emailAddress',
  'login',
  'user',
  'username',
  'address',
  'title',
  'fullName',
  'first_name',
  'x',
  '',
  '__proto__',
];
const without = (member: 'email' | 'name') =>
  fc.constantFrom(...OTHERS, undefined).map((other) =>
    body(`no member ${member}${other === undefined ? '' : `, but "${other}"`}`, (user) => {
      const kept = member === 'email' ? { name: user.name } : { email: user.email };
      // Written by hand: JSON.stringify would set a prototype of this name.
      const text =
        other === undefined
          ? JSON.stringify(kept)
          : `${JSON.stringify(kept).slice(0, -1)},${JSON.stringify(other)}:${JSON.stringify(user[member])}}`;
      return { body: text, traces: kept };
    }),
  );

/** JSON that is no object, also with a user in it. */
const noObject = fc.oneof(
  fc
    .constantFrom(
      '[]',
      '[[]]',
      '[null]',
      '""',
      '"x"',
      '0',
      '-0',
      '-1',
      '1.5',
      '1e3',
      'true',
      'false',
      'null',
      '"null"',
      '"{}"',
      '[{}]',
      '[1,2]',
    )
    .map(fixed),
  fc
    .constantFrom<[string, (user: NewUser) => unknown]>(
      ['an array with a user', (user) => [user]],
      ['an array with two users', (user) => [user, user]],
      ['an array in an array', (user) => [[user]]],
      ['a string with the JSON of a user', (user) => JSON.stringify(user)],
      ['an array of email and name', ({ email, name }) => [email, name]],
      ['an array of pairs', (user) => Object.entries(user)],
      ['the name alone', ({ name }) => name],
    )
    .map(([what, make]) => body(what, (user) => ({ body: JSON.stringify(make(user)), traces: user }))),
);

/** A user's JSON that ends too soon, at any character. */
const cutShort = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.boolean())
  .map(([share, isWide]) =>
    body(`JSON that is cut short after ${Math.round(100 * share)} %`, (user) => {
      const text = isWide ? JSON.stringify(user, undefined, 2) : JSON.stringify(user);
      return { body: text.slice(0, Math.max(1, Math.floor(share * text.length))), traces: user };
    }),
  );

const VALUES: unknown[] = [
  ...[0, 1, -1, 42, 1.5, 1e21, true, false, null, [], [[]], ['x'], [1], [null], {}, { $ne: '' }, { $gt: '' }],
  ...[
    { toString: 'x' },
    { email: 'a@example.com' },
    { name: 'x' },
    { value: 'x' },
    { 0: 'x' },
    { length: 3 },
    ['a@example.com'],
    [['x', 'y']],
  ],
];
const ofType = fc
  .tuple(fc.constantFrom<MistypedCase['member']>('email', 'name'), fc.constantFrom(...VALUES))
  .map(([member, value]): MistypedCase => ({ what: `${JSON.stringify(value)} as ${member}`, member, value }));

const judgedAs = (slug: string, what: string, one: Arbitrary<BodyCase>, perRound: number) =>
  topic({
    what,
    cases: rowOf(one),
    perRound,
    reads: false,
    judgedBy: {
      [slug]: (all: BodyCase[]) => ({ refusals: cases(refusedBodies, ...all) }),
      'create.invalid-status': (all: BodyCase[]) => ({ refusals: cases(refusedBodies, ...all) }),
    },
  });

export const bodies = [
  judgedAs('create.email-required', 'bodies without email', without('email'), 4),
  judgedAs('create.name-required', 'bodies without name', without('name'), 4),
  judgedAs('create.object-required', 'bodies that are no object', noObject, 6),
  judgedAs('create.complete-json', 'bodies that are cut short', cutShort, 8),
  topic({
    what: 'values that are no strings',
    cases: rowOf(ofType),
    perRound: 5,
    // A service may turn them into strings.
    users: 1,
    judgedBy: {
      'create.strings-only': (all: MistypedCase[]) => ({
        sent: cases(mistyped, ...all),
        stored: cases(mistypedStored, ...all),
      }),
      'create.mistyped-status': (all) => ({ refusals: cases(mistyped, ...all) }),
    },
  }),
];
