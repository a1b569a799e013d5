import { type Patch, type Service, someTurns, type User } from '../service.ts';
import { type Broken, broken, changedSuccess } from './broken.ts';

/** Finds another user than the one with the identifier. */
const finds =
  (findOther: (id: string, service: Service) => User | undefined): Patch =>
  (service) => {
    const { find } = service;
    service.find = (id) => find(id) && findOther(id, service);
  };

/**
 * A read shows the user of another read that overlaps with it. `choose` selects the identifier from
 * those in flight; `own` is the position of the read among them.
 */
const mixesUp =
  (choose: (inFlight: string[], own: number) => string | undefined): Patch =>
  (service) => {
    const { retrieve } = service;
    const inFlight: string[] = [];
    service.retrieve = async (id, request) => {
      if (!service.find(id)) return retrieve(id, request);
      inFlight.push(id);
      await someTurns(3);
      const shown = choose(inFlight, inFlight.indexOf(id)) ?? id;
      await someTurns(3);
      inFlight.splice(inFlight.indexOf(id), 1);
      return retrieve(shown, request);
    };
  };

/** A read shows another user, depending on the status of the previous request on its connection. */
const confuses =
  (isConfused: (lastStatus: number | undefined) => boolean): Patch =>
  (service) => {
    const { handle } = service;
    const lastStatuses = new Map<object, number>();
    service.handle = async (request) => {
      const lastStatus = lastStatuses.get(request.connection);
      const reply = await handle(request);
      lastStatuses.set(request.connection, reply.status);
      const isUser = service.users.some((user) => user === reply.body);
      if (request.method !== 'GET' || !isUser || !isConfused(lastStatus)) return reply;
      return { ...reply, body: service.users.find((user) => user !== reply.body) ?? reply.body };
    };
  };

/** Wrong responses to the retrieval of an existing user. */
export const brokenRetrieve: Broken[] = [
  broken('retrieve.repeatable', 'after a 304 for one client a user is 304 for all', (service) => {
    const unmodified = new Set<string>();
    changedSuccess((reply, { path, headers }) => {
      const etag = `"${path}"`;
      if (headers['if-none-match'] === etag) unmodified.add(path);
      return unmodified.has(path)
        ? { status: 304 }
        : { ...reply, headers: { ...reply.headers, etag } };
    }, 'retrieve')(service);
  }),
  broken(
    'retrieve.repeatable',
    'from the second read on a user is cut to as many bytes as it has characters',
    (service) => {
      const { retrieve } = service;
      const read = new Set<string>();
      service.retrieve = async (id, request) => {
        const reply = await retrieve(id, request);
        const text = JSON.stringify(reply.body);
        const headers = { 'content-type': 'application/json' };
        if (read.has(id))
          return { ...reply, headers, body: Buffer.from(text).subarray(0, text.length) };
        read.add(id);
        return reply;
      };
    },
    ['http.json'],
  ),
  broken(
    'retrieve.created-user',
    'retrieving is 500',
    changedSuccess(() => ({ status: 500 }), 'retrieve'),
    ['http.no-server-error'],
  ),
  broken('retrieve.created-user', 'a created user is nowhere', (service) => {
    service.find = () => undefined;
  }),
  broken(
    'retrieve.created-user',
    '2xx, and nothing is stored',
    (service) => {
      service.store = () => {};
    },
    ['list.total-counts-creations'],
  ),
  broken(
    'retrieve.created-user',
    'a redirect to the trailing slash',
    changedSuccess(
      (_, { path }) => ({ status: 308, headers: { location: `${path}/` } }),
      'retrieve',
    ),
  ),
  broken(
    'retrieve.exact-user',
    'always the last user',
    finds((_, { users }) => users.at(-1)),
  ),
  broken(
    'retrieve.exact-user',
    'always the first user',
    finds((_, { users }) => users[0]),
    ['retrieve.created-user', 'retrieve.values'],
  ),
  broken(
    'retrieve.exact-user',
    'the user created next',
    finds((id, { users }) => users[users.findIndex((user) => user.id === id) + 1] ?? users.at(-1)),
  ),
  broken(
    'retrieve.exact-user',
    'all users',
    changedSuccess((reply, _, { users }) => ({ ...reply, body: users }), 'retrieve'),
    ['http.equivalent-requests'],
  ),
  broken(
    'retrieve.exact-user',
    'the user and its neighbour',
    changedSuccess(
      (reply, _, { users }) => ({
        ...reply,
        body: { data: [reply.body, users.find((user) => user !== reply.body)].filter(Boolean) },
      }),
      'retrieve',
    ),
    ['http.equivalent-requests'],
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
  broken(
    'retrieve.repeatable',
    'the list after an empty body loses the first user, and a page hides it',
    (service) => {
      let sawEmptyBody = false;
      let isLost = false;
      const { create, find } = service;
      service.create = (request) => {
        sawEmptyBody ||= request.body.trim() === '';
        return create(request);
      };
      service.listed = () => {
        isLost ||= sawEmptyBody;
        return service.users.slice(-3);
      };
      service.find = (id) => (isLost && id === service.users[0]?.id ? undefined : find(id));
    },
    ['http.survives-bad-requests'],
  ),
  broken(
    'retrieve.repeatable',
    'the second read shows another member number, behind a count of reads',
    (service) => {
      let next = 1;
      service.newId = () => next++;
      const reads = new Map<unknown, number>();
      changedSuccess((reply) => {
        const { id, ...user } = reply.body as User;
        reads.set(id, (reads.get(id) ?? 0) + 1);
        const count = reads.get(id) ?? 0;
        return {
          ...reply,
          body: { reads: count, ...user, memberNo: count > 1 ? Number(id) + 1000 : id },
        };
      }, 'retrieve')(service);
    },
  ),
  broken(
    'retrieve.repeatable',
    'the second read shows another name',
    (service) => {
      const reads = new Map<User, number>();
      changedSuccess((reply) => {
        const user = reply.body as User;
        const times = (reads.get(user) ?? 0) + 1;
        reads.set(user, times);
        return times > 1 ? { ...reply, body: { ...user, name: `${user.name} ${times}` } } : reply;
      }, 'retrieve')(service);
    },
    ['http.equivalent-requests'],
  ),
  broken(
    'retrieve.concurrent',
    'the first read of a user with an accent in the name shows the first user',
    (service) => {
      const seen = new Set<string>();
      const { find } = service;
      service.find = (id) => {
        const user = find(id);
        const isFirst = user && /[À-ÿ]/.test(user.name) && !seen.has(id);
        seen.add(id);
        return isFirst ? service.users[0] : user;
      };
    },
  ),
  {
    ...broken(
      'retrieve.concurrent',
      'a read shows the user of a later one that overlaps with it',
      mixesUp((inFlight, own) => inFlight[own + 1]),
    ),
    mayAlso: ['list.contains-created'],
  },
  {
    ...broken(
      'retrieve.concurrent',
      'a read shows the user of an earlier one that overlaps with it',
      mixesUp((inFlight, own) => inFlight[own - 1]),
    ),
    mayAlso: ['list.contains-created'],
  },
  broken(
    'retrieve.exact-user',
    'a read directly after a rejected request on its connection shows another user',
    confuses((lastStatus) => lastStatus === 401),
    ['http.survives-bad-requests'],
  ),
  {
    ...broken(
      'retrieve.exact-user',
      'the first request on a connection shows another user',
      confuses((lastStatus) => lastStatus === undefined),
      ['http.equivalent-requests', 'http.survives-bad-requests', 'retrieve.concurrent'],
    ),
    mayAlso: ['list.agrees-with-retrieve', 'list.contains-created'],
  },
  broken('retrieve.created-user', 'retrieving asks for the email', (service) => {
    service.find = (id) => service.users.find((user) => user.email === `mailto:${id}`);
  }),
  broken('retrieve.values', 'a long email is cut', (service) => {
    service.record = (user) => ({ ...user, email: user.email.slice(0, 20) });
    service.item = (user) => service.record(user);
  }),
];
