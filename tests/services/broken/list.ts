import { randomUUID } from 'node:crypto';
import { type Reply, type Request, withPeople } from '../service.ts';
import { type Broken, broken, changed, changedList, changedSuccess } from './broken.ts';
import { total } from './totals.ts';

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
    service.users.push({ id: 'old', email: 'old@example.org', name: null as never });
  }),
  broken('list.empty-only-at-zero', 'the first page is empty', (service) => {
    service.listed = () => [];
  }),
  {
    ...broken(
      'list.contains-created',
      'each of three workers keeps the list until it creates a user itself',
      (service) => {
        const { list, create } = service;
        const workers = new Map<object, number>();
        const kept: (Reply | undefined)[] = [];
        // Connections go to one after the other.
        const workerOf = ({ connection }: Request) => {
          const worker = workers.get(connection) ?? workers.size % 3;
          workers.set(connection, worker);
          return worker;
        };
        service.list = async (request) => {
          const worker = workerOf(request);
          kept[worker] ??= await list(request);
          return kept[worker];
        };
        service.create = (request) => {
          kept[workerOf(request)] = undefined;
          return create(request);
        };
      },
    ),
    // A worker keeps a connection, so it depends on the connections of a run.
    mayAlso: ['http.concurrent-requests'],
  },
  broken('list.contains-created', 'a user is listed twice', (service) => {
    service.listed = () => [...service.users, ...service.users.slice(-1)];
    service.total = () => service.users.length + Math.min(1, service.users.length);
  }),
  broken(
    'list.empty-only-at-zero',
    'the list never shows the newest, and counts it',
    changedList(({ data, total }) => ({ data: data.slice(0, -1), total })),
    ['list.contains-created'],
  ),
  broken(
    'list.contains-created',
    'the list never shows the newest, and counts it, where others are there already',
    (service) => {
      withPeople(service);
      withPeople(service);
      changedList(({ data, total }) => ({ data: data.slice(0, -1), total }))(service);
    },
  ),
  broken('list.contains-created', 'the list forgets the newest', (service) => {
    service.listed = () => service.users.slice(0, -1);
    service.total = () => Math.max(0, service.users.length - 1);
  }),
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
  broken('list.agrees-with-retrieve', 'the list numbers users anew', (service) => {
    service.item = (user) => ({ ...user, id: service.users.indexOf(user) + 1 });
  }),
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
    'who has quotes in the name is listed, and not retrieved',
    (service) => {
      const { find } = service;
      service.find = (id) => [find(id)].find((user) => !user?.name.includes('"'));
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
    for (let old = 0; old < 8; old += 1) {
      service.users.push({ id: `old-${old}`, email: `old.${old}@example.org`, name: `Old ${old}` });
    }
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
    'a deleted flag hides all of a total of old users',
    (service) => {
      for (let old = 0; old < 50; old += 1)
        service.users.push({ id: `old-${old}`, email: `old.${old}@example.org`, name: 'Old' });
      service.listed = () => [];
    },
  ),
  broken('list.total-unchanged-by-reads', 'a user is made of every retrieval', (service) => {
    let reads = 0;
    changedSuccess((reply) => {
      reads += 1;
      service.users.push({
        id: `log-${reads}`,
        email: `log.${reads}@example.org`,
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
