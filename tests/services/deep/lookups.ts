import { combine } from '../patches.ts';
import type { Patch, User } from '../service.ts';
import { type Deep, deep, faultsFor } from './deep.ts';

const unknown = deep('retrieve.unknown');
const odd = deep('retrieve.odd');
const pattern = deep('retrieve.pattern');

/** Finds a user for some unknown identifiers. */
const alsoFinding =
  (more: (id: string, users: User[]) => User | undefined): Patch =>
  (service) => {
    const { find } = service;
    service.find = (id) => find(id) ?? more(id, service.users);
  };

/** Identifiers are integers, counted from 1001. */
const numbers: Patch = (service) => {
  let made = 0;
  service.newId = () => {
    made += 1;
    return 1000 + made;
  };
};
const first = (_: string, [user]: User[]) => user;

/** Whether a text matches a pattern in which an underscore stands for any character. */
const isLike = (text: string, pattern: string) =>
  text.length === pattern.length &&
  [...pattern].every((character, at) => character === '_' || character === text[at]);

/** Faults that only unknown identifiers trigger. */
export const otherIdentifiers: Deep[] = [
  ...faultsFor([10 ** 6, 10 ** 9], (size) =>
    unknown(
      `identifiers are counted modulo ${size}`,
      combine(
        numbers,
        alsoFinding((id, users) =>
          /^\d+$/.test(id) && !/^9+$/.test(id)
            ? users.find((user) => user.id === Number(BigInt(id) % BigInt(size)))
            : undefined,
        ),
      ),
    ),
  ),
  unknown(
    'half an identifier is enough',
    alsoFinding((id, users) =>
      id.length >= 15 ? users.find((user) => `${user.id}`.startsWith(id)) : undefined,
    ),
  ),
  unknown(
    'the end of an identifier is enough',
    alsoFinding((id, users) =>
      id.length >= 8 ? users.find((user) => `${user.id}`.endsWith(id)) : undefined,
    ),
  ),
  unknown(
    'the last character of an identifier does not count',
    alsoFinding((id, users) =>
      id.length === 36
        ? users.find((user) => `${user.id}`.slice(0, -1) === id.slice(0, -1))
        : undefined,
    ),
  ),
  unknown(
    'the UUID of zeros is the first user',
    alsoFinding((id, users) => (/^[0-]+$/.test(id) && id.length === 36 ? users[0] : undefined)),
  ),
  unknown(
    'the UUID of fs is the first user',
    alsoFinding((id, users) => (/^[f-]+$/.test(id) && id.length === 36 ? users[0] : undefined)),
  ),
  ...faultsFor(['NaN', '[object Object]', '+', ';', '\n', '٣', '\ufeff'], (text) =>
    odd(
      `the identifier ${JSON.stringify(text)} is the first user`,
      alsoFinding((id, users) => (id === text ? first(id, users) : undefined)),
    ),
  ),
  ...faultsFor([255, 1024], (length) =>
    odd(
      `an identifier of more than ${length - 1} and less than 4,000 characters is the first user`,
      alsoFinding((id, users) => (id.length >= length && id.length < 4000 ? users[0] : undefined)),
    ),
  ),
  ...faultsFor(['**', '.+', '^', '\\w+', '%%'], (text) =>
    pattern(
      `${text} matches the first user`,
      alsoFinding((id, users) => (id === text ? first(id, users) : undefined)),
    ),
  ),
  unknown('who is asked for twice is made up', (service) => {
    const { missing, find } = service;
    const requested = new Set<string>();
    service.missing = (id) => {
      requested.add(id);
      return missing(id);
    };
    service.find = (id) =>
      find(id) ??
      (requested.has(id) ? { id, email: `${id}@example.org`, name: 'Made Up' } : undefined);
  }),
  ...faultsFor(['toString', 'length'], (text) =>
    pattern(
      `${text} is a member of the users`,
      alsoFinding((id, users) => (id === text ? first(id, users) : undefined)),
    ),
  ),
  ...faultsFor(
    [
      "x' OR 'x'='x",
      '" OR ""="',
      "' OR 1=1--",
      '{"$ne":null}',
      '{"$gt":""}',
      '*)(uid=*',
      '${id}',
      ':id',
    ],
    (text) =>
      pattern(
        `${text} is carried out`,
        alsoFinding((id, users) => (id === text ? first(id, users) : undefined)),
      ),
  ),
  ...faultsFor(['1', '-1', '1.0'], (text) =>
    pattern(
      `${text} is a place among the users`,
      alsoFinding((id, users) => (id === text ? users.at(Number(text)) : undefined)),
    ),
  ),
  pattern(
    'an underscore stands for any character',
    alsoFinding((id, users) =>
      id.length < 2 ? undefined : users.find((user) => isLike(`${user.id}`, id)),
    ),
  ),
  deep('retrieve.exact-user')(
    'identifiers count in letters of both cases, and their case does not count',
    (service) => {
      let next = 52 * 52;
      const letter = (value: number) =>
        String.fromCharCode(value % 2 === 0 ? 97 + value / 2 : 65 + (value - 1) / 2);
      service.newId = () => {
        next += 1;
        return [next / 2704, next / 52, next]
          .map((value) => letter(Math.floor(value) % 52))
          .join('');
      };
      service.find = (id) =>
        service.users.find((user) => `${user.id}`.toLowerCase() === id.toLowerCase());
    },
  ),
];
