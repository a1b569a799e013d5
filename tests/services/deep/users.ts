import { randomUUID } from 'node:crypto';
import { changedList, changedSuccess } from '../broken/broken.ts';
import { combine, existingUsers } from '../patches.ts';
import type { Patch, User } from '../service.ts';
import { type Deep, deep, faultsFor, isRetrieval, storingEmail } from './deep.ts';

const contains = deep('list.contains-created');
const covers = deep('list.total-covers-data');
const counts = deep('list.total-counts-creations');
const listed = deep('list.users');
const array = deep('list.data-array');
const answers = deep('list.answers');
const agrees = deep('list.agrees-with-retrieve');
const integer = deep('list.total-integer');
const kept = deep('create.concurrent');
const again = deep('retrieve.repeatable');
const exact = deep('retrieve.exact-user');
const creates = deep('create.answers');
const seeks = deep('retrieve.created-user');

/** The list ends after so many users, and its total does not count further ones. */
const capped =
  (most: number): Patch =>
  (service) => {
    service.listed = () => service.users.slice(0, most);
    service.total = () => Math.min(most, service.users.length);
  };

/** Retrievals find only the newest users. */
const forgetting =
  (most: number): Patch =>
  (service) => {
    service.find = (id) => service.users.slice(-most).find((user) => user.id === id);
  };

/** Retrievals find only the oldest users. */
const firstOnly =
  (most: number): Patch =>
  (service) => {
    service.find = (id) => service.users.slice(0, most).find((user) => user.id === id);
  };

/** Makes identifiers of the number of a user. */
const numbered =
  (next: (made: number) => number | string): Patch =>
  (service) => {
    let made = 0;
    service.newId = () => {
      made += 1;
      return next(made);
    };
  };

/** Finds the newest of the users with one identifier. */
const byIdentifier: Patch = (service) => {
  const places = new Map<string, User>();
  const { store } = service;
  service.store = (user) => {
    store(user);
    places.set(`${user.id}`, user);
  };
  service.find = (id) => places.get(id);
};

/** Faults that show with more users than a page, a byte or a cache can hold. */
export const manyUsers: Deep[] = [
  ...faultsFor([50, 100, 250], (most) =>
    contains(`the list ends after ${most} users, and so does its total`, capped(most)),
  ),
  contains('the newest 100 users are listed, and counted', (service) => {
    service.listed = () => service.users.slice(-100);
    service.total = () => Math.min(100, service.users.length);
  }),
  contains('behind the hundredth user the one before is listed twice', (service) => {
    const { users } = service;
    service.listed = () =>
      users.map((user, index) =>
        index % 100 === 0 && index > 0 ? (users[index - 1] as User) : user,
      );
  }),
  covers('the total stops at 100', (service) => {
    service.total = () => Math.min(100, service.users.length);
  }),
  covers('the total is a byte', (service) => {
    service.total = () => service.users.length % 256;
  }),
  counts('a page of 20 whose total stops at 99', (service) => {
    service.listed = () => service.users.slice(0, 20);
    service.total = () => Math.min(99, service.users.length);
  }),
  integer('the total is "100+" from there on', (service) => {
    service.total = () => (service.users.length > 100 ? '100+' : service.users.length);
  }),
  array('above 150 users the list is an object of pages', (service) => {
    changedList((body) =>
      body.data.length > 150 ? { ...body, data: { page1: body.data } } : body,
    )(service);
  }),
  answers('above 200 users the list is too large for a buffer', (service) => {
    changedSuccess(
      (reply) => (service.users.length > 200 ? { status: 500 } : reply),
      'list',
    )(service);
  }),
  listed('above 128 users the list shows identifiers alone', (service) => {
    service.item = (user) =>
      service.users.indexOf(user) >= 128 ? { id: user.id } : service.record(user);
  }),
  agrees('behind the hundredth user names are shortened in the list', (service) => {
    service.item = (user) =>
      service.users.indexOf(user) >= 100 ? { ...user, name: user.name.slice(0, 10) } : user;
  }),
  agrees('a batch of 64 is listed with the names of the next', (service) => {
    service.item = (user) => {
      const index = service.users.indexOf(user);
      return index === 64 ? { ...user, name: service.users[65]?.name ?? user.name } : user;
    };
  }),
  ...faultsFor([50, 100, 200], (most) =>
    again(`a cache of ${most} users is all that is kept for retrievals`, forgetting(most)),
  ),
  again('the first user is evicted by the 120th', (service) => {
    const { store } = service;
    service.store = (user) => {
      store(user);
      if (service.users.length === 120) service.users.splice(2, 1);
    };
  }),
  again('from the 200th user on, the first one has another name', (service) => {
    const { store } = service;
    service.store = (user) => {
      store(user);
      if (service.users.length === 200)
        Object.assign(service.users[0] as User, { name: user.name });
    };
  }),
  ...faultsFor([50, 100], (most) =>
    seeks(`retrievals look through the first ${most} users`, firstOnly(most)),
  ),
  ...faultsFor([64, 256], (most) =>
    exact(
      `identifiers begin again after ${most}`,
      combine(
        numbered((made) => made % most),
        byIdentifier,
      ),
    ),
  ),
  seeks('identifiers are sorted as text, and sought by halves', (service) => {
    numbered((made) => 900 + made)(service);
    service.find = (id) => {
      const { users } = service;
      let from = 0;
      let to = users.length;
      while (from < to) {
        const middle = (from + to) >> 1;
        if (`${users[middle]?.id}` < id) from = middle + 1;
        else to = middle;
      }
      return `${users[from]?.id}` === id ? users[from] : undefined;
    };
  }),
  seeks('a number of 16 bits overflows', (service) => {
    numbered((made) => 32_700 + made)(service);
    const { find } = service;
    service.find = (id) => (Number(id) > 32_767 ? undefined : find(id));
  }),
  kept('every 50th creation is not kept', (service) => {
    const { store } = service;
    let made = 0;
    service.store = (user) => {
      made += 1;
      if (made % 50 !== 0) store(user);
    };
  }),
  seeks('a table of 150 rows is full, and says nothing', (service) => {
    const { store } = service;
    service.store = (user) => {
      if (service.users.length < 150) store(user);
    };
  }),
  creates('the quota is 100 users', (service) => {
    const { create } = service;
    service.create = (request) =>
      service.users.length >= 100 ? { status: 403, body: { error: 'quota' } } : create(request);
  }),
  deep('http.no-server-error')('every 251st request is 500', (service) => {
    const { handle } = service;
    let requests = 0;
    service.handle = (request) => {
      requests += 1;
      return requests % 251 === 0 ? { status: 500 } : handle(request);
    };
  }),
  deep('retrieve.concurrent')(
    'every 150th retrieval shows the user of the one before',
    (service) => {
      const { find } = service;
      let retrievals = 0;
      let last: User | undefined;
      service.find = (id) => {
        const user = find(id);
        retrievals += 1;
        const shown = retrievals % 150 === 0 && user ? last : user;
        if (user) last = user;
        return shown;
      };
    },
  ),
  deep('retrieve.concurrent')('every 200th retrieval is 403', (service) => {
    const { handle } = service;
    let retrievals = 0;
    service.handle = (request) => {
      if (isRetrieval(request)) retrievals += 1;
      return isRetrieval(request) && retrievals % 200 === 0 ? { status: 403 } : handle(request);
    };
  }),
  deep('retrieve.values')(
    'an address that is a number with an exponent is written as a number',
    storingEmail((email) => email.replace(/^\d+e\d+(?=@)/, (number) => `${Number(number)}`)),
  ),
  deep('round-trip.other-strings')(
    'an address of a month and a number is a date',
    storingEmail((email) => email.replace(/^(mar|sep|dec)\.?(\d{1,2})(?=@)/, '$2-$1')),
  ),
  deep('create.answers')('the longest name and a short address are 500', (service) => {
    const { create } = service;
    service.create = (request) =>
      /"[^"@]{1,6}@/.test(request.body) && /"[^"@]{40}"/.test(request.body)
        ? { status: 500 }
        : create(request);
  }),
  deep('list.users')('every 20th list shows its first user without an email', (service) => {
    let lists = 0;
    changedList((body) => {
      lists += 1;
      const [{ name } = { name: '' }, ...others] = body.data as { name: string }[];
      return lists % 20 === 0 && body.data.length > 0
        ? { ...body, data: [{ name }, ...others] }
        : body;
    })(service);
  }),
  deep('list.contains-created')('every 16th list comes from a backup', (service) => {
    let lists = 0;
    service.list = () => {
      lists += 1;
      const data = lists % 16 === 0 ? service.users.slice(0, 20) : service.users;
      return { status: 200, body: { data, total: data.length } };
    };
  }),
  deep('retrieve.existing-users')(
    'of users who were there before, ten fit into the cache',
    (service) => {
      const old = existingUsers(40).map((user) => ({ ...user, id: randomUUID() }));
      service.users.push(...old);
      const cached = new Set<string>();
      const { find } = service;
      service.find = (id) => {
        const user = find(id);
        if (!user || !old.some(({ id }) => id === user.id)) return user;
        cached.add(id);
        return cached.size > 10 ? undefined : user;
      };
    },
  ),
];
