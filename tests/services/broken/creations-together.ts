import { type NewUser, someTurns, type User } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Faults of concurrent creations, and of users with the same name or email. */
export const brokenCreationsTogether: Broken[] = [
  broken(
    'create.concurrent',
    'the first name outside ASCII is stored for later users with such a name',
    (service) => {
      const { store } = service;
      let first: string | undefined;
      service.store = (user) => {
        if (/[^ -~]/.test(user.name)) {
          first ??= user.name;
          user.name = first;
        }
        store(user);
      };
    },
    ['round-trip.letters-beyond-ascii'],
  ),
  broken(
    'create.concurrent',
    'a creation is 400 directly after one in chunks',
    (service) => {
      const { handle } = service;
      let wasInChunks = false;
      service.handle = (request) => {
        if (wasInChunks && request.method === 'POST') {
          wasInChunks = false;
          return { status: 400, body: { error: 'left over' } };
        }
        wasInChunks ||= request.headers['transfer-encoding'] === 'chunked';
        return handle(request);
      };
    },
    ['create.answers'],
  ),
  broken(
    'create.concurrent',
    'a file of all users is read, changed and written for each creation',
    (service) => {
      service.create = async ({ body }) => {
        const parsed = service.parse(body);
        if ('error' in parsed) return service.invalid(parsed.error);
        const user = { id: service.newId(), ...parsed };
        const before = service.users;
        await someTurns(3);
        service.users = [...before, user];
        return service.created(user);
      };
    },
    ['create.same-email', 'create.same-name', 'list.contains-created'],
  ),
  {
    ...broken(
      'create.concurrent',
      'the next identifier is read before a creation and raised after it',
      (service) => {
        let next = 1;
        service.create = async ({ body }) => {
          const parsed = service.parse(body);
          if ('error' in parsed) return service.invalid(parsed.error);
          const user = { id: next, ...parsed };
          await someTurns(3);
          next = user.id + 1;
          service.store(user);
          return service.created(user);
        };
      },
      ['create.same-email', 'create.same-name', 'list.agrees-with-retrieve'],
    ),
    mayAlso: ['list.contains-created'],
  },
  broken(
    'create.concurrent',
    'a creation returns the newest user, which may be the user of a concurrent creation',
    (service) => {
      const { created } = service;
      service.create = async ({ body }) => {
        const parsed = service.parse(body);
        if ('error' in parsed) return service.invalid(parsed.error);
        const user = { id: service.newId(), ...parsed };
        service.store(user);
        await someTurns(3);
        return { ...created(user), body: service.users.at(-1) };
      };
    },
    ['create.same-name', 'create.same-email'],
  ),
  broken(
    'create.concurrent',
    'a variable of all requests holds what is created',
    (service) => {
      let shared: NewUser;
      service.create = async ({ body, headers }) => {
        const parsed = service.parse(body);
        if ('error' in parsed) return service.invalid(parsed.error);
        shared = parsed;
        await someTurns(3);
        // A chunked request may arrive sooner or later than others, so it keeps its user.
        const sent = headers['transfer-encoding'] ? parsed : shared;
        const user = { id: service.newId(), ...sent };
        service.store(user);
        return service.created(user);
      };
    },
    [
      'create.same-email',
      'create.same-name',
      'list.agrees-with-retrieve',
      'list.contains-created',
      'retrieve.exact-user',
    ],
  ),
  broken(
    'create.concurrent',
    'the identifier of a new user is looked up by the name, after a while',
    (service) => {
      service.create = async ({ body }) => {
        const parsed = service.parse(body);
        if ('error' in parsed) return service.invalid(parsed.error);
        service.store({ id: service.newId(), ...parsed });
        await someTurns(3);
        const { id } = service.users.findLast(({ name }) => name === parsed.name) as User;
        return { status: 201, headers: { location: `${service.base}/users/${id}` }, body: { id } };
      };
    },
    ['create.same-name'],
  ),
  broken('create.same-name', 'a user of the same name is replaced', (service) => {
    const { store } = service;
    service.store = (user) => {
      service.users = service.users.filter(({ name }) => name !== user.name);
      store(user);
    };
  }),
  broken(
    'create.same-name',
    'a second user of one name returns the first',
    (service) => {
      const { create, parse } = service;
      service.create = (request) => {
        const parsed = parse(request.body);
        const same =
          'error' in parsed ? undefined : service.users.find(({ name }) => name === parsed.name);
        return same ? { status: 200, body: same } : create(request);
      };
    },
    ['create.concurrent', 'create.same-email'],
  ),
  broken(
    'create.same-email',
    'a second user of one email overwrites the first',
    (service) => {
      const { create, parse } = service;
      service.create = (request) => {
        const parsed = parse(request.body);
        const same =
          'error' in parsed ? undefined : service.users.find(({ email }) => email === parsed.email);
        if (same === undefined) return create(request);
        return service.created(Object.assign(same, parsed));
      };
    },
    ['create.same-name'],
  ),
  broken('create.same-email', 'an email in another case returns the first user', (service) => {
    const { create, parse } = service;
    service.create = (request) => {
      const parsed = parse(request.body);
      const folded = 'error' in parsed ? '' : parsed.email.toLowerCase();
      const same = service.users.find(({ email }) => email.toLowerCase() === folded);
      return same && !request.body.includes(same.email)
        ? { status: 200, body: same }
        : create(request);
    };
  }),
  broken(
    'create.same-email',
    'a second user of one email replaces the first',
    (service) => {
      const { store } = service;
      service.store = (user) => {
        service.users = service.users.filter(({ email }) => email !== user.email);
        store(user);
      };
    },
    ['create.same-name'],
  ),
];
