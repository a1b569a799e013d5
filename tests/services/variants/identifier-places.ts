import { integers } from '../patches.ts';
import type { Service, User } from '../service.ts';
import { listedLate, noLocation, shows, type Variant, variant } from './variant.ts';

/** Shows integer identifiers as `memberNo`, behind further members. */
const numbered = (
  service: Service,
  further: object,
  counted: (user: User) => object = () => ({}),
): void => {
  integers(service);
  noLocation(service);
  shows(service, (user) => ({
    ...further,
    ...counted(user),
    email: user.email,
    name: user.name,
    memberNo: user.id,
  }));
};

/** Adds a path below the list that is no identifier. */
const addsPath = (service: Service, segment: string, bodyOf: () => unknown): void => {
  const { retrieve } = service;
  // If users are stored late, there may be none yet.
  service.retrieve = (id, request) =>
    id === segment && service.users.length > 0
      ? { status: 200, body: bodyOf() }
      : retrieve(id, request);
};

/** Identifiers that are hard to find, because of their place or of values next to them. */
export const identifierPlaceVariants: Variant[] = [
  variant(
    'identifier',
    'only in the list, beside a count in the create answer that equals the first',
    (service) => {
      integers(service);
      service.created = () => ({ status: 201, body: { success: true, count: 1 } });
    },
    ['create.location'],
  ),
  variant('identifier', 'in Location, beside a count that runs and a version', (service) => {
    integers(service);
    const { created } = service;
    let count = 0;
    service.created = (user) => {
      count += 1;
      return { ...created(user), body: { success: true, count, version: 1 } };
    };
  }),
  variant(
    'identifier',
    'beside a count of logins and a version that equal the first',
    (service) => {
      integers(service);
      noLocation(service);
      shows(service, ({ id, ...user }) => ({ logins: 1, version: 1, ...user, ident: id }));
    },
    ['create.location'],
  ),
  variant('identifier', 'beside a count of reads', (service) => {
    integers(service);
    const reads = new Map<User, number>();
    const { retrieve } = service;
    service.retrieve = (id, request) => {
      const user = service.find(id);
      if (user === undefined) return retrieve(id, request);
      reads.set(user, (reads.get(user) ?? 0) + 1);
      return { status: 200, body: { reads: reads.get(user), ...user } };
    };
    service.item = (user) => ({ reads: reads.get(user) ?? 0, ...user });
  }),
  ...(['role', 'groupId'] as const).flatMap((member) => [
    variant(
      'identifier',
      `beside a ${member} that leads to the newest user`,
      (service) => {
        numbered(service, { [member]: 'member' });
        addsPath(service, 'member', () => service.record(service.users.at(-1) as User));
      },
      ['create.location'],
    ),
    ...[false, true].map((isLate) =>
      variant(
        'identifier',
        `only in the list${isLate ? ', 60 ms late' : ''}, beside a ${member} that leads to a list`,
        (service) => {
          numbered(service, { [member]: 'member' });
          service.item = service.record;
          service.created = () => ({ status: 201 });
          addsPath(service, 'member', () => ({
            data: service.users.map((user) => service.item(user)),
            total: service.users.length,
          }));
          if (isLate) listedLate(service);
        },
        ['create.location'],
      ),
    ),
  ]),
  variant(
    'identifier',
    'a number behind a count of reads that equals the first',
    (service) => {
      const reads = new Map<string, number>();
      const { find } = service;
      service.find = (id) => {
        reads.set(id, (reads.get(id) ?? 0) + 1);
        return find(id);
      };
      numbered(service, {}, ({ id }) => ({ reads: reads.get(`${id}`) ?? 0 }));
    },
    ['create.location'],
  ),
  variant(
    'identifier',
    'only in Location, with a count of reads that equals the first',
    (service) => {
      integers(service);
      const reads = new Map<string, number>();
      const { find } = service;
      service.find = (id) => {
        reads.set(id, (reads.get(id) ?? 0) + 1);
        return find(id);
      };
      shows(service, ({ id, email, name }) => ({ reads: reads.get(`${id}`) ?? 0, email, name }));
    },
  ),
  ...[false, true].map((isShown) =>
    variant(
      'identifier',
      `the email in lower case, shown as it was sent${isShown ? '' : ', in the list alone'}`,
      (service) => {
        const taken = new Set<string>();
        service.find = (id) => service.users.find(({ email }) => email.toLowerCase() === id);
        shows(service, ({ email, name }) => ({ email, name }));
        service.created = (user) => ({
          status: 201,
          ...(isShown && { body: service.record(user) }),
        });
        const { create, parse } = service;
        service.create = (request) => {
          const parsed = parse(request.body);
          if (!('email' in parsed)) return create(request);
          const address = parsed.email.toLowerCase();
          if (taken.has(address)) return { status: 409, body: { error: 'the email is taken' } };
          taken.add(address);
          return create(request);
        };
      },
      ['create.location'],
    ),
  ),
  ...(['everywhere', 'only in Location', 'only in the list'] as const).map((place) =>
    variant(
      'identifier',
      `1,200 characters, ${place}`,
      (service) => {
        let next = 0;
        service.newId = () => `${next++}`.padStart(1200, 'abcdefgh');
        if (place === 'everywhere') return;
        shows(service, ({ email, name }) => ({ email, name }));
        if (place === 'only in Location') {
          const { created } = service;
          service.created = (user) => ({ ...created(user), body: { success: true } });
          return;
        }
        service.item = (user) => user;
        service.created = () => ({ status: 201 });
      },
      place === 'only in the list' ? ['create.location'] : [],
    ),
  ),
];
