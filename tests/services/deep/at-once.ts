import type { Patch, User } from '../service.ts';
import {
  type Deep,
  each,
  inCompany,
  isCreation,
  isList,
  isRetrieval,
  race,
  Together,
  turns,
} from './deep.ts';

const any = () => true;

/** Creations that overlap; `change` is told how many, and which one this is. */
const creating =
  (
    change: (user: User, underWay: number, place: number, users: User[]) => User | undefined,
  ): Patch =>
  (service) => {
    const { create } = service;
    const together = new Together();
    service.create = (request) =>
      together.join((underWay, place) => {
        const { store } = service;
        service.store = (user) => {
          const changed = change(user, underWay, place, service.users);
          if (changed) store(changed);
        };
        try {
          return create(request);
        } finally {
          service.store = store;
        }
      });
  };

const readMixed = race('retrieve.concurrent');
const lost = race('create.concurrent');

/** Retrievals that overlap; `change` is told how many, and all that are asked for. */
const reading =
  (
    change: (user: User, underWay: number, place: number, others: User[]) => User | undefined,
  ): Patch =>
  (service) => {
    const { find, retrieve } = service;
    const together = new Together();
    const asked: User[] = [];
    service.retrieve = (id, request) => {
      const user = find(id);
      if (user === undefined) return retrieve(id, request);
      asked.push(user);
      return together
        .join((underWay, place) => {
          const shown = change(user, underWay, place, asked);
          return shown ? { status: 200, body: service.record(shown) } : service.missing(id);
        })
        .finally(() => asked.splice(asked.indexOf(user), 1));
    };
  };

/** Faults that show when more requests are under way than a pool has room for. */
export const manyAtOnce: Deep[] = [
  race('retrieve.concurrent')('users in gzip are written into one buffer', (service) => {
    const { retrieve } = service;
    let buffer: ReturnType<typeof retrieve>;
    service.retrieve = async (id, request) => {
      if (request.headers['accept-encoding'] !== 'gzip') return retrieve(id, request);
      buffer = retrieve(id, request);
      await new Promise(setImmediate);
      return buffer;
    };
  }),
  ...each([66, 72], (most) =>
    race('http.no-server-error')(
      `a pool of ${most}: further requests are 500`,
      inCompany(any, (underWay, place) =>
        underWay > most && place > most ? { status: 500 } : undefined,
      ),
    ),
  ),
  ...each([32], (most) =>
    lost(
      `of more than ${most} creations at once the last is not kept`,
      creating((user, underWay, place) => (underWay > most && place > most ? undefined : user)),
    ),
  ),
  lost(
    'of 32 creations at once two get one identifier',
    creating((user, underWay, place) =>
      underWay >= 32 && place <= 2 ? Object.assign(user, { id: 'the-same' }) : user,
    ),
  ),
  lost('of 24 creations at once all but one are refused', (service) => {
    const { create } = service;
    const together = new Together();
    service.create = (request) =>
      'error' in service.parse(request.body)
        ? create(request)
        : together.join((underWay, place) =>
            underWay >= 24 && place > 1 ? { status: 409 } : create(request),
          );
  }),
  race('retrieve.values')(
    'of 32 creations at once one gets the name of another',
    creating((user, underWay, place, users) =>
      underWay >= 32 && place === 5 ? { ...user, name: users.at(-1)?.name ?? user.name } : user,
    ),
  ),
  ...each([20, 30], (most) =>
    readMixed(
      `with more than ${most} retrievals at once two are mixed up`,
      reading((user, underWay, place, others) =>
        underWay > most && place === 3 ? others.find((other) => other !== user) : user,
      ),
    ),
  ),
  readMixed(
    'with more than 25 retrievals at once the last is nobody',
    reading((user, underWay, place) => (underWay > 25 && place > 25 ? undefined : user)),
  ),
  readMixed('with more than 66 requests at once the key of the last is not known', (service) => {
    const { handle } = service;
    const together = new Together();
    service.handle = (request) =>
      together.join((underWay, place) =>
        isRetrieval(request) && underWay > 66 && place > 66
          ? { status: 401, headers: { 'www-authenticate': 'Bearer' } }
          : handle(request),
      );
  }),
  race('list.data-array')('a list among 30 creations at once is empty-handed', (service) => {
    const { handle } = service;
    const together = new Together();
    let creations = 0;
    service.handle = async (request) => {
      if (isList(request)) {
        return together.join((underWay) =>
          underWay > 30 && creations > 30
            ? { status: 200, body: { data: null, total: 0 } }
            : handle(request),
        );
      }
      if (!isCreation(request) || !service.authorised(request)) return handle(request);
      creations += 1;
      return together
        .join(() => handle(request))
        .finally(() => {
          creations -= 1;
        });
    };
  }),
  race('list.contains-created')('two lists at once share a buffer', (service) => {
    const { list } = service;
    const together = new Together();
    service.list = (request) =>
      together.join((underWay, place) =>
        underWay > 1 && place > 1 && service.users.length > 50
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
        const isOther = (one: User) => one.email.toLowerCase() !== email;
        if (!service.users.every(isOther)) return { status: 409 };
        for (let turns = 0; turns < 3; turns += 1)
          await new Promise<void>((over) => setImmediate(over));
        const user = { id: service.newId(), ...parsed };
        service.users = [...service.users.filter(isOther), user];
        return service.created(user);
      };
    },
  ),
  ...each([30], (most) =>
    lost(
      `of more than ${most} creations at once some show the identifier of the newest`,
      (service) => {
        const { create, created } = service;
        const together = new Together();
        service.create = async (request) => {
          const reply = await create(request);
          if (reply.status !== 201) return reply;
          return together.join((underWay) =>
            underWay > most
              ? { ...reply, body: service.record(service.users.at(-1) as User) }
              : reply,
          );
        };
        service.created = created;
      },
    ),
  ),
];
