import { jsonOf, type Members, membersOf } from '../broken/broken.ts';
import { lenient } from '../broken/create.ts';
import type { NewUser, Patch } from '../service.ts';
import { type Deep, deep, faultsFor } from './deep.ts';

const email = deep('create.email-required');
const name = deep('create.name-required');
const object = deep('create.object-required');
const complete = deep('create.complete-json');
const strings = deep('create.strings-only');

/** Completes bodies that end as a pattern says. */
const completes = (end: RegExp, missing: string) =>
  lenient((_, body) => {
    if (!end.test(body)) return undefined;
    const { email, name } = membersOf(jsonOf({ body: body + missing })) ?? {};
    return { email: `${email ?? ''}`, name: `${name ?? ''}` };
  });

/** Stores members that are no strings, with their type, if `isStored` returns true for them. */
const storesAsSent =
  (isStored: (value: unknown) => boolean): Patch =>
  (service) => {
    const { parse } = service;
    const isAccepted = (value: unknown) => typeof value === 'string' || isStored(value);
    service.parse = (body) => {
      const parsed = parse(body);
      const sent = jsonOf({ body });
      if (!('error' in parsed) || typeof sent !== 'object' || sent === null) return parsed;
      const { email, name }: Members = sent;
      return isAccepted(email) && isAccepted(name) ? (sent as NewUser) : parsed;
    };
  };

/** Faults that only invalid bodies trigger. */
export const otherBodies: Deep[] = [
  ...faultsFor(['mail', 'login', 'emailAddress', 'EmailAddress', 'email[]'], (member) =>
    email(
      `a member ${member} is taken for the email`,
      lenient((value) => {
        const { [member]: email, name } = (value ?? {}) as Record<string, unknown>;
        return typeof email === 'string' && typeof name === 'string' ? { email, name } : undefined;
      }),
    ),
  ),
  ...faultsFor(['fullName', 'username', 'x'], (member) =>
    name(
      `a member ${member} is taken for the name`,
      lenient((value) => {
        const { [member]: name, email } = (value ?? {}) as Record<string, unknown>;
        return typeof email === 'string' && typeof name === 'string' ? { email, name } : undefined;
      }),
    ),
  ),
  name(
    'a member of no name is taken for the name',
    lenient((value) => {
      const { '': name, email } = (value ?? {}) as Record<string, unknown>;
      return typeof email === 'string' && typeof name === 'string' ? { email, name } : undefined;
    }),
  ),
  ...faultsFor(['[]', '0', '[null]', '""', '1e3'], (text) =>
    object(
      `the body ${text} makes a user`,
      lenient((_, body) => (body === text ? { email: '', name: '' } : undefined)),
    ),
  ),
  object(
    'an array of email and name makes a user',
    lenient((value) =>
      Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string')
        ? { email: `${value[0]}`, name: `${value[1]}` }
        : undefined,
    ),
  ),
  object(
    'a string with the JSON of a user makes one',
    lenient((value) =>
      typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : undefined,
    ),
  ),
  object(
    'an array of two users makes one',
    lenient((value) =>
      Array.isArray(value) && value.length === 2 && value[0]?.email ? value[0] : undefined,
    ),
  ),
  ...faultsFor<[string, RegExp, string]>(
    [
      ['within a name', /"name":\s*"[^"]+$/, '"}'],
      ['after the first member', /^\{\s*"email":\s*"[^"]*"$/, '}'],
      ['within an address', /"email":\s*"[^"]+$/, '"}'],
      ['behind a colon', /:\s*$/, '""}'],
    ],
    ([where, end, missing]) =>
      complete(`truncated JSON ${where} is completed`, completes(end, missing)),
  ),
  ...faultsFor<[string, (value: unknown) => boolean]>(
    [
      ['0', (value) => value === 0],
      ['false', (value) => value === false],
      ['an empty array', (value) => Array.isArray(value) && value.length === 0],
      [
        'an empty object',
        (value) =>
          typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          Object.keys(value).length === 0,
      ],
      ['a fraction', (value) => value === 1.5],
      [
        'an object with a length',
        (value) =>
          typeof value === 'object' && value !== null && 'length' in value && !Array.isArray(value),
      ],
      [
        'an object with toString',
        (value) => typeof value === 'object' && value !== null && Object.hasOwn(value, 'toString'),
      ],
      [
        'an array of one string',
        (value) => Array.isArray(value) && value.length === 1 && typeof value[0] === 'string',
      ],
    ],
    ([what, isStored]) => strings(`${what} is stored as it is`, storesAsSent(isStored)),
  ),
  ...faultsFor(['__proto__', 'constructor'], (member) =>
    deep(member === 'constructor' ? 'create.members-required' : 'create.invalid-status')(
      `what stands in ${member} is taken for the members of the body`,
      lenient((value) => {
        const { email, name } = (Object.getOwnPropertyDescriptor(Object(value), member)?.value ??
          {}) as Members;
        return typeof email === 'string' && typeof name === 'string' ? { email, name } : undefined;
      }),
    ),
  ),
];
