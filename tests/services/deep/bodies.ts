import { jsonOf } from '../broken/broken.ts';
import type { Patch } from '../service.ts';
import { type Deep, deep, each } from './deep.ts';

const email = deep('create.email-required');
const name = deep('create.name-required');
const object = deep('create.object-required');
const complete = deep('create.complete-json');
const strings = deep('create.strings-only');

type Members = { email?: unknown; name?: unknown };

/** Makes users of more bodies. */
const alsoTaking =
  (take: (value: unknown, body: string) => { email: string; name: string } | undefined): Patch =>
  (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      if (!('error' in parsed)) return parsed;
      return take(jsonOf({ body } as never), body) ?? parsed;
    };
  };
const completed = (end: RegExp, add: string) =>
  alsoTaking((_, body) => {
    if (!end.test(body)) return undefined;
    const value = jsonOf({ body: body + add } as never) as Members | undefined;
    return { email: `${value?.email ?? ''}`, name: `${value?.name ?? ''}` };
  });

/** Stores values that are no strings as they are. */
const storingAsItIs =
  (isMeant: (value: unknown) => boolean): Patch =>
  (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      const value = jsonOf({ body } as never) as Members | undefined;
      if (!('error' in parsed) || typeof value !== 'object' || value === null) return parsed;
      const isTaken = (one: unknown) => typeof one === 'string' || isMeant(one);
      return isTaken(value.email) && isTaken(value.name) ? (value as never) : parsed;
    };
  };

/** Faults that show with bodies that no user can be made of. */
export const otherBodies: Deep[] = [
  ...each(['mail', 'login', 'emailAddress', 'EmailAddress', 'email[]'], (member) =>
    email(
      `a member ${member} is taken for the email`,
      alsoTaking((value) => {
        const { [member]: other, name: own } = (value ?? {}) as Record<string, unknown>;
        return typeof other === 'string' && typeof own === 'string'
          ? { email: other, name: own }
          : undefined;
      }),
    ),
  ),
  ...each(['fullName', 'username', 'x'], (member) =>
    name(
      `a member ${member} is taken for the name`,
      alsoTaking((value) => {
        const { [member]: other, email: own } = (value ?? {}) as Record<string, unknown>;
        return typeof other === 'string' && typeof own === 'string'
          ? { email: own, name: other }
          : undefined;
      }),
    ),
  ),
  name(
    'a member of no name is taken for the name',
    alsoTaking((value) => {
      const { '': other, email: own } = (value ?? {}) as Record<string, unknown>;
      return typeof other === 'string' && typeof own === 'string'
        ? { email: own, name: other }
        : undefined;
    }),
  ),
  ...each(['[]', '0', '[null]', '""', '1e3'], (text) =>
    object(
      `the body ${text} makes a user`,
      alsoTaking((_, body) => (body === text ? { email: '', name: '' } : undefined)),
    ),
  ),
  object(
    'an array of email and name makes a user',
    alsoTaking((value) =>
      Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string')
        ? { email: `${value[0]}`, name: `${value[1]}` }
        : undefined,
    ),
  ),
  object(
    'a string with the JSON of a user makes one',
    alsoTaking((value) =>
      typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : undefined,
    ),
  ),
  object(
    'an array of two users makes one',
    alsoTaking((value) =>
      Array.isArray(value) && value.length === 2 && value[0]?.email ? value[0] : undefined,
    ),
  ),
  ...each<[string, RegExp, string]>(
    [
      ['within a name', /"name":\s*"[^"]+$/, '"}'],
      ['after the first member', /^\{\s*"email":\s*"[^"]*"$/, '}'],
      ['within an address', /"email":\s*"[^"]+$/, '"}'],
      ['behind a colon', /:\s*$/, '""}'],
    ],
    ([where, end, add]) => complete(`truncated JSON ${where} is completed`, completed(end, add)),
  ),
  ...each<[string, (value: unknown) => boolean]>(
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
    ([what, isMeant]) => strings(`${what} is stored as it is`, storingAsItIs(isMeant)),
  ),
  ...each(['__proto__', 'constructor'], (member) =>
    deep('create.members-required')(
      `what stands in ${member} is taken for the members of the body`,
      alsoTaking((value) => {
        const { email, name } = (Object.getOwnPropertyDescriptor(Object(value), member)?.value ??
          {}) as Members;
        return typeof email === 'string' && typeof name === 'string' ? { email, name } : undefined;
      }),
    ),
  ),
];
