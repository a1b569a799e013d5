import { Gate, type Patch, type Service, type User } from '../service.ts';
import { type Broken, broken, changedSuccess } from './broken.ts';

const found = (find: (id: string, service: Service) => User | undefined) => (service: Service) => {
  const { find: right } = service;
  service.find = (id) => right(id) && find(id, service);
};

/** Of the first four reads that are under way at the same time, each shows the user of the read before or after it. */
function mixesUp(
  service: Service,
  choose: (asked: string[], index: number) => string | undefined,
): void {
  const { create, retrieve } = service;
  const gate = new Gate(4);
  const asked: string[] = [];
  let creations = 0;
  service.create = (request) => {
    creations += 1;
    return create(request);
  };
  service.retrieve = async (id, request) => {
    // The first users are retrieved one after the other, before others are created.
    if (creations < 6 || asked.length >= 4 || !service.find(id)) return retrieve(id, request);
    const index = asked.push(id) - 1;
    await gate.pass();
    return retrieve(choose(asked, index) ?? id, request);
  };
}

/**
 * One read shows another user: the first one that is so, by how many requests its connection had, and the status of the
 * last.
 */
function confusedOnce(
  isIt: (before: number, last: number | undefined, refused: number) => boolean,
): Patch {
  return (service) => {
    const { handle } = service;
    const statuses = new Map<object, number[]>();
    let refused = 0;
    let isOver = false;
    service.handle = async (request) => {
      const before = statuses.get(request.connection) ?? [];
      const isConfused = !isOver && isIt(before.length, before.at(-1), refused);
      const reply = await handle(request);
      statuses.set(request.connection, [...before, reply.status]);
      if (reply.status === 401) refused += 1;
      const [first, second] = service.users;
      if (
        !isConfused ||
        request.method !== 'GET' ||
        (reply.body !== first && reply.body !== second)
      )
        return reply;
      isOver = true;
      return { ...reply, body: reply.body === first ? second : first };
    };
  };
}

export const brokenRetrieve: Broken[] = [
  broken(
    'retrieve.repeatable',
    'what was not modified for one client is so for all from then on',
    (service) => {
      const unmodified = new Set<string>();
      changedSuccess((reply, { path, headers }) => {
        const etag = `"${path}"`;
        if (headers['if-none-match'] === etag) unmodified.add(path);
        return unmodified.has(path)
          ? { status: 304 }
          : { ...reply, headers: { ...reply.headers, etag } };
      }, 'retrieve')(service);
    },
  ),
  broken(
    'retrieve.repeatable',
    'from the second read on a user is cut at so many bytes as it has characters',
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
    found((_, { users }) => users.at(-1)),
    [],
  ),
  broken(
    'retrieve.exact-user',
    'always the first user',
    found((_, { users }) => users[0]),
    ['retrieve.created-user', 'retrieve.values'],
  ),
  broken(
    'retrieve.exact-user',
    'the user created after',
    found((id, { users }) => users[users.findIndex((user) => user.id === id) + 1] ?? users.at(-1)),
    [],
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
        body: { data: [reply.body, users.find((one) => one !== reply.body)].filter(Boolean) },
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
      let [sawEmptyBody, isLost] = [false, false];
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
    'the second read shows another number of its own, behind a count of reads',
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
    'the first read of who has an accent in the name shows the first user',
    (service) => {
      const seen = new Set<string>();
      const { find } = service;
      service.find = (id) => {
        const user = find(id);
        const isFirst = user?.name.startsWith('Éloïse') && !seen.has(id);
        seen.add(id);
        return isFirst ? service.users[0] : user;
      };
    },
  ),
  broken('retrieve.concurrent', 'reads at the same time are mixed up', (service) =>
    mixesUp(service, (asked, index) => asked[index + 1]),
  ),
  broken(
    'retrieve.exact-user',
    'once, the read after a refusal on its connection shows another user',
    confusedOnce((before, last) => before === 1 && last === 401),
    ['http.survives-bad-requests'],
  ),
  broken(
    'retrieve.exact-user',
    'once, the first read on a connection shows another user',
    confusedOnce((before, _, refused) => before === 0 && refused > 5),
    ['http.survives-bad-requests'],
  ),
  broken(
    'retrieve.concurrent',
    'reads at the same time show the user of the read before',
    (service) => mixesUp(service, (asked, index) => asked[index - 1]),
  ),
  broken('retrieve.created-user', 'retrieving asks for the email', (service) => {
    service.find = (id) => service.users.find((user) => user.email === `mailto:${id}`);
  }),
  broken('retrieve.values', 'a long email is cut', (service) => {
    service.record = (user) => ({ ...user, email: user.email.slice(0, 20) });
    service.item = (user) => service.record(user);
  }),
];
