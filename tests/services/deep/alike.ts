import { jsonOf } from '../broken/broken.ts';
import type { NewUser, Patch, Reply, User } from '../service.ts';
import { unique } from '../writers.ts';
import { type Deep, deep, rejecting } from './deep.ts';

/** Whether two users have one name or one email. The default run creates such users as well. */
const isTwin = (first: User, second: User) =>
  first.name === second.name || first.email.toLowerCase() === second.email.toLowerCase();

/** A new user replaces a user with the same key. */
const keyedBy =
  (key: (user: NewUser) => string): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) => {
      service.users = service.users.filter(
        (other) => isTwin(other, user) || key(other) !== key(user),
      );
      store(user);
    };
  };

/** Faults that only similar users trigger, or users with names in one script. */
export const alikeNames: Deep[] = [
  deep('create.same-name')('of one name one creation is in flight', (service) => {
    const { create } = service;
    const flights = new Map<unknown, Promise<Reply>>();
    service.create = (request) => {
      const { name } = (jsonOf(request) ?? {}) as { name?: unknown };
      if (typeof name !== 'string') return create(request);
      const make = async () => {
        await new Promise(setImmediate);
        return create(request);
      };
      const flight = flights.get(name) ?? make().finally(() => flights.delete(name));
      flights.set(name, flight);
      return flight;
    };
  }),
  deep('create.same-name')(
    'accents in a name do not count',
    keyedBy(({ name }) => name.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  ),
  deep('round-trip.letters-beyond-ascii')('Russian has no letter beyond 32', (service) => {
    const { store } = service;
    service.store = (user) =>
      store(
        /^[\u0400-\u04ff ]+$/.test(user.name)
          ? { ...user, name: user.name.replaceAll(/[^А-я ]/g, '') }
          : user,
      );
  }),
  deep('round-trip.letters-beyond-ascii')(
    'a name of letters of Windows-1252 is read as Latin-1',
    (service) => {
      const { store } = service;
      service.store = (user) =>
        store(
          /^[\0-\xffŠšŒœŽžŸ]+$/.test(user.name)
            ? { ...user, name: user.name.replaceAll(/[ŠšŒœŽžŸ]/g, '?') }
            : user,
        );
    },
  ),
  deep('create.same-email')(
    'dots in an address do not count',
    keyedBy(({ email }) => email.replace(/\.(?=.*@)/g, '')),
  ),
  deep('create.same-email')(
    'what stands behind a plus does not count',
    keyedBy(({ email }) => email.replace(/\+[^@]*/, '')),
  ),
  deep('create.same-name')(
    'capital letters in a name do not count',
    keyedBy(({ name }) => name.toLowerCase()),
  ),
  deep('create.same-name')(
    'the order of the words in a name does not count',
    keyedBy(({ name }) => name.split(' ').sort().join(' ')),
  ),
  deep('retrieve.exact-user')(
    'who proposes the identifier of a user is stored in its place',
    (service) => {
      const { create, find } = service;
      service.create = (request) => {
        const { id, ...sent } = Object(jsonOf(request));
        const user = typeof sent.name === 'string' ? find(`${id}`) : undefined;
        return user ? service.created(Object.assign(user, sent)) : create(request);
      };
    },
  ),
  deep('create.concurrent')(
    'an address that is another one but for its dots is refused',
    (service) => {
      const { parse } = service;
      const withoutDots = (email: string) => email.replace(/\.(?=.*@)/g, '');
      service.parse = (body) => {
        const parsed = parse(body);
        const isTaken = (email: string) =>
          service.users.some(
            (user) => user.email !== email && withoutDots(user.email) === withoutDots(email),
          );
        return !('error' in parsed) && isTaken(parsed.email) ? { error: 'taken' } : parsed;
      };
    },
  ),
  deep('create.concurrent')('a dot in an address is any character', (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      const isTaken = (email: string) => {
        const pattern = new RegExp(`^${email.replace(/\+/g, '')}$`);
        return service.users.some((user) => user.email !== email && pattern.test(user.email));
      };
      return !('error' in parsed) && isTaken(parsed.email) ? { error: 'taken' } : parsed;
    };
  }),
  deep('create.same-email')(
    'accents in an address do not count',
    keyedBy(({ email }) => email.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  ),
  deep('create.answers')('a firewall refuses two words of SQL', (service) => {
    unique(service, 'email');
    rejecting(({ name }) => /\b(union select|drop table|order by)\b/i.test(name))(service);
  }),
  deep('create.answers')('addresses of roles are refused, and emails that are there', (service) => {
    unique(service, 'email');
    rejecting(({ email }) => /^(admin|root|test)@/.test(email))(service);
  }),
  deep('create.answers')('one letter is no address', (service) => {
    unique(service, 'email');
    rejecting(({ email }) => /^.@/.test(email))(service);
  }),
  deep('list.agrees-with-retrieve')(
    'an identifier made of the address is that of a page',
    (service) => {
      const { store, find } = service;
      service.store = (user) => {
        const [slug = ''] = user.email.split('@');
        const alike = service.users.filter(({ email }) => email === user.email).length;
        store(Object.assign(user, { id: alike === 0 ? slug : `${slug}-${alike + 1}` }));
      };
      service.find = (id) =>
        ['new', 'me', 'search', 'count', 'export', 'stats'].includes(id) ? undefined : find(id);
    },
  ),
  deep('create.answers')(
    'a name that begins with what every object has is refused',
    rejecting(({ name }) => name.split(' ').some((word) => word in {})),
  ),
];
