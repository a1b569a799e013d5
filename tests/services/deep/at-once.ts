import type { Patch, Reply, User } from '../service.ts';
import {
  Barrier,
  changesConcurrent,
  type Deep,
  faultsFor,
  isCreation,
  isList,
  isRetrieval,
  race,
  turns,
} from './deep.ts';

const any = () => true;

/**
 * Changes the users of concurrent creations; a user for whom `change` returns undefined is not
 * stored.
 */
const creating =
  (
    change: (user: User, inFlight: number, place: number, users: User[]) => User | undefined,
  ): Patch =>
  (service) => {
    const { create } = service;
    const barrier = new Barrier();
    service.create = (request) =>
      barrier.pass((inFlight, place) => {
        const { store } = service;
        service.store = (user) => {
          const changed = change(user, inFlight, place, service.users);
          if (changed) store(changed);
        };
        try {
          return create(request);
        } finally {
          service.store = store;
        }
      });
  };

const mixesReads = race('retrieve.concurrent');
const loses = race('create.concurrent');

/** Changes the users of concurrent retrievals. `others` are all users that are being retrieved. */
const reading =
  (
    change: (user: User, inFlight: number, place: number, others: User[]) => User | undefined,
  ): Patch =>
  (service) => {
    const { find, retrieve } = service;
    const barrier = new Barrier();
    const requested: User[] = [];
    service.retrieve = (id, request) => {
      const user = find(id);
      if (user === undefined) return retrieve(id, request);
      requested.push(user);
      return barrier
        .pass((inFlight, place) => {
          const shown = change(user, inFlight, place, requested);
          return shown ? { status: 200, body: service.record(shown) } : service.missing(id);
        })
        .finally(() => requested.splice(requested.indexOf(user), 1));
    };
  };

/** Faults that show when more requests are in flight than a pool has connections. */
export const manyAtOnce: Deep[] = [
  race('retrieve.concurrent')('users in gzip are written into one buffer', (service) => {
    const { retrieve } = service;
    let buffer: Reply | Promise<Reply>;
    service.retrieve = async (id, request) => {
      if (request.headers['accept-encoding'] !== 'gzip') return retrieve(id, request);
      buffer = retrieve(id, request);
      await new Promise(setImmediate);
      return buffer;
    };
  }),
  ...faultsFor([66, 72], (most) =>
    race('http.no-server-error')(
      `a pool of ${most}: further requests are 500`,
      changesConcurrent(any, (inFlight, place) =>
        inFlight > most && place > most ? { status: 500 } : undefined,
      ),
    ),
  ),
  ...faultsFor([32], (most) =>
    loses(
      `of more than ${most} creations at once the last is not kept`,
      creating((user, inFlight, place) => (inFlight > most && place > most ? undefined : user)),
    ),
  ),
  loses(
    'of 32 creations at once two get one identifier',
    creating((user, inFlight, place) =>
      inFlight >= 32 && place <= 2 ? Object.assign(user, { id: 'the-same' }) : user,
    ),
  ),
  loses('of 24 creations at once all but one are refused', (service) => {
    const { create } = service;
    const barrier = new Barrier();
    service.create = (request) =>
      'error' in service.parse(request.body)
        ? create(request)
        : barrier.pass((inFlight, place) =>
            inFlight >= 24 && place > 1 ? { status: 409 } : create(request),
          );
  }),
  race('retrieve.values')(
    'of 32 creations at once one gets the name of another',
    creating((user, inFlight, place, users) =>
      inFlight >= 32 && place === 5 ? { ...user, name: users.at(-1)?.name ?? user.name } : user,
    ),
  ),
  ...faultsFor([20, 30], (most) =>
    mixesReads(
      `with more than ${most} retrievals at once two are mixed up`,
      reading((user, inFlight, place, others) =>
        inFlight > most && place === 3 ? others.find((other) => other !== user) : user,
      ),
    ),
  ),
  mixesReads(
    'with more than 25 retrievals at once the last is nobody',
    reading((user, inFlight, place) => (inFlight > 25 && place > 25 ? undefined : user)),
  ),
  mixesReads('with more than 66 requests at once the key of the last is not known', (service) => {
    const { handle } = service;
    const barrier = new Barrier();
    service.handle = (request) =>
      barrier.pass((inFlight, place) =>
        isRetrieval(request) && inFlight > 66 && place > 66
          ? { status: 401, headers: { 'www-authenticate': 'Bearer' } }
          : handle(request),
      );
  }),
  race('list.data-array', 'create.concurrent')(
    'a list among 30 creations at once is empty-handed',
    (service) => {
      const { handle } = service;
      const barrier = new Barrier();
      let creations = 0;
      service.handle = async (request) => {
        if (isList(request)) {
          return barrier.pass((inFlight) =>
            inFlight > 30 && creations > 30
              ? { status: 200, body: { data: null, total: 0 } }
              : handle(request),
          );
        }
        if (!isCreation(request) || !service.authorised(request)) return handle(request);
        creations += 1;
        return barrier
          .pass(() => handle(request))
          .finally(() => {
            creations -= 1;
          });
      };
    },
  ),
  race('list.contains-created')('two lists at once share a buffer', (service) => {
    const { list } = service;
    const barrier = new Barrier();
    service.list = (request) =>
      barrier.pass((inFlight, place) =>
        inFlight > 1 && place > 1 && service.users.length > 50
          ? { status: 200, body: { data: service.users.slice(0, 10), total: 10 } }
          : list(request),
      );
  }),
  race('list.contains-created')('a list is read in parts, newest first', (service) => {
    service.list = async () => {
      const data: User[] = [];
      for (let size = -1; size !== data.length; ) {
        size = data.length;
        const end = service.users.length - size;
        data.push(...service.users.slice(Math.max(0, end - 25), Math.max(0, end)).reverse());
        await turns(10);
      }
      return { status: 200, body: { data, total: data.length } };
    };
  }),
  race('create.same-email')(
    'a user of an email that is looked for before and stored later takes the place of another',
    (service) => {
      service.create = async ({ body }) => {
        const parsed = service.parse(body);
        if ('error' in parsed) return service.invalid(parsed.error);
        const email = parsed.email.toLowerCase();
        const isOther = (user: User) => user.email.toLowerCase() !== email;
        if (!service.users.every(isOther)) return { status: 409 };
        await turns(3);
        const user = { id: service.newId(), ...parsed };
        service.users = [...service.users.filter(isOther), user];
        return service.created(user);
      };
    },
  ),
  ...faultsFor([30], (most) =>
    loses(
      `of more than ${most} creations at once some show the identifier of the newest`,
      (service) => {
        const { create, created } = service;
        const barrier = new Barrier();
        service.create = async (request) => {
          const reply = await create(request);
          if (reply.status !== 201) return reply;
          return barrier.pass((inFlight) =>
            inFlight > most
              ? { ...reply, body: service.record(service.users.at(-1) as User) }
              : reply,
          );
        };
        service.created = created;
      },
    ),
  ),
];
