import type { BodyCase, MistypedCase } from '../src/plan/steps/bodies.ts';
import { inTurns } from '../src/plan/turns.ts';
import type { NewUser } from '../src/plan/users.ts';

/** Bodies that no user can be made of, and what of the user would show in one that is made all the same. */
const body = (what: string, make: BodyCase['make']): BodyCase => ({ what, make });
const fixed = (text: string) => () => ({ body: text, traces: {} });
export const noEmail = body('no member email', ({ name }) => ({ body: JSON.stringify({ name }), traces: { name } }));
export const noName = body('no member name', ({ email }) => ({ body: JSON.stringify({ email }), traces: { email } }));
export const noMembers = body('neither email nor name', fixed('{}'));
const notAnObject = body('null', fixed('null'));
/** JSON of other types, in each run some of these. */
const arrays = [
  body('an empty array', fixed('[]')),
  body('an array in an array', (user) => ({ body: JSON.stringify([[user.email, user.name]]), traces: user })),
  body('an array of two users', (user) => ({ body: JSON.stringify([user, user]), traces: user })),
  body('an array with null in it', fixed('[null]')),
  body('an array with an empty object in it', fixed('[{}]')),
];
const strings = [
  body('a string', ({ email }) => ({ body: JSON.stringify(email), traces: { email } })),
  body('an empty string', fixed('""')),
  body('a string with the JSON of a user', (user) => ({ body: JSON.stringify(JSON.stringify(user)), traces: user })),
  body('a string with JSON', fixed('"{}"')),
];
const numbers = ['42', '0', '-1', '1.5'].map((text) => body(`the number ${text}`, fixed(text)));
const truths = ['true', 'false'].map((text) => body(text, fixed(text)));
const ofUser = [
  body('an array with a user in it', (user) => ({ body: JSON.stringify([user]), traces: user })),
  body('an array of the two strings', (user) => ({ body: JSON.stringify([user.email, user.name]), traces: user })),
];
export const noObject = [
  ...ofUser,
  ...inTurns([body('another array', fixed('[]')), body('one more array', fixed('[]'))], arrays),
  ...inTurns([body('one string', fixed('""')), body('another string', fixed('""'))], strings),
  ...inTurns([body('a number', fixed('0'))], numbers),
  ...inTurns([body('true or false', fixed('true'))], truths),
  notAnObject,
];
export const noBody = body('an empty body', fixed(''));
export const white = body('white space alone', fixed(' \n'));
const cutBy = (user: NewUser, characters: number) => ({
  body: JSON.stringify(user).slice(0, -characters),
  traces: user,
});
const cutShort = body('truncated JSON', (user) => cutBy(user, 1));
/** Wherever a service may look for an email and a name besides: each of these is wrong by itself. */
const likeEmail = ({ email }: NewUser) => ({ mail: email, e_mail: email, email_address: email, ' email': email });
const likeName = ({ name }: NewUser) => ({ username: name, full_name: name, ' name': name });
const within = (user: Partial<NewUser>) => ({ user, data: user, attributes: user });
export const elsewhere = body('a user under other names, in other members and in the query', (user) => {
  const others = JSON.stringify({ ...within(user), ...likeEmail(user), ...likeName(user) });
  // Written by hand: JSON.stringify would set a prototype.
  const text = `{"__proto__":${JSON.stringify(user)},"constructor":{"prototype":${JSON.stringify(user)}},${others.slice(1)}`;
  return { body: text, traces: user, query: `?${new URLSearchParams({ ...user })}` };
});
export const emailElsewhere = body('no member email, but others like it and one in the query', (user) => {
  const { email, name } = user;
  const text = JSON.stringify({ name, ...within({ email }), ...likeEmail(user) });
  return { body: text, traces: user, query: `?${new URLSearchParams({ email })}` };
});
export const nameElsewhere = body('no member name, but others like it and one in the query', (user) => {
  const { email, name } = user;
  const text = JSON.stringify({ email, ...within({ name }), ...likeName(user) });
  return { body: text, traces: user, query: `?${new URLSearchParams({ name })}` };
});
const cutInString = body('JSON truncated inside a string', (user) => cutBy(user, 2));
const cutElsewhere = [
  body('JSON truncated before a value', ({ email, name }) => ({
    body: JSON.stringify({ email, name }).slice(0, -JSON.stringify(name).length - 1),
    traces: { email },
  })),
  body('JSON truncated after a member', (user) => ({
    body: `{"email":"${user.email}"`,
    traces: { email: user.email },
  })),
  body('JSON truncated after a comma', (user) => ({ body: `${cutBy(user, 1).body},`, traces: user })),
  body('an opening brace', fixed('{')),
];
export const allCut = [cutShort, cutInString];
export const allEmpty = inTurns([body('an empty body', fixed(''))], [noBody, white]);
export const allBodies = [noEmail, noName, noMembers, elsewhere, ...noObject, ...allEmpty, ...allCut];

/** Values that are no strings, in each run one of each type as email and another one as name. Some numbers are beyond 64 bits, which a database may not take. */
const VALUES: unknown[][] = [
  [42, 0, 2 ** 66, -1, 1.5],
  [true, false],
  [['Ada', 'Grace'], [], [['Ada']], [null]],
  [{ first: 'Ada' }, {}, { $ne: '' }],
];
const mistypedAs = (member: MistypedCase['member'], value: unknown): MistypedCase => {
  return { what: `${JSON.stringify(value)} as ${member}`, member, value };
};
const MEMBERS = ['email', 'name'] as const;
/** Of each type two, of objects one. */
const SLOTS = [2, 2, 2, 1];
export const allMistyped = [
  ...MEMBERS.map((member) => mistypedAs(member, null)),
  ...VALUES.flatMap((values, type) =>
    MEMBERS.flatMap((member, place) =>
      inTurns(
        Array.from({ length: SLOTS[type] as number }, (_, slot) => mistypedAs(member, values[slot])),
        values.map((value) => mistypedAs(member, value)),
      ).map((one, slot) => ({ ...one, turn: place * (SLOTS[type] as number) + slot })),
    ),
  ),
];
const everyMistyped = MEMBERS.flatMap((member) => [null, ...VALUES.flat()].map((value) => mistypedAs(member, value)));
export const otherJson = [...ofUser, ...arrays, ...strings, ...numbers, ...truths, notAnObject];

/** The same for other steps to send, by kind. */
export const INVALID = {
  members: [emailElsewhere, nameElsewhere],
  json: otherJson,
  empty: [noBody, white],
  cut: [...allCut, ...cutElsewhere],
  mistyped: everyMistyped,
};
