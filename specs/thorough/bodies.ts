import fc from 'fast-check';
import type { NewUser } from '../../src/history/creation.ts';
import { type Case, CREATE, withBody } from '../../src/requirement/case.ts';
import type { Kind } from '../../src/thorough/draw.ts';
import { mistyped } from '../mistyped-values.ts';
import { words } from '../words.ts';
import { kind, lineOf, oneOf, text, weighted } from './arbitraries.ts';

/** The values of a user by the marks that stand for them in bodies. */
const MARKS: Record<string, (user: NewUser) => string> = {
  '<email>': ({ email }) => JSON.stringify(email),
  '<name>': ({ name }) => JSON.stringify(name),
  '<user>': (user) => JSON.stringify(user),
  '<user as text>': (user) => JSON.stringify(JSON.stringify(user)),
};

const fillIn = (body: string, user: NewUser): string =>
  body.replace(/<[a-z ]+>/g, (mark) => MARKS[mark]?.(user) ?? mark);

const creation = (name: string, change: Case['change'], more: Partial<Case> = {}): Case => ({
  name: `the body ${name}`,
  operation: CREATE,
  change,
  ...more,
});

/** Draws creations with a body, in which marks stand for the values of a user. */
const creations = (bodies: fc.Arbitrary<string>, more?: Partial<Case>): fc.Arbitrary<Case> =>
  bodies.map((body) =>
    creation(
      body,
      withBody((user) => fillIn(body, user)),
      more,
    ),
  );

/** Draws names that a service may read as those of a member. */
const similarTo = (member: keyof NewUser): fc.Arbitrary<string> =>
  weighted(
    [6, oneOf('x', '', '__proto__', 'constructor', ...words(`like-${member}`))],
    [2, text`${member}${oneOf(' ', '\\t', '\\u0000', '_', 's', '[]', '[0]', '.value')}`],
    [2, text`${oneOf(' ', '_', '@', '/', 'user.', 'e-')}${member}`],
    // A Cyrillic letter, and one in full width.
    [1, oneOf(member.replace(/[ae]/, 'а'), member.replace(/[ae]/, 'ｅ'))],
  );

const plural = oneOf('data', 'user', 'value', '__proto__');
const holder = oneOf('data', 'user', 'attributes', 'value', 'constructor', 'contact', 'profile');

/** Draws users without a member, but with its value under another name, or within another value. */
const without = (missing: keyof NewUser): fc.Arbitrary<Case> => {
  const present = missing === 'email' ? 'name' : 'email';
  const value = `<${missing}>`;
  const more = weighted(
    [1, oneOf('', `,${value}:${value}`)],
    [30, text`,"${similarTo(missing)}":${value}`],
    [8, text`,"${weighted([1, plural], [1, oneOf(`${missing}_`, `_${missing}`)])}":[${value}]`],
    [7, text`,"${holder}":{"${missing}":${value}}`],
  );
  return creations(text`{"${present}":<${present}>${more}}`);
};

const holderOfUser = oneOf(...words('user-holders'));

const withNeither = weighted(
  [1, oneOf('{ }', '{"x":<email>,"y":<name>}', '{<email>:<name>}')],
  [
    5,
    text`{"${oneOf('x', '', 'id', 'users', 'data', '__proto__')}":${oneOf('1', 'null', '""', '[]', '{}', 'true')}}`,
  ],
  [5, text`{"${holderOfUser}":${oneOf('<user>', '[<user>]', '<user as text>')}}`],
  [2, text`{"data":{"${holderOfUser}":<user>}}`],
  [5, text`{"${similarTo('email')}":<email>,"${similarTo('name')}":<name>}`],
);

/** Draws bodies that some frameworks read as a user, so that a service may accept them. */
const readAsUser = oneOf(
  '[["email",<email>],["name",<name>]]',
  '[["name",<name>],["email",<email>]]',
  '{"name":<name>,"__proto__":{"email":<email>}}',
  '{"email":<email>,"__proto__":{"name":<name>}}',
  '{"__proto__":<user>}',
);

const scalar = lineOf('json-scalars');
const string = oneOf('""', '"x"', '" "', '"{}"', '"[]"', '"null"', '"0"');

/** Draws an array of one or two values. */
const arrayOf = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  weighted(
    [1, oneOf('[]')],
    [6, text`[${value}]`],
    [2, text`[[${value}]]`],
    [2, text`[${value},${value}]`],
  );

/** Draws values with a part of a user in them, of which none is an array. */
const part = oneOf(
  ...['<email>', '<name>', '<user>', '<user as text>', '{"email":<email>}', '{"name":<name>}'],
  ...['{"user":<user>}', '{"data":<user>}', 'null', '{}', '0', '"users"'],
);

const notObject = weighted(
  [4, scalar],
  [2, string],
  [1, oneOf('<email>', '<name>', '<user as text>')],
  [6, arrayOf(weighted([4, scalar], [1, string], [1, oneOf('{}', '[]')]))],
  [8, arrayOf(part)],
);

/** Draws values that are not strings, as JSON. */
const notString = weighted(
  [3, scalar],
  [3, arrayOf(weighted([1, scalar], [1, oneOf('"x"', '""', '{}', '[]', '{"value":"x"}')]))],
  [
    5,
    text`{"${oneOf('', ...words('value-members'))}":${oneOf('"x"', '""', 'null', '1', '{"x":1}')}}`,
  ],
  [1, oneOf('{}', '{"type":"Buffer","data":[65]}', '{"first":"A","last":"B"}')],
);

const mistypedCases = fc
  .tuple(
    fc.constantFrom<keyof NewUser>('email', 'name'),
    weighted([20, notString], [1, oneOf('[<sent>]', '[[<sent>]]')]),
  )
  .map(([member, json]) =>
    mistyped(member, json, (sent) => json.replace('<sent>', () => JSON.stringify(sent))),
  );

/** Draws the beginning of a user's JSON: up to a share of it, or to a structural character. */
const truncated = fc
  .tuple(
    oneOf(
      '{"email":<email>,"name":<name>}',
      '{"name":<name>,"email":<email>}',
      '{\n  "email": <email>,\n  "name": <name>\n}',
    ),
    weighted<string | number>([1, fc.integer({ min: 1, max: 99 })], [1, oneOf(...'",:')]),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([body, end, isFirst, isAfter]) => {
    const cut = (user: NewUser) => {
      const json = fillIn(body, user);
      if (typeof end === 'number')
        return json.slice(0, Math.max(1, Math.floor((json.length * end) / 100)));
      const index = isFirst ? json.indexOf(end) : json.lastIndexOf(end);
      return json.slice(0, index + Number(isAfter));
    };
    const sign = `${isAfter ? 'after' : 'before'} the ${isFirst ? 'first' : 'last'} ${end}`;
    const place = typeof end === 'number' ? `after ${end} %` : sign;
    return creation(`${JSON.stringify(body)} that ends ${place}`, withBody(cut));
  });

const blank = fc
  .string({ unit: oneOf(...' \n\t\r'), minLength: 1, maxLength: 4 })
  .map((body) => creation(JSON.stringify(body), withBody(body)));

/** The requirements on a body from which no user can be created. */
const invalid = (rule: string) => [`create.${rule}`, 'create.invalid-status', 'create.answered'];

export const bodies: Kind<Case>[] = [
  kind('bodies without email', invalid('email-required'), 8, without('email')),
  kind('bodies without name', invalid('name-required'), 8, without('name')),
  kind(
    'bodies with neither email nor name',
    invalid('members-required'),
    14,
    creations(withNeither),
  ),
  kind(
    'bodies that some frameworks read as a user',
    ['create.invalid-status'],
    1,
    creations(readAsUser, { expected: 'either' }),
  ),
  kind('blank bodies', invalid('body-required'), 1, blank),
  kind('bodies that are not objects', invalid('object-required'), 12, creations(notObject)),
  kind('truncated bodies', invalid('complete-json'), 16, truncated),
  kind(
    'values that are not strings',
    ['create.strings-only', 'create.mistyped-status', 'create.answered'],
    32,
    mistypedCases,
  ),
];
