import { members, oneOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { BodyCase, MistypedCase, Refusal } from '../../src/plan/steps/bodies.ts';
import type { NewUser } from '../../src/plan/users.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import {
  cutShortBodies,
  mistypedSent,
  refusedBodies,
  withoutBody,
  withoutEmail,
  withoutMembers,
  withoutName,
  withoutObject,
} from '../create-user.ts';

type Make = BodyCase['make'];

/** Bodies that are the same for every user, by their beginning. */
const fixed = (...all: string[]): Record<string, Make> =>
  Object.fromEntries(all.map((text) => [`the body ${JSON.stringify(text)}`, () => ({ body: text, traces: {} })]));
const json =
  (make: (user: NewUser) => unknown): Make =>
  (user) => ({ body: JSON.stringify(make(user)), traces: user });

/** Members that stand in the place of the one that is left out. */
const OTHERS = [
  ...['mail', 'e-mail', 'email_address', 'emailAddress', 'login', 'user', 'username', 'address', 'title', 'fullName'],
  ...['first_name', 'x', '', '__proto__'],
];
const without = (member: 'email' | 'name'): Record<string, Make> => {
  const kept = (user: NewUser) => (member === 'email' ? { name: user.name } : { email: user.email });
  const others = OTHERS.map((other): [string, Make] => [
    `no member ${member}, but "${other}"`,
    (user) => {
      // Written by hand: JSON.stringify would set a prototype of this name.
      const text = `${JSON.stringify(kept(user)).slice(0, -1)},${JSON.stringify(other)}:${JSON.stringify(user[member])}}`;
      return { body: text, traces: kept(user) };
    },
  ]);
  const alone: Make = (user) => ({ body: JSON.stringify(kept(user)), traces: kept(user) });
  const inQuery: Make = (user) => ({ ...alone(user), traces: user, query: `?${new URLSearchParams({ ...user })}` });
  return { ...Object.fromEntries(others), [`no member ${member}`]: alone, [`${member} in the query alone`]: inQuery };
};

/** JSON that is no object, also with a user in it. */
const noObject: Record<string, Make> = {
  ...fixed('[]', '[[]]', '[null]', '""', '"x"', '0', '-0', '-1', '1.5', '1e3', 'true', 'false', 'null', '"null"'),
  ...fixed('"{}"', '[{}]', '[1,2]'),
  'an array with a user': json((user) => [user]),
  'an array with two users': json((user) => [user, user]),
  'an array in an array': json((user) => [[user]]),
  'a string with the JSON of a user': json((user) => JSON.stringify(user)),
  'an array of email and name': json(({ email, name }) => [email, name]),
  'an array of pairs': json((user) => Object.entries(user)),
  'the name alone': json(({ name }) => name),
};

/** A user who is wrapped into something, or bodies with other members alone. */
const WRAPPERS = ['user', 'data', 'attributes', 'payload', 'input', 'body', 'params', 'record'];
const noMembers: Record<string, Make> = {
  ...Object.fromEntries(
    ['__proto__', 'constructor', 'prototype'].map((name): [string, Make] => [
      `a user within a member ${name}`,
      // Written by hand: JSON.stringify would set a prototype of this name.
      (user) => ({ body: `{"${name}":${JSON.stringify(user)}}`, traces: user }),
    ]),
  ),
  ...fixed('{ }', '{"x":1}', '{"":""}', '{"users":[]}', '{"data":null}', '{"id":1}'),
  ...Object.fromEntries(WRAPPERS.map((name) => [`a user within a member ${name}`, json((user) => ({ [name]: user }))])),
  'users within an array': json((user) => ({ users: [user] })),
  'other names for both': json(({ email, name }) => ({ mail: email, username: name })),
  'names in capitals': json(({ email, name }) => ({ Email: email, Name: name })),
};

/** Where a user's JSON ends: at any character, or directly before or after a sign of its structure. */
const ends: Record<string, (text: string) => number> = Object.fromEntries([
  ...Array.from({ length: 12 }, (_, index): [string, (text: string) => number] => {
    const percent = 8 * index + 4;
    return [`after ${percent} %`, (text) => Math.max(1, Math.floor((text.length * percent) / 100))];
  }),
  ...[...'":,'].flatMap((sign): [string, (text: string) => number][] => [
    [`before the first ${sign}`, (text) => Math.max(1, text.indexOf(sign))],
    [`after the first ${sign}`, (text) => text.indexOf(sign) + 1],
    [`before the last ${sign}`, (text) => text.lastIndexOf(sign)],
    [`after the last ${sign}`, (text) => text.lastIndexOf(sign) + 1],
  ]),
  ['after the first {', (text) => text.indexOf('{') + 1],
]);

const VALUES: unknown[] = [
  ...[0, 1, -1, 42, 1.5, 1e21, true, false, null, [], [[]], ['x'], [1], [null], {}, { $ne: '' }, { $gt: '' }],
  ...[{ toString: 'x' }, { email: 'a@example.com' }, { name: 'x' }, { value: 'x' }, { 0: 'x' }, { length: 3 }],
  ...[['a@example.com'], [['x', 'y']], [['a']], 2 ** 60],
];

const bodiesOf = (
  what: string,
  makes: Record<string, Make>,
  perRound: number,
  part: DrawnPart<BodyCase, Refusal>,
): Topic =>
  topic({
    what,
    params: members({ body: oneOf(Object.keys(makes)) }),
    toCase: ({ body }): BodyCase => ({ what: body, make: makes[body] as Make }),
    perRound,
    reads: false,
    fills: [into(part), into(refusedBodies)],
  });

export const bodies: Topic[] = [
  bodiesOf('bodies without email', without('email'), 4, withoutEmail),
  bodiesOf('bodies without name', without('name'), 4, withoutName),
  bodiesOf('bodies with neither email nor name', noMembers, 4, withoutMembers),
  bodiesOf('bodies of nothing', fixed(' ', '\n', '\t', '\r\n', '   \n '), 2, withoutBody),
  bodiesOf('bodies that are not objects', noObject, 7, withoutObject),
  topic({
    what: 'truncated bodies',
    params: members({ end: oneOf(Object.keys(ends)), written: oneOf(['narrow', 'wide', 'turned']) }),
    toCase: ({ end, written }): BodyCase => ({
      what: `JSON truncated ${end}, ${written}`,
      make: (user) => {
        const whole = written === 'turned' ? { name: user.name, email: user.email } : user;
        const text = JSON.stringify(whole, undefined, written === 'wide' ? 2 : 0);
        return { body: text.slice(0, ends[end]?.(text)), traces: user };
      },
    }),
    perRound: 10,
    reads: false,
    fills: [into(cutShortBodies), into(refusedBodies)],
  }),
  topic({
    what: 'values that are not strings',
    params: members({ member: oneOf(['email', 'name']), value: oneOf(VALUES.map((value) => JSON.stringify(value))) }),
    toCase: ({ member, value }): MistypedCase => ({ what: `${value} as ${member}`, member, value: JSON.parse(value) }),
    perRound: 10,
    // A service may turn them into strings.
    users: 1,
    fills: [into(mistypedSent)],
  }),
];
