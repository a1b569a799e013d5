import { randomUUID } from 'node:crypto';
import type { Patch, Service, User } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Some identifiers that are nobody's yield a user. */
const alsoFinds =
  (find: (id: string, service: Service) => User | undefined, ...patches: Patch[]): Patch =>
  (service) => {
    for (const patch of patches) patch(service);
    const { find: right } = service;
    service.find = (id) => right(id) ?? find(id, service);
  };

const integers: Patch = (service) => {
  let next = 1;
  service.newId = () => next++;
};

const emoji = '😀😃😄😁😆😅🤣😂🙂🙃';
const inEmoji: Patch = (service) => {
  let next = 100;
  service.newId = () =>
    `${next++}`.replace(/\d/g, (digit) => [...emoji][Number(digit)] ?? '').concat('🐍🐢🐬');
};

const like = (pattern: string, { users }: Service) => {
  const source = pattern
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return users.find(({ id }) => new RegExp(`^${source}$`).test(`${id}`));
};

/** Identifiers that a lookup reads as something else. */
export const brokenLookups: Broken[] = [
  broken('retrieve.unknown', 'who is asked for a second time is there', (service) => {
    const { find } = service;
    const asked = new Set<string>();
    service.find = (id) => {
      const made =
        asked.has(id) && id.length === 36
          ? { id, email: 'new@example.org', name: 'New User' }
          : undefined;
      asked.add(id);
      return find(id) ?? made;
    };
  }),
  broken(
    'retrieve.odd',
    'an identifier with a punctuation mark shows the user that was read before it',
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
      const cached = new Map<string, User | undefined>();
      service.find = (id) => {
        const found = cached.get(id.slice(0, 2)) ?? find(id);
        cached.set(id.slice(0, 2), found);
        return found;
      };
    },
    ['retrieve.created-user', 'retrieve.values'],
  ),
  broken(
    'retrieve.odd',
    'a percent sign is a pattern of SQL',
    alsoFinds((id, service) => (id.includes('%') ? like(id, service) : undefined)),
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.odd',
    'an underscore stands for any character of short identifiers',
    alsoFinds(like, (service) => {
      let next = 0;
      service.newId = () => String.fromCodePoint(0x1200 + next++);
    }),
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.pattern',
    'an identifier is a regular expression',
    alsoFinds((id, { users }) => (id === '.*' ? users[0] : undefined)),
    ['retrieve.odd-status'],
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
      ['retrieve.odd-status'],
    ),
  ),
  broken(
    'retrieve.pattern',
    '__proto__ yields the first user',
    alsoFinds((id, { users }) => (id === '__proto__' ? users[0] : undefined)),
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.pattern',
    'a condition in double quotes is true for the first user',
    alsoFinds((id, { users }) => (/" OR ""=""/.test(id) ? users[0] : undefined)),
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.unknown',
    'the last character of an identifier is not compared',
    alsoFinds((id, { users }) => users.find((one) => `${one.id}`.slice(0, -1) === id.slice(0, -1))),
    ['retrieve.unknown-status'],
  ),
  broken(
    'create.concurrent',
    'that nobody has an identifier is kept for the one who gets it',
    (service) => {
      let next = 5000;
      service.newId = () => next++;
      const { find } = service;
      const missing = new Set<string>();
      service.find = (id) => {
        const found = missing.has(id) ? undefined : find(id);
        if (found === undefined) missing.add(id);
        return found;
      };
    },
  ),
  broken(
    'retrieve.pattern',
    'integers are cut to 32 bits',
    alsoFinds((id, { find }) => {
      return /^\d{10,}$/.test(id) ? find(`${BigInt(id) % 2n ** 32n}`) : undefined;
    }, integers),
    ['retrieve.odd-status', 'retrieve.unknown-status', 'http.no-server-error'],
  ),
  broken(
    'retrieve.unknown',
    'any identifier is a user until the first one is created',
    (service) => {
      const { find } = service;
      const anybody = { id: 'anybody', email: 'any@example.org', name: 'Any Body' };
      service.find = (id) => find(id) ?? (service.users.length === 0 ? anybody : undefined);
    },
  ),
  broken(
    'retrieve.unknown',
    'the identifier 0 is the newest user',
    alsoFinds((id, { users }) => (id === '0' ? users.at(-1) : undefined), integers),
    ['retrieve.unknown-status'],
  ),
  broken(
    'retrieve.unknown',
    'the identifier -1 is the last of an array',
    alsoFinds((id, { users }) => (id === '-1' ? users.at(-1) : undefined), integers),
    ['retrieve.unknown-status'],
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
    [],
  ),
  broken(
    'retrieve.unknown',
    'of identifiers in emoji the nearest is found',
    alsoFinds(
      (id, { users }) => (/^\p{Extended_Pictographic}+$/u.test(id) ? users[0] : undefined),
      inEmoji,
    ),
    ['retrieve.unknown-status'],
  ),
  broken(
    'retrieve.unknown',
    'whatever begins like an identifier is a user without email and name',
    (service) => {
      const { find } = service;
      service.newId = () => `usr_${randomUUID().slice(0, 8)}`;
      service.find = (id) =>
        find(id) ?? (id.startsWith('usr_') ? { id, email: '', name: '' } : undefined);
    },
    ['retrieve.unknown-status'],
  ),
];
