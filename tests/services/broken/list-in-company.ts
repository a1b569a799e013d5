import { type Patch, type Reply, type Request, someTurns } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Changes every list that is requested during a creation. */
const duringCreation =
  (change: (reply: Reply) => Reply): Patch =>
  (service) => {
    const { create, list } = service;
    let beingCreated = 0;
    service.create = async (request) => {
      beingCreated += 1;
      await someTurns(20);
      beingCreated -= 1;
      return create(request);
    };
    service.list = async (request) => {
      const isDuring = beingCreated > 0;
      const reply = await list(request);
      return isDuring ? change(reply) : reply;
    };
  };

/** Caches a list until the next creation, even if that happens before the response. */
const cachesOverlappedList =
  (isCached: (request: Request) => boolean): Patch =>
  (service) => {
    const { list, store } = service;
    let cached: Reply | undefined;
    service.store = (user) => {
      cached = undefined;
      store(user);
    };
    service.list = async (request) => {
      if (!isCached(request)) return list(request);
      if (cached) return cached;
      const reply = await list(request);
      await someTurns(20);
      cached = reply;
      return reply;
    };
  };

/** Lists that are wrong during creations, or until another request. */
export const brokenListsInCompany: Broken[] = [
  broken(
    'list.users',
    'a user is listed without a name while another is created',
    duringCreation(({ body }) => {
      const { data, ...others } = body as { data: object[] };
      return {
        status: 200,
        body: {
          ...others,
          data: data.map((user, index) => (index > 0 ? user : { ...user, name: null })),
        },
      };
    }),
    ['list.agrees-with-retrieve'],
  ),
  {
    ...broken(
      'list.answers',
      'the list is 500 while users are being created',
      duringCreation(() => ({ status: 500 })),
      ['http.no-sporadic-error'],
    ),
    mayAlso: ['http.no-server-error'],
  },
  broken(
    'list.contains-created',
    'a page shows a user twice while another is created',
    duringCreation(({ body }) => {
      const { data } = body as { data: object[] };
      return { status: 200, body: { data: [...data, data[0]], total: data.length + 2 } };
    }),
    ['http.concurrent-requests'],
  ),
  broken(
    'list.empty-only-at-zero',
    'no user is listed while another is created, not even one from before the run',
    (service) => {
      service.users.push({ id: 'old', email: 'old@example.org', name: 'Old' });
      const emptied = ({ body }: Reply) => ({ ...(body as object), data: [] });
      duringCreation((reply) => ({ status: 200, body: emptied(reply) }))(service);
    },
  ),
  broken(
    'list.contains-created',
    'a list for JSON alone that was read before a creation is cached after it',
    cachesOverlappedList(({ headers }) => headers.accept === 'application/json'),
  ),
  broken(
    'list.contains-created',
    'the list is cached until a creation without the key',
    (service) => {
      const { list, refuse } = service;
      let cached: Reply | Promise<Reply> | undefined;
      service.list = (request) => {
        cached ??= list(request);
        return cached;
      };
      service.refuse = (request) => {
        if (request.method === 'POST') cached = undefined;
        return refuse(request);
      };
    },
    ['list.total-counts-creations'],
  ),
  broken(
    'list.contains-created',
    'a list that was read before a creation is cached after it',
    cachesOverlappedList(() => true),
  ),
];
