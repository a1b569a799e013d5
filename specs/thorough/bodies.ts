import type { Arbitrary } from 'fast-check';
import { topic } from '../../src/conduct/topic.ts';
import { cases } from '../../src/plan/evidence.ts';
import {
  type BodyCase,
  type MistypedCase,
  mistyped,
  mistypedStored,
  bodies as refusedBodies,
} from '../../src/plan/steps/bodies.ts';
import type { NewUser } from '../../src/plan/users.ts';
import { inTurn, sideBySide } from './drawn.ts';

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
  [...OTHERS, undefined].map((other) =>
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
const noObject = [
  ...[
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
  ].map(fixed),
  ...(
    [
      ['an array with a user', (user) => [user]],
      ['an array with two users', (user) => [user, user]],
      ['an array in an array', (user) => [[user]]],
      ['a string with the JSON of a user', (user) => JSON.stringify(user)],
      ['an array of email and name', ({ email, name }) => [email, name]],
      ['an array of pairs', (user) => Object.entries(user)],
      ['the name alone', ({ name }) => name],
    ] as [string, (user: NewUser) => unknown][]
  ).map(([what, make]) => body(what, (user) => ({ body: JSON.stringify(make(user)), traces: user }))),
];

/** Where a user's JSON ends: at any character, or directly before or behind a sign of its structure. */
const ends: { where: string; at: (text: string) => number }[] = [
  ...Array.from({ length: 12 }, (_, index) => ({
    where: `after ${8 * index + 4} %`,
    at: (text: string) => Math.max(1, Math.floor((text.length * (8 * index + 4)) / 100)),
  })),
  ...[...'{":,'].flatMap((sign) => [
    { where: `before the first ${sign}`, at: (text: string) => Math.max(1, text.indexOf(sign)) },
    { where: `behind the first ${sign}`, at: (text: string) => text.indexOf(sign) + 1 },
    { where: `before the last ${sign}`, at: (text: string) => text.lastIndexOf(sign) },
    { where: `behind the last ${sign}`, at: (text: string) => text.lastIndexOf(sign) + 1 },
  ]),
].filter(({ where }) => !/(last|first) \{/.test(where) || where === 'behind the first {');
const cutShort = sideBySide(inTurn(ends), inTurn(['narrow', 'wide', 'turned'] as const)).map((all) =>
  all.map(([{ where, at }, written]) =>
    body(`JSON that is cut short ${where}, ${written}`, (user) => {
      const whole = written === 'turned' ? { name: user.name, email: user.email } : user;
      const text = JSON.stringify(whole, undefined, written === 'wide' ? 2 : 0);
      return { body: text.slice(0, at(text)), traces: user };
    }),
  ),
);

/** A user who is wrapped into something, or bodies with other members alone. */
const noMembers = [
  ...['{ }', '{"x":1}', '{"":""}', '{"users":[]}', '{"data":null}', '{"id":1}'].map(fixed),
  ...['user', 'data', 'attributes', 'payload', 'input', 'body', 'params', 'record'].map((member) =>
    body(`a user within a member ${member}`, (user) => ({ body: JSON.stringify({ [member]: user }), traces: user })),
  ),
  body('users within an array', (user) => ({ body: JSON.stringify({ users: [user] }), traces: user })),
];
const nothing = [' ', '\n', '\t', '\r\n', '   \n '].map((text) =>
  body(`a body of white space alone, ${JSON.stringify(text)}`, () => ({ body: text, traces: {} })),
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
const ofType = VALUES.flatMap((value) =>
  (['email', 'name'] as const).map(
    (member): MistypedCase => ({ what: `${JSON.stringify(value)} as ${member}`, member, value }),
  ),
);

const judgedAs = (slug: string, what: string, all: Arbitrary<BodyCase[]>, perRound: number) =>
  topic({
    what,
    cases: all,
    perRound,
    reads: false,
    judgedBy: {
      [slug]: (all: BodyCase[]) => ({ refusals: cases(refusedBodies, ...all) }),
      'create.invalid-status': (all: BodyCase[]) => ({ refusals: cases(refusedBodies, ...all) }),
    },
  });

export const bodies = [
  judgedAs('create.email-required', 'bodies without email', inTurn(without('email')), 5),
  judgedAs('create.name-required', 'bodies without name', inTurn(without('name')), 5),
  judgedAs('create.members-required', 'bodies with neither email nor name', inTurn(noMembers), 5),
  judgedAs('create.body-required', 'bodies of nothing', inTurn(nothing), 2),
  judgedAs('create.object-required', 'bodies that are no object', inTurn(noObject), 7),
  judgedAs('create.complete-json', 'bodies that are cut short', cutShort, 10),
  topic({
    what: 'values that are no strings',
    cases: inTurn(ofType),
    perRound: 10,
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
