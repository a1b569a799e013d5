import {
  type NewUser,
  type Patch,
  type Reply,
  type Service,
  someTurns,
  type User,
} from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Replaces the storing of a user if there is a similar one already. */
const onSecond =
  (
    isSimilar: (first: User, second: User) => boolean,
    storeSecond: (store: Service['store'], first: User, second: User) => void,
  ): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) => {
      const first = service.users.find((other) => isSimilar(other, user));
      if (first === undefined) store(user);
      else storeSecond(store, first, user);
    };
  };

const hasSameEmail = (first: NewUser, second: NewUser) => first.email === second.email;
const hasOtherCase = (first: NewUser, second: NewUser) =>
  first.email !== second.email && first.email.toLowerCase() === second.email.toLowerCase();

/** Two users who share a name or an email. */
export const brokenTwins: Broken[] = [
  broken(
    'create.same-name',
    'retrieving shows all users of one name',
    (service) => {
      service.retrieve = (id) => {
        const user = service.find(id);
        const alike = service.users.filter(({ name }) => name === user?.name);
        return user
          ? { status: 200, body: alike.length > 1 ? { data: alike } : user }
          : service.missing(id);
      };
    },
    ['create.same-email'],
  ),
  broken(
    'create.same-name',
    'a second user of one name shows the email of the first',
    (service) => {
      service.record = (user) => {
        const first = service.users.find(({ name }) => name === user.name);
        return { ...user, email: first?.email ?? user.email };
      };
      service.item = (user) => user;
    },
    ['create.same-email'],
  ),
  broken(
    'create.same-email',
    'a second user of one email renames the first',
    onSecond(hasSameEmail, (store, first, second) => {
      first.name = second.name;
      store(second);
    }),
    ['create.same-name'],
  ),
  broken(
    'create.same-email',
    'an email in another case overwrites the first user',
    onSecond(hasOtherCase, (_, first, second) => {
      first.name = second.name;
      // The response to the second creation shows the first user.
      Object.assign(second, first);
    }),
  ),
  broken(
    'create.same-email',
    'a second user of one email is 201 and not stored',
    onSecond(hasSameEmail, () => {}),
  ),
  broken(
    'create.same-email',
    'the second of two concurrent users of one email replaces the first',
    (service) => {
      const { create, parse } = service;
      service.create = async (request) => {
        const parsed = parse(request.body);
        if ('error' in parsed) return create(request);
        const { email } = parsed;
        if (service.users.some((user) => user.email === email))
          return { status: 409, body: { error: 'the email is taken' } };
        await someTurns(3);
        service.users = service.users.filter((user) => user.email !== email);
        return create(request);
      };
    },
    ['create.same-name'],
  ),
  broken('create.same-email', 'two concurrent users of one email become one', (service) => {
    const { create, parse } = service;
    const inProgress = new Map<string, Promise<Reply>>();
    service.create = async (request) => {
      const parsed = parse(request.body);
      if ('error' in parsed) return create(request);
      const { email } = parsed;
      const creation = inProgress.get(email) ?? someTurns(3).then(() => create(request));
      inProgress.set(email, creation);
      return creation.finally(() => inProgress.delete(email));
    };
  }),
  broken(
    'create.same-email',
    'a rejected second user of one email removes the first',
    (service) => {
      const { create, parse } = service;
      service.create = (request) => {
        const parsed = parse(request.body);
        const same =
          'error' in parsed ? undefined : service.users.find((user) => user.email === parsed.email);
        if (same === undefined) return create(request);
        service.users = service.users.filter((user) => user !== same);
        return { status: 409, body: { error: 'the email is taken' } };
      };
    },
    ['create.same-name'],
  ),
  broken(
    'list.contains-created',
    'the next user after one with a taken email gets the name of that user',
    (service) => {
      const { create, parse } = service;
      let rejectedName: string | undefined;
      service.create = (request) => {
        const parsed = parse(request.body);
        if ('error' in parsed) return create(request);
        if (service.users.some((user) => hasSameEmail(user, parsed))) {
          rejectedName = parsed.name;
          return { status: 409, body: { error: 'the email is taken' } };
        }
        const name = rejectedName ?? parsed.name;
        rejectedName = undefined;
        return create({ ...request, body: JSON.stringify({ ...parsed, name }) });
      };
    },
    ['create.concurrent', 'retrieve.values'],
  ),
  broken('http.no-server-error', 'a second user of one email is 500', (service) => {
    const { store } = service;
    service.store = (user) => {
      if (service.users.some((other) => hasSameEmail(other, user)))
        throw new Error('a duplicate key');
      store(user);
    };
  }),
];
