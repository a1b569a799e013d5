import { type Service, turns, type User } from '../service.ts';
import { type Broken, broken, changedSuccess } from './broken.ts';

const found = (find: (id: string, service: Service) => User | undefined) => (service: Service) => {
  const { find: right } = service;
  service.find = (id) => right(id) && find(id, service);
};

/** Any identifier that is nobody's yields this user. */
const fallback = (find: (id: string, service: Service) => User | undefined) => (service: Service) => {
  const { find: right } = service;
  service.find = (id) => right(id) ?? find(id, service);
};

/**
 * A read of one of the users that were created at the same time shows the user of the read before or after it, where several
 * of them are under way at the same time.
 */
function mixesUp(service: Service, choose: (before: string, later: string) => string): void {
  const { create, store, retrieve } = service;
  const together = new Set<string>();
  let creations = 0;
  service.create = async (request) => {
    creations += 1;
    await turns();
    const reply = await create(request);
    await turns();
    creations -= 1;
    return reply;
  };
  service.store = (user) => {
    if (creations > 1) together.add(String(user.id));
    store(user);
  };
  const underWay: string[] = [];
  service.retrieve = async (id, request) => {
    if (!together.has(id)) return retrieve(id, request);
    const before = underWay.at(-1) ?? id;
    underWay.push(id);
    await turns();
    const asked = underWay.length > 3 ? choose(before, underWay.at(-1) ?? id) : id;
    await turns();
    underWay.splice(underWay.indexOf(id), 1);
    return retrieve(asked, request);
  };
}

export const brokenRetrieve: Broken[] = [
  broken(
    'retrieve.created-user',
    'retrieving is 500',
    changedSuccess(() => ({ status: 500 }), 'retrieve'),
    ['http.no-server-error'],
  ),
  broken('retrieve.created-user', 'a created user is nowhere', (service) => {
    service.find = () => undefined;
  }),
  broken('retrieve.created-user', '2xx, and nothing is stored', (service) => {
    service.store = () => {};
  }),
  broken(
    'retrieve.created-user',
    'a redirect to the trailing slash',
    changedSuccess((_, { path }) => ({ status: 308, headers: { location: `${path}/` } }), 'retrieve'),
  ),
  broken(
    'retrieve.exact-user',
    'always the last user',
    found((_, { users }) => users.at(-1)),
  ),
  broken(
    'retrieve.exact-user',
    'always the first user',
    found((_, { users }) => users[0]),
  ),
  broken(
    'retrieve.exact-user',
    'the user created after',
    found((id, { users }) => users[users.findIndex((user) => user.id === id) + 1] ?? users.at(-1)),
  ),
  broken(
    'retrieve.exact-user',
    'all users',
    changedSuccess((reply, _, { users }) => ({ ...reply, body: users }), 'retrieve'),
  ),
  broken(
    'retrieve.exact-user',
    'the user and its neighbour',
    changedSuccess(
      (reply, _, { users }) => ({
        ...reply,
        body: { data: [reply.body, users.find((one) => one !== reply.body)].filter(Boolean) },
      }),
      'retrieve',
    ),
  ),
  broken('retrieve.values', 'names in capitals', (service) => {
    service.record = (user) => ({ ...user, name: user.name.toUpperCase() });
    service.item = (user) => service.record(user);
  }),
  broken('retrieve.values', 'emails are masked', (service) => {
    service.record = (user) => ({ ...user, email: user.email.replace(/^(.).*@/, '$1***@') });
    service.item = (user) => service.record(user);
  }),
  broken('retrieve.values', 'email and name are swapped', (service) => {
    service.record = ({ id, email, name }) => ({ id, email: name, name: email });
    service.item = (user) => user;
  }),
  broken('retrieve.repeatable', 'users are gone when they have been listed thrice, and a page hides it', (service) => {
    let lists = 0;
    const { find } = service;
    service.listed = () => {
      lists += 1;
      return service.users.slice(-3);
    };
    service.find = (id) => (lists < 3 ? find(id) : undefined);
  }),
  broken('retrieve.repeatable', 'the second read shows another name', (service) => {
    const reads = new Map<User, number>();
    changedSuccess((reply) => {
      const user = reply.body as User;
      const times = (reads.get(user) ?? 0) + 1;
      reads.set(user, times);
      return times > 1 ? { ...reply, body: { ...user, name: `${user.name} ${times}` } } : reply;
    }, 'retrieve')(service);
  }),
  broken('retrieve.concurrent', 'reads at the same time are mixed up', (service) =>
    mixesUp(service, (_, later) => later),
  ),
  broken(
    'retrieve.unknown',
    'an unknown identifier yields the last user',
    fallback((_, { users }) => users.at(-1)),
    ['retrieve.odd', 'retrieve.unknown-status', 'retrieve.odd-status'],
  ),
  broken(
    'retrieve.unknown',
    'an unknown identifier of the right shape yields an invented user',
    fallback((id) => (id.length === 36 ? { id: 'new', email: 'nobody@example.com', name: 'Nobody' } : undefined)),
    ['retrieve.unknown-status'],
  ),
  broken('retrieve.unknown', '404 with somebody in it', (service) => {
    service.missing = (id) => ({
      status: 404,
      body: { error: 'not found', ...(id.length === 36 && { nearest: service.users[0] }) },
    });
  }),
  broken(
    'retrieve.odd',
    'null yields a user',
    fallback((id, { users }) => (id === 'null' ? users[0] : undefined)),
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.odd',
    'a quote yields all users',
    (service) => {
      const { retrieve } = service;
      service.retrieve = (id, request) => (id === "'" ? { status: 200, body: service.users } : retrieve(id, request));
    },
    ['retrieve.odd-status'],
  ),
  broken(
    'retrieve.odd',
    'an encoded slash is the list',
    (service) => {
      const { retrieve } = service;
      service.retrieve = (id, request) => (id === '/' ? service.list(request) : retrieve(id, request));
    },
    ['retrieve.odd-status'],
  ),
  broken('retrieve.unknown-status', '200 with nothing', (service) => {
    const { missing } = service;
    service.missing = (id) => (id.length === 36 ? { status: 200, body: {} } : missing(id));
  }),
  broken(
    'retrieve.odd-status',
    'an odd identifier is 500',
    (service) => {
      const { missing } = service;
      service.missing = (id) => (id.length === 36 ? missing(id) : { status: 500 });
    },
    ['http.no-server-error'],
  ),
  broken('retrieve.odd-status', 'an odd identifier is a redirect', (service) => {
    const { missing } = service;
    service.missing = (id) => (id.length === 36 ? missing(id) : { status: 302, headers: { location: '/' } });
  }),

  broken('retrieve.concurrent', 'a read shows the user of the read before, where several are under way', (service) =>
    mixesUp(service, (before) => before),
  ),
  broken('retrieve.odd', '404 for null, with the first user in it', (service) => {
    const { missing } = service;
    service.missing = (id) =>
      id === 'null' ? { status: 404, body: { error: 'not found', last: service.users[0] } } : missing(id);
  }),
  broken('retrieve.created-user', 'retrieving asks for the email', (service) => {
    service.find = (id) => service.users.find((user) => user.email === `mailto:${id}`);
  }),
  broken('retrieve.values', 'a long email is cut', (service) => {
    service.record = (user) => ({ ...user, email: user.email.slice(0, 20) });
    service.item = (user) => service.record(user);
  }),
];
