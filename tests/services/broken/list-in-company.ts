import { type Patch, type Reply, someTurns } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Changes every list that is requested while a user is being created. */
const besideCreation =
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
      const isBeside = beingCreated > 0;
      const reply = await list(request);
      return isBeside ? change(reply) : reply;
    };
  };

/** Lists that are wrong for a while: beside creations, or until something else happens. */
export const brokenListsInCompany: Broken[] = [
  broken(
    'list.users',
    'a user is listed without a name while another is created',
    besideCreation(({ body }) => {
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
  broken(
    'list.answers',
    'the list is 500 while users are being created',
    besideCreation(() => ({ status: 500 })),
    ['http.no-server-error', 'http.no-sporadic-error'],
  ),
  broken(
    'list.contains-created',
    'a page shows a user twice while another is created',
    besideCreation(({ body }) => {
      const { data } = body as { data: object[] };
      return { status: 200, body: { data: [...data, data[0]], total: data.length + 2 } };
    }),
    ['http.concurrent-requests'],
  ),
  broken(
    'list.empty-only-at-zero',
    'no user is listed while another is created, not even who was there before',
    (service) => {
      service.users.push({ id: 'old', email: 'old@example.org', name: 'Old' });
      besideCreation(({ body }) => ({ status: 200, body: { ...(body as object), data: [] } }))(
        service,
      );
    },
  ),
  broken(
    'list.contains-created',
    'a list in JSON alone that was begun before a creation is kept after it',
    (service) => {
      const { list, store } = service;
      let kept: Reply | undefined;
      service.store = (user) => {
        kept = undefined;
        store(user);
      };
      service.list = async (request) => {
        if (request.headers.accept !== 'application/json') return list(request);
        if (kept) return kept;
        const reply = await list(request);
        await someTurns(20);
        kept = reply;
        return reply;
      };
    },
  ),
  broken(
    'list.contains-created',
    'the list is kept until somebody without the key creates',
    (service) => {
      const { list, refuse } = service;
      let kept: ReturnType<typeof list> | undefined;
      service.list = (request) => {
        kept ??= list(request);
        return kept;
      };
      service.refuse = (request) => {
        if (request.method === 'POST') kept = undefined;
        return refuse(request);
      };
    },
    ['list.total-counts-creations'],
  ),
  broken(
    'list.contains-created',
    'a list that was read before a creation is kept after it',
    (service) => {
      const { list, store } = service;
      let kept: Reply | undefined;
      service.store = (user) => {
        kept = undefined;
        store(user);
      };
      service.list = async (request) => {
        if (kept) return kept;
        const reply = await list(request);
        await someTurns(20);
        kept = reply;
        return reply;
      };
    },
  ),
];
