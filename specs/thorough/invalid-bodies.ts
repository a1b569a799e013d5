import type { NewUser } from '../../src/history/creation.ts';
import { type Case, CREATE, withBody } from '../../src/requirement/case.ts';

/** A creation with a body that is fixed, or made from the user. */
export const body = (name: string, make: string | ((user: NewUser) => string)): Case => ({
  name: `the body ${name}`,
  operation: CREATE,
  change: withBody(make),
});

/** The user in the names of cases. */
const SAMPLE: NewUser = { email: 'EMAIL', name: 'NAME' };

/**
 * A creation whose body is the JSON of a value made from the user. The JSON is the name of the case
 * as well.
 */
const json = (make: (user: NewUser) => unknown): Case =>
  body(JSON.stringify(make(SAMPLE)), (user) => JSON.stringify(make(user)));

/** Such a creation for each member name. */
const withEach = (members: string[], make: (user: NewUser, member: string) => unknown): Case[] =>
  members.map((member) => json((user) => make(user, member)));

/** Returns an object with these members, of which one may be called `__proto__`. */
const withMembers = (members: [name: string, value: unknown][]): object => {
  const object = {};
  for (const [name, value] of members) {
    Object.defineProperty(object, name, { value, enumerable: true });
  }
  return object;
};

/** Members that a service may read as the email or the name. */
const LIKE_EMAIL = [
  'mail',
  'e-mail',
  'e_mail',
  'email_address',
  'emailAddress',
  'emails',
  'login',
  'user',
  'username',
  'userName',
  'address',
  'title',
  'x',
  '',
  '__proto__',
  'constructor',
  'EmailAddress',
  'email ',
  ' email',
  'email\t',
  'email\0',
  'email[]',
  'email[0]',
  'email.value',
  'user.email',
  'user[email]',
  '@email',
  '/email',
  'еmail',
  'ｅmail',
];
const LIKE_NAME = [
  'fullName',
  'full_name',
  'first_name',
  'firstName',
  'displayName',
  'display_name',
  'username',
  'userName',
  'login',
  'title',
  'label',
  'nickname',
  'x',
  '',
  '__proto__',
  'constructor',
  ' name',
  'name ',
  'name\t',
  'name\0',
  'name[]',
  'name[0]',
  'name.value',
  'user.name',
  'user[name]',
  '@name',
  '/name',
  'nаme',
  'ｎame',
];
const HOLDERS = ['data', 'user', 'attributes', 'value', 'constructor', 'contact', 'profile'];
const PLURALS = ['data', 'user', 'value', '__proto__'];

export const withoutEmail: Case[] = [
  json(({ name }) => ({ name })),
  json(({ name }) => ({ name: `${name}@example.com` })),
  json(({ email, name }) =>
    withMembers([
      ['name', name],
      [email, email],
    ]),
  ),
  ...withEach(LIKE_EMAIL, ({ email, name }, member) =>
    withMembers([
      ['name', name],
      [member, email],
    ]),
  ),
  ...withEach(['email_', '_email', 'emails', 'mail', ...PLURALS], ({ email, name }, member) =>
    withMembers([
      ['name', name],
      [member, [email]],
    ]),
  ),
  ...withEach(HOLDERS, ({ email, name }, member) =>
    withMembers([
      ['name', name],
      [member, { email }],
    ]),
  ),
];

export const withoutName: Case[] = [
  json(({ email }) => ({ email })),
  json(({ email, name }) =>
    withMembers([
      ['email', email],
      [name, name],
    ]),
  ),
  ...withEach(LIKE_NAME, ({ email, name }, member) =>
    withMembers([
      ['email', email],
      [member, name],
    ]),
  ),
  ...withEach(['name_', '_name', 'names', ...PLURALS], ({ email, name }, member) =>
    withMembers([
      ['email', email],
      [member, [name]],
    ]),
  ),
  ...withEach(HOLDERS, ({ email, name }, member) =>
    withMembers([
      ['email', email],
      [member, { name }],
    ]),
  ),
  ...withEach(['firstName', 'first_name', 'given_name'], ({ email, name }, member) =>
    withMembers([
      ['email', email],
      [member, name],
      ['lastName', name],
      ['last_name', name],
    ]),
  ),
];

/**
 * Email or name in a member __proto__, which is a name like any other (RFC 8259 section 4). Some
 * frameworks read them there, so a service may accept these bodies.
 */
export const inPrototypes: Case[] = [
  json(({ email, name }) =>
    withMembers([
      ['name', name],
      ['__proto__', { email }],
    ]),
  ),
  json(({ email, name }) =>
    withMembers([
      ['email', email],
      ['__proto__', { name }],
    ]),
  ),
  json((user) => withMembers([['__proto__', user]])),
].map((creation): Case => ({ ...creation, expected: 'either' }));

const EMPTY_VALUES = ['1', 'null', '""', '[]', '{}', 'true'];
const WHOLE_USERS = [
  'users',
  'data',
  'attributes',
  'payload',
  'input',
  'body',
  'params',
  'record',
  'item',
  'object',
  'value',
  'properties',
  'model',
  'request',
  'variables',
  'constructor',
  'prototype',
  '0',
  '',
];

export const withNeither: Case[] = [
  body('{ }', '{ }'),
  ...['x', '', 'id', 'users', 'data', '__proto__'].flatMap((member) =>
    EMPTY_VALUES.map((value) => body(`{"${member}":${value}}`, `{"${member}":${value}}`)),
  ),
  ...withEach(WHOLE_USERS, (user, member) => withMembers([[member, user]])),
  ...withEach(
    ['users', 'user', 'data', 'items', 'records', 'list', 'values', '0'],
    (user, member) => withMembers([[member, [user]]]),
  ),
  ...withEach(['attributes', 'user', 'data'], (user, member) => ({
    data: withMembers([[member, user]]),
  })),
  ...withEach(['data', 'user', 'payload', 'users', 'body', 'json'], (user, member) =>
    withMembers([[member, JSON.stringify(user)]]),
  ),
  ...['e-mail', 'mail', 'emailAddress', 'EmailAddress', 'email '].flatMap((email) =>
    ['userName', 'username', 'fullName', 'name '].map((name) =>
      json((user) =>
        withMembers([
          [email, user.email],
          [name, user.name],
        ]),
      ),
    ),
  ),
  json(({ email, name }) => ({ x: email, y: name })),
  json(({ email, name }) => withMembers([[email, name]])),
];

const NOT_OBJECTS = [
  '[]',
  '[[]]',
  '[[[]]]',
  '[null]',
  '[{}]',
  '[[{}]]',
  '[""]',
  '[0]',
  '[1,2]',
  '[true]',
  '[false]',
  '[{},{}]',
  '[null,null]',
  '""',
  '"x"',
  '" "',
  '"{}"',
  '"[]"',
  '"null"',
  '"true"',
  '"0"',
  '0',
  '-0',
  '-1',
  '1',
  '42',
  '1.5',
  '1e3',
  '9007199254740993',
  'true',
  'false',
  'null',
];

export const notObjects: Case[] = [
  ...NOT_OBJECTS.map((text) => body(text, text)),
  json((user) => [user]),
  json((user) => [user, user]),
  json((user) => [user, null]),
  json((user) => [null, user]),
  json((user) => [user, {}]),
  json((user) => [{}, user]),
  json((user) => [[user]]),
  json((user) => [[user], [user]]),
  json((user) => [0, user]),
  json((user) => ['users', user]),
  json((user) => [{ user }]),
  json((user) => [{ data: user }]),
  json(({ email, name }) => [email, name]),
  json(({ email, name }) => [name, email]),
  json(({ email, name }) => [[email, name]]),
  json(({ email, name }) => ['email', email, 'name', name]),
  json(({ email, name }) => [
    ['email', email],
    ['name', name],
  ]),
  json(({ email, name }) => [{ email }, { name }]),
  json(({ email }) => [{ email }]),
  json(({ name }) => [{ name }]),
  json(() => [{ email: null, name: null }]),
  json((user) => [JSON.stringify(user)]),
  json((user) => JSON.stringify(user)),
  json(({ name }) => name),
  json(({ email }) => email),
  json(({ email }) => [email]),
  json(({ name }) => [name]),
];
