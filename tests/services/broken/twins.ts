import { type Patch, type Reply, someTurns, type User } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** When a user is stored of whom there is one alike already. */
const onSecond =
  (
    alike: (one: User, other: User) => boolean,
    happens: (store: (user: User) => void, other: User, user: User) => void,
  ): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) => {
      const other = service.users.find((one) => alike(one, user));
      if (other === undefined) store(user);
      else happens(store, other, user);
    };
  };

const sameEmail = (one: User, other: User) => one.email === other.email;
const otherCase = (one: User, other: User) =>
  one.email !== other.email && one.email.toLowerCase() === other.email.toLowerCase();

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
    ['list.agrees-with-retrieve', 'create.same-email'],
  ),
  broken(
    'create.same-email',
    'a second user of one email renames the first',
    onSecond(sameEmail, (store, other, user) => {
      other.name = user.name;
      store(user);
    }),
    ['create.same-name'],
  ),
  broken(
    'create.same-email',
    'an email in another case overwrites the first user',
    onSecond(otherCase, (_, other, user) =>
      Object.assign(user, Object.assign(other, { name: user.name })),
    ),
  ),
  broken(
    'create.same-email',
    'a second user of one email is 201 and nowhere',
    onSecond(sameEmail, () => {}),
  ),
  broken(
    'create.same-email',
    'of two users of one email who are created at the same time the first is replaced',
    (service) => {
      const { create, parse } = service;
      service.create = async (request) => {
        const parsed = parse(request.body);
        if ('error' in parsed) return create(request);
        const { email } = parsed;
        if (service.users.some((one) => one.email === email))
          return { status: 409, body: { error: 'the email is taken' } };
        await someTurns(3);
        service.users = service.users.filter((one) => one.email !== email);
        return create(request);
      };
    },
    ['create.same-name'],
  ),
  broken(
    'create.same-email',
    'two users of one email who are created at the same time become one',
    (service) => {
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
    },
    ['retrieve.concurrent'],
  ),
  broken(
    'create.same-email',
    'a refused second user of one email takes the first away',
    (service) => {
      const { create, parse } = service;
      service.create = (request) => {
        const parsed = parse(request.body);
        const same =
          'error' in parsed ? undefined : service.users.find((one) => one.email === parsed.email);
        if (same === undefined) return create(request);
        service.users = service.users.filter((one) => one !== same);
        return { status: 409, body: { error: 'the email is taken' } };
      };
    },
    ['create.same-name'],
  ),
  broken(
    'create.concurrent',
    'the next user after a refused one of the same email gets the name of that one',
    (service) => {
      const { create, parse } = service;
      let left: string | undefined;
      service.create = (request) => {
        const parsed = parse(request.body);
        if ('error' in parsed) return create(request);
        if (service.users.some((one) => sameEmail(one, { id: '', ...parsed }))) {
          left = parsed.name;
          return { status: 409, body: { error: 'the email is taken' } };
        }
        const name = left ?? parsed.name;
        left = undefined;
        return create({ ...request, body: JSON.stringify({ ...parsed, name }) });
      };
    },
  ),
  broken(
    'http.no-server-error',
    'a second user of one email is 500',
    (service) => {
      const { store } = service;
      service.store = (user) => {
        if (service.users.some((one) => sameEmail(one, user))) throw new Error('a duplicate key');
        store(user);
      };
    },
    ['create.same-email'],
  ),
];
