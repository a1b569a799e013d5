import { combine, existingUsers } from '../patches.ts';
import type { Patch, Service, User } from '../service.ts';
import { pagesOfFive, pagesOfTheNewest, writesEvery } from '../writers.ts';
import { afterwards, agesOf, shows, type Variant, variant } from './variant.ts';

/** Adds users from before the run. */
const withUsers = ({ users }: Service): void => {
  // A combination of such variants has them once.
  if (users.some(({ id }) => id === 'old-0')) return;
  users.push(...existingUsers(8));
};

/** An encoded delimiter is decoded before the path is matched, so that it ends the path of the list. */
const decodes =
  (encoded: string): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = (request) => {
      const isEnd = request.path.endsWith(`users/${encoded}`);
      return handle(isEnd ? { ...request, path: `${service.base}/users` } : request);
    };
  };

/** The replica lag: half of the settle time of these variants. */
const LAG_MS = 10_000;

/** Each user is missing in these reads, by their number, as if they came from a stale replica. */
const staleReads =
  (...missing: number[]): Patch =>
  (service) => {
    const reads = new Map<User, number>();
    const { find } = service;
    const ageOf = agesOf(service);
    service.find = (id) => {
      const user = find(id);
      if (user === undefined) return undefined;
      reads.set(user, (reads.get(user) ?? 0) + 1);
      const isFresh = ageOf(user) < LAG_MS;
      return isFresh && missing.includes(reads.get(user) ?? 0) ? undefined : user;
    };
  };

/** Every second list lacks new users, until `within` requests after their creation. */
const staleLists =
  (within: number): Patch =>
  (service) => {
    let lists = 0;
    let requests = 0;
    const since = new Map<User, number>();
    const { store, list, handle } = service;
    service.handle = (request) => {
      requests += 1;
      return handle(request);
    };
    service.store = (user) => {
      since.set(user, requests);
      store(user);
    };
    service.list = (request) => {
      lists += 1;
      return list(request);
    };
    const shown = () =>
      service.users.filter(
        (user) => lists % 2 === 0 || requests - (since.get(user) ?? -within) > within,
      );
    service.listed = shown;
    service.total = () => shown().length;
  };

const key =
  (value: string): Patch =>
  (service) => {
    service.key = value;
  };

/**
 * Sets a long settle time, because a lag that counts requests may take longer than tests usually
 * wait.
 */
const patiently = (variant: Variant): Variant => ({ ...variant, settings: { settleMs: 20_000 } });

/** Services with other writers, with replicas, or behind a proxy; and everyday keys. */
export const sharedVariants: Variant[] = [
  variant(
    'writers',
    'with every second list, where the list shows all users',
    writesEvery(2, 1, 12),
  ),
  variant(
    'writers',
    'with every second list, behind a page',
    combine(writesEvery(2, 1, 12), pagesOfFive),
  ),
  variant(
    'writers',
    'with every third list, behind a page of the newest',
    combine(writesEvery(3, 1, 8), pagesOfTheNewest),
  ),
  variant(
    'writers',
    'several users at a time, behind a page',
    combine(writesEvery(8, 4, 16), pagesOfFive),
  ),
  variant('writers', 'others rename users with every list', (service) => {
    withUsers(service);
    const { list } = service;
    let lists = 0;
    service.list = async (request) => {
      const reply = await list(request);
      const body = structuredClone(reply.body);
      lists += 1;
      for (const user of service.users.filter(({ email }) => email.startsWith('old.')))
        user.name = `Old ${lists}`;
      return { ...reply, body };
    };
  }),
  patiently(variant('lag', 'replicas: the second read of each user misses it', staleReads(2))),
  patiently(
    variant('lag', 'three replicas, two of which are behind at first', staleReads(1, 2, 4, 5)),
  ),
  // When a total falls, the run waits for the whole settle time.
  {
    ...variant('lag', 'replicas: the list misses the newest now and then', staleLists(2)),
    settings: { settleMs: 3000 },
  },
  variant('lag', 'the first list shows fewer users than there are', (service) => {
    withUsers(service);
    let lists = 0;
    const { listed } = service;
    service.listed = () => {
      lists += 1;
      return lists === 1 ? listed().slice(0, 5) : listed();
    };
  }),
  variant('lag', 'the first list counts fewer users than there are', (service) => {
    withUsers(service);
    let lists = 0;
    const { total } = service;
    service.total = () => {
      lists += 1;
      return lists === 1 ? 6 : total();
    };
  }),
  variant('lag', 'the first list is behind in users and count', (service) => {
    withUsers(service);
    const stale = service.users.slice(0, 5);
    let lists = 0;
    const { list } = service;
    service.list = (request) => {
      lists += 1;
      return lists === 1
        ? { status: 200, body: { data: stale, total: stale.length } }
        : list(request);
    };
  }),
  variant('lag', 'the first list behind a page is behind in its count', (service) => {
    withUsers(service);
    pagesOfFive(service);
    let lists = 0;
    service.total = () => {
      lists += 1;
      return lists === 1 ? 6 : service.users.length;
    };
  }),
  variant(
    'transport',
    'a router decodes an encoded slash: %2F is redirected to the list',
    (service) => {
      const { handle } = service;
      service.handle = (request) =>
        /users\/%2F$/.test(request.path)
          ? { status: 301, headers: { location: request.path.replace(/\/%2F$/, '') } }
          : handle(request);
    },
  ),
  variant('transport', 'a proxy decodes an encoded slash: %2F is the list', decodes('%2F'), [
    'retrieve.odd-status',
  ]),
  variant(
    'transport',
    'a router decodes an encoded question mark: %3F is the list',
    decodes('%3F'),
    ['retrieve.odd-status'],
  ),
  variant('transport', '20 kB of headers', (service) => {
    afterwards(service, (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'x-long': 'y'.repeat(20_000) },
    }));
  }),
  variant('errors', 'a support contact in each, who is a listed user as well', (service) => {
    const support = { id: 'support', email: 'support@example.com', name: 'Support Team' };
    service.users.push(support);
    const error = (status: number) => ({
      status,
      headers: { 'www-authenticate': 'Bearer' },
      body: { error: 'no', support },
    });
    service.refuse = () => error(401);
    service.missing = () => error(404);
    service.invalid = () => error(400);
    service.elsewhere = () => error(404);
  }),
  ...['example-secret-4711', 'users-key-0815', 'user1234'].map((word) =>
    variant('keys', `${word}, of which emails, paths and identifiers have a part`, (service) => {
      key(word)(service);
      let next = 17;
      const { store } = service;
      service.store = (user) => {
        user.id = `users-${next++}-of-example:${user.email}`;
        store(user);
      };
      shows(service, ({ email, name }) => ({ email, name }));
    }),
  ),
  ...['test', 'secret', 'admin', 'token', 'example', '123'].map((word) =>
    variant('keys', `the everyday word ${word}`, (service) => {
      key(word)(service);
      service.refuse = () => ({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { error: `the latest ${word} is needed, for example` },
      });
    }),
  ),
];
