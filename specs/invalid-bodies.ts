import type { BodyCase, MistypedCase } from '../src/plan/steps/bodies.ts';
import { someOf } from '../src/plan/turns.ts';
import type { NewUser } from '../src/plan/users.ts';

/**
 * A body of a creation: `$email` and `$name` stand for JSON strings, `$user` for the usual body, `$text` for that as a
 * string.
 */
export const body = (what: string, template: string): BodyCase => ({
  what,
  make: (user) => {
    const values: Record<string, unknown> = { ...user, user, text: JSON.stringify(user) };
    const isSent = (member: keyof NewUser) => new RegExp(`\\$(${member}|user|text)\\b`).test(template);
    return {
      body: template.replace(/(?<!")\$(email|name|user|text)/g, (_, of) => JSON.stringify(values[of])),
      traces: { ...(isSent('email') && { email: user.email }), ...(isSent('name') && { name: user.name }) },
    };
  },
});

/** JSON of other types than an object, in each run some of these. */
const ofUser = [body('an array with a user in it', '[$user]'), body('an array of the two strings', '[$email,$name]')];
const arrays = [
  body('an empty array', '[]'),
  body('an array in an array', '[[$email,$name]]'),
  body('an array of two users', '[$user,$user]'),
  body('an array with null in it', '[null]'),
  body('an array with an empty object in it', '[{}]'),
];
const ofJson = body('a string with the JSON of a user', '$text');
const strings = [body('a string', '$email'), body('an empty string', '""'), body('a string with JSON', '"{}"')];
const numbers = ['42', '0', '-1', '1.5'].map((text) => body(`the number ${text}`, text));
const truths = ['true', 'false'].map((text) => body(text, text));
const notAnObject = body('null', 'null');

/**
 * Wherever a service may look for an email and a name besides: each of these is wrong by itself. Stock frameworks may
 * read the query as well, take a whole user from a member `user`, and find members by their names in any case: none of
 * these is sent.
 */
const EMAILS = '"mail":$email,"e_mail":$email,"email_address":$email," email":$email';
const NAMES = '"username":$name,"full_name":$name," name":$name';
const within = (user: string) => `"data":${user},"attributes":${user}`;
const inPrototypes = '"__proto__":$user,"constructor":{"prototype":$user}';

const blank = [body('an empty body', ''), body('white space alone', ' \n')];
const cut = [
  body('truncated JSON', '{"email":$email,"name":$name'),
  {
    what: 'JSON truncated inside a string',
    make: (user: NewUser) => ({ body: JSON.stringify(user).slice(0, -2), traces: user }),
  },
];

/** Bodies that no user can be made of, by what they lack. */
export const INVALID = {
  email: [body('no member email', '{"name":$name}')],
  name: [body('no member name', '{"email":$email}')],
  members: [
    body('neither email nor name', '{}'),
    body('a user under other names and in other members', `{${inPrototypes},${within('$user')},${EMAILS},${NAMES}}`),
  ],
  object: [
    ...ofUser,
    ...someOf(arrays),
    ofJson,
    ...someOf(strings),
    ...someOf(numbers),
    ...someOf(truths),
    notAnObject,
  ],
  empty: blank,
  cut,
};

/** Those that other steps send, of the same kinds. */
export const INVALID_ELSEWHERE = {
  email: [
    body(
      'no member email, but others like it',
      `{"name":$name,"user":{"email":$email},${within('{"email":$email}')},${EMAILS}}`,
    ),
  ],
  name: [
    body(
      'no member name, but others like it',
      `{"email":$email,"user":{"name":$name},${within('{"name":$name}')},${NAMES}}`,
    ),
  ],
  object: [...ofUser, ...arrays, ofJson, ...strings, ...numbers, ...truths, notAnObject],
  empty: blank,
  cut: [
    ...cut,
    body('JSON truncated before a value', '{"email":$email,"name":'),
    body('JSON truncated after a member', '{"email":$email'),
    body('JSON truncated after a comma', '{"email":$email,"name":$name,'),
    body('an opening brace', '{'),
  ],
};

/**
 * Values that are no strings, in each run one of each type as email and another one as name. Some numbers are beyond 64
 * bits, which a database may not take.
 */
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
export const MISTYPED = [
  ...MEMBERS.map((member) => mistypedAs(member, null)),
  ...VALUES.flatMap((values, type) => {
    const count = SLOTS[type] as number;
    const allAs = (member: MistypedCase['member']) => values.map((value) => mistypedAs(member, value));
    return MEMBERS.flatMap((member, place) => someOf(allAs(member), count, place * count));
  }),
];
export const EVERY_MISTYPED = MEMBERS.flatMap((member) =>
  [null, ...VALUES.flat()].map((value) => mistypedAs(member, value)),
);
