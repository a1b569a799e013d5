import { EventEmitter, once } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Gate, type Patch, type Reply } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Changes the list that is asked for while the third user is being created. */
const besideCreation =
  (change: (reply: Reply) => Reply): Patch =>
  (service) => {
    const { create, list } = service;
    const [begun, over] = [new Gate(2), new Gate(2)];
    let [creations, lists] = [0, 0];
    service.create = async (request) => {
      creations += 1;
      if (creations !== 3) return create(request);
      await begun.pass();
      await over.pass();
      return create(request);
    };
    service.list = async (request) => {
      lists += 1;
      if (lists !== 2) return list(request);
      await begun.pass();
      const reply = change(await list(request));
      void over.pass();
      return reply;
    };
  };

/** Fewer users than there are at the end of a run, and more than there are before its last line. */
const MANY = 34;

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
    'a list that was begun before a creation is kept after it',
    (service) => {
      const { list, store } = service;
      let kept: Reply | undefined;
      const events = new EventEmitter();
      service.store = (user) => {
        kept = undefined;
        events.emit('creation');
        store(user);
      };
      service.list = async (request) => {
        const isKept = request.headers.accept === 'application/json';
        if (isKept && kept) return kept;
        const reply = await list(request);
        // Those at the end, of many users, take until a creation begins, or no other comes.
        if (isKept && service.users.length > MANY)
          await Promise.race([once(events, 'creation'), setTimeout(1000)]);
        if (isKept) kept = reply;
        return reply;
      };
    },
  ),
  broken(
    'list.contains-created',
    'the list is kept until somebody lacks the key to create',
    (service) => {
      const { list, refuse } = service;
      let kept: ReturnType<typeof list> | undefined;
      service.list = (request) => {
        kept ??= list(request);
        return kept;
      };
      service.refuse = (request) => {
        if (request.method === 'POST' && service.users.length > 0) service.list = list;
        return refuse(request);
      };
    },
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
        for (let turns = 0; turns < 20; turns += 1) await setImmediate();
        kept = reply;
        return reply;
      };
    },
  ),
];
