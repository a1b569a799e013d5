import { randomUUID } from 'node:crypto';
import { existingUsers } from '../patches.ts';
import { type Reply, type Request, withPeople } from '../service.ts';
import { type Broken, broken, changed, changedList, changedSuccess } from './broken.ts';
import { total } from './totals.ts';

/** Faults of the list. */
export const brokenList: Broken[] = [
  broken(
    'list.answers',
    'the list is 500',
    changed((reply) => ({ ...reply, status: reply.status < 300 ? 500 : reply.status }), 'list'),
    ['http.no-server-error'],
  ),
  broken(
    'list.answers',
    'the list is a redirect to the trailing slash',
    changedSuccess(() => ({ status: 301, headers: { location: '/v1/users/' } }), 'list'),
  ),
  broken('list.answers', 'the list is 404 from twenty users on', (service) => {
    changedSuccess(
      (reply) => (service.users.length < 20 ? reply : { status: 404, body: {} }),
      'list',
    )(service);
  }),
  broken(
    'list.data-array',
    'data is null when there are none',
    changedList((body) => ({ ...body, data: body.data.length ? body.data : null })),
  ),
  broken(
    'list.data-array',
    'the list is a bare array',
    changedList(({ data }) => data),
  ),
  broken(
    'list.data-array',
    'data is an object by identifier',
    changedList((body) => ({ ...body, data: { ...body.data } })),
  ),
  broken(
    'list.data-array',
    'the array is called users',
    changedList(({ data, total }) => ({ users: data, total })),
  ),
  broken(
    'list.users',
    'the list shows identifiers only',
    changedList((body) => ({ ...body, data: (body.data as { id: string }[]).map(({ id }) => id) })),
    ['list.contains-created'],
  ),
  broken('list.users', 'the list leaves the name out', (service) => {
    service.item = ({ id, email }) => ({ id, email });
  }),
  broken('list.users', 'users there before have a null name', (service) => {
    service.users.push({ id: 'old', email: 'old@example.org', name: '' });
    service.record = (user) => (user.id === 'old' ? { ...user, name: null } : user);
  }),
  broken('list.empty-only-at-zero', 'the first page is empty', (service) => {
    service.listed = () => [];
  }),
  {
    ...broken(
      'list.contains-created',
      'each of three workers caches the list until it creates a user itself',
      (service) => {
        const { list, create } = service;
        const workers = new Map<object, number>();
        const caches: (Reply | undefined)[] = [];
        // Connections are assigned to the workers in turn.
        const workerOf = ({ connection }: Request) => {
          const worker = workers.get(connection) ?? workers.size % 3;
          workers.set(connection, worker);
          return worker;
        };
        service.list = async (request) => {
          const worker = workerOf(request);
          caches[worker] ??= await list(request);
          return caches[worker];
        };
        service.create = (request) => {
          caches[workerOf(request)] = undefined;
          return create(request);
        };
      },
    ),
    // Each connection stays with its worker, so the connections of a run decide.
    mayAlso: ['http.concurrent-requests'],
  },
  broken('list.contains-created', 'a user is listed twice', (service) => {
    service.listed = () => [...service.users, ...service.users.slice(-1)];
    service.total = () => service.users.length + Math.min(1, service.users.length);
  }),
  broken(
    'list.empty-only-at-zero',
    'the list never shows the newest user, and counts it',
    changedList(({ data, total }) => ({ data: data.slice(0, -1), total })),
    ['list.contains-created'],
  ),
  broken(
    'list.contains-created',
    'the list never shows the newest user, and counts it, next to users from before the run',
    (service) => {
      withPeople(service);
      withPeople(service);
      changedList(({ data, total }) => ({ data: data.slice(0, -1), total }))(service);
    },
  ),
  broken(
    'list.contains-created',
    'the list lacks the newest user, and does not count it',
    (service) => {
      service.listed = () => service.users.slice(0, -1);
      service.total = () => Math.max(0, service.users.length - 1);
    },
  ),
  broken(
    'list.contains-created',
    'the list is frozen at the start',
    (service) => {
      service.list = () => ({ status: 200, body: { data: [], total: 0 } });
    },
    ['list.total-counts-creations'],
  ),
  broken('list.contains-created', 'a join shows every second user twice', (service) => {
    service.listed = () =>
      service.users.flatMap((user, index) => (index % 2 ? [user] : [user, user]));
    service.total = () => service.listed().length;
  }),
  broken(
    'list.agrees-with-retrieve',
    'the list replaces identifiers by the position',
    (service) => {
      service.item = (user) => ({ ...user, id: service.users.indexOf(user) + 1 });
    },
  ),
  broken('list.agrees-with-retrieve', 'the list shows the name in capitals', (service) => {
    service.item = (user) => ({ ...user, name: user.name.toUpperCase() });
  }),
  broken('list.agrees-with-retrieve', 'retrieving shows a new id each time', (service) => {
    service.item = (user) => user;
    service.retrieve = (id) => {
      const user = service.find(id);
      return user ? { status: 200, body: { ...user, id: randomUUID() } } : service.missing(id);
    };
  }),
  broken(
    'list.agrees-with-retrieve',
    'a user with quotes in the name is listed, and not retrieved',
    (service) => {
      const { find } = service;
      service.find = (id) => {
        const user = find(id);
        return user?.name.includes('"') ? undefined : user;
      };
    },
    ['create.accepted-exists'],
  ),
  broken(
    'list.agrees-with-retrieve',
    'the list masks emails',
    (service) => {
      service.item = (user) => ({ ...user, email: user.email.replace(/^(.).*@/, '$1***@') });
    },
    ['retrieve.existing-users'],
  ),
  broken(
    'list.total-counts-creations',
    'the total is that of the page',
    (service) => {
      service.listed = () => service.users.slice(0, 10);
      service.total = () => Math.min(10, service.users.length);
    },
    ['list.contains-created'],
  ),
  broken(
    'list.total-counts-creations',
    'the total grows by two',
    total(({ users }) => users.length * 2),
  ),
  broken('list.total-counts-creations', 'the total behind a page is cached', (service) => {
    service.users.push(...existingUsers(8));
    service.listed = () => service.users.slice(0, 5);
    service.total = () => 8;
  }),
  broken('list.total-unchanged-by-reads', 'the total counts lists', (service) => {
    let lists = 0;
    service.total = () => {
      lists += 1;
      return service.users.length + lists - 1;
    };
  }),
  broken(
    'list.empty-only-at-zero',
    'users are shown only when there are more than 1,000',
    (service) => {
      service.listed = () => (service.users.length > 1000 ? service.users : []);
    },
  ),
  broken(
    'list.empty-only-at-zero',
    'a flag hides all users from before the run, and they are counted',
    (service) => {
      service.users.push(...existingUsers(50));
      service.listed = () => [];
    },
  ),
  broken('list.total-unchanged-by-reads', 'every list request creates a user', (service) => {
    let lists = 0;
    changedSuccess((reply) => {
      lists += 1;
      service.users.push({
        id: `log-${lists}`,
        email: `log.${lists}@example.org`,
        name: 'Log Entry',
      });
      return reply;
    }, 'list')(service);
  }),
  broken(
    'list.users',
    'a null item at the end',
    changedList((body) => ({ data: [...body.data, null], total: body.total + 1 })),
  ),
];
