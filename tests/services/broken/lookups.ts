import { randomUUID } from 'node:crypto';
import { combine, integers } from '../patches.ts';
import type { Patch, Service, User } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Finds a user for some unknown identifiers. `patches` are applied first. */
export const alsoFinds =
  (findOther: (id: string, service: Service) => User | undefined, ...patches: Patch[]): Patch =>
  (service) => {
    combine(...patches)(service);
    const { find } = service;
    service.find = (id) => find(id) ?? findOther(id, service);
  };

const EMOJI = '😀😃😄😁😆😅🤣😂🙂🙃';

/** Identifiers are numbers whose digits are emoji. */
const inEmoji: Patch = (service) => {
  let next = 100;
  service.newId = () =>
    `${next++}`.replace(/\d/g, (digit) => [...EMOJI][Number(digit)] ?? '').concat('🐍🐢🐬');
};

/** Finds the first user whose identifier matches a pattern of SQL. */
const findLike = (pattern: string, { users }: Service) => {
  const source = pattern
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return users.find(({ id }) => new RegExp(`^${source}$`).test(`${id}`));
};

/** Lookups that misread identifiers. */
export const brokenLookups: Broken[] = [
  broken(
    'retrieve.unknown',
    'an unknown identifier yields a user at the second request',
    (service) => {
      const { find } = service;
      const requested = new Set<string>();
      service.find = (id) => {
        const isRepeated = requested.has(id) && id.length === 36;
        requested.add(id);
        const invented = { id, email: 'new@example.org', name: 'New User' };
        return find(id) ?? (isRepeated ? invented : undefined);
      };
    },
  ),
  broken(
    'retrieve.odd',
    'an identifier with a punctuation mark yields the user of the previous request',
    (service) => {
      integers(service);
      const { find } = service;
      let lastRead: User | undefined;
      service.find = (id) => {
        if (/^[\w-]+$/.test(id)) lastRead = find(id);
        return lastRead;
      };
    },
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.exact-user',
    'the identifier 10 leads to the user 1',
    (service) => {
      integers(service);
      const { find } = service;
      service.find = (id) => find(id === '10' ? '1' : id);
    },
    ['list.agrees-with-retrieve'],
  ),
  broken(
    'retrieve.exact-user',
    'users are cached by the first two characters of their identifiers',
    (service) => {
      let next = 100;
      service.newId = () => `${next++}`;
      const { find } = service;
      const cache = new Map<string, User | undefined>();
      service.find = (id) => {
        const start = id.slice(0, 2);
        const user = cache.get(start) ?? find(id);
        cache.set(start, user);
        return user;
      };
    },
    ['retrieve.created-user', 'retrieve.values'],
  ),
  broken(
    'retrieve.odd',
    'a percent sign is a pattern of SQL',
    alsoFinds((id, service) => (id.includes('%') ? findLike(id, service) : undefined)),
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.odd',
    'an underscore stands for any character of short identifiers',
    alsoFinds(findLike, (service) => {
      let next = 0;
      service.newId = () => String.fromCodePoint(0x1200 + next++);
    }),
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.pattern',
    'an identifier is a regular expression',
    alsoFinds((id, { users }) => (id === '.*' ? users[0] : undefined)),
  ),
  ...(
    [
      ['an operator of a query', (id) => /^\{"\$[a-z]+":""\}$/.test(id)],
      ['a class of a regular expression', (id) => id.startsWith('\\')],
      ['NaN', (id) => Number.isNaN(Number(id)) && id === `${Number(id)}`],
      ['constructor', (id) => id === 'constructor'],
    ] as [name: string, isRead: (id: string) => boolean][]
  ).map(([name, isRead]) =>
    broken(
      'retrieve.pattern',
      `${name} yields the first user`,
      alsoFinds((id, { users }) => (isRead(id) ? users[0] : undefined)),
    ),
  ),
  broken(
    'retrieve.pattern',
    '__proto__ yields the first user',
    alsoFinds((id, { users }) => (id === '__proto__' ? users[0] : undefined)),
  ),
  broken(
    'retrieve.pattern',
    'a condition in double quotes is true for the first user',
    alsoFinds((id, { users }) => (/" OR ""=""/.test(id) ? users[0] : undefined)),
  ),
  broken(
    'retrieve.unknown',
    'the last character of an identifier is not compared',
    alsoFinds((id, { users }) =>
      users.find((user) => `${user.id}`.slice(0, -1) === id.slice(0, -1)),
    ),
  ),
  broken(
    'create.concurrent',
    'a 404 for an identifier is cached for the user who gets it later',
    (service) => {
      let next = 5000;
      service.newId = () => next++;
      const { find } = service;
      const missing = new Set<string>();
      service.find = (id) => {
        const user = missing.has(id) ? undefined : find(id);
        if (user === undefined) missing.add(id);
        return user;
      };
    },
  ),
  broken(
    'retrieve.pattern',
    'integers are cut to 32 bits',
    alsoFinds(
      (id, { find }) => (/^\d{10,}$/.test(id) ? find(`${BigInt(id) % 2n ** 32n}`) : undefined),
      integers,
    ),
    ['retrieve.unknown-status', 'http.no-server-error'],
  ),
  broken('retrieve.unknown', 'any identifier yields a user until the first creation', (service) => {
    const { find } = service;
    const anybody = { id: 'anybody', email: 'any@example.org', name: 'Any Body' };
    service.find = (id) => find(id) ?? (service.users.length === 0 ? anybody : undefined);
  }),
  broken(
    'retrieve.unknown',
    'the identifier 0 is the newest user',
    alsoFinds((id, { users }) => (id === '0' ? users.at(-1) : undefined), integers),
  ),
  broken(
    'retrieve.unknown',
    'the identifier -1 is the last of an array',
    alsoFinds((id, { users }) => (id === '-1' ? users.at(-1) : undefined), integers),
  ),
  broken(
    'retrieve.unknown',
    'an unknown integer is the system user, whom the list shows without an identifier',
    (service) => {
      const system = { id: 0, email: 'system@example.org', name: 'System' };
      service.users.push(system);
      alsoFinds((id) => (/^-?\d+$/.test(id) ? system : undefined), integers)(service);
      service.created = (user) => ({ status: 201, headers: { location: `/v1/users/${user.id}` } });
      service.record = ({ email, name }) => ({ email, name });
    },
  ),
  broken(
    'retrieve.unknown',
    'any identifier in emoji yields the first user',
    alsoFinds(
      (id, { users }) => (/^\p{Extended_Pictographic}+$/u.test(id) ? users[0] : undefined),
      inEmoji,
    ),
  ),
  broken(
    'retrieve.unknown',
    'any identifier with the usual prefix yields a user without email and name',
    (service) => {
      const { find } = service;
      service.newId = () => `usr_${randomUUID().slice(0, 8)}`;
      service.find = (id) =>
        find(id) ?? (id.startsWith('usr_') ? { id, email: '', name: '' } : undefined);
    },
  ),
];
