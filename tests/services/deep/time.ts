import { type Reply, type Request, waitForHangUp } from '../service.ts';
import { type Deep, deep, faultsFor, isCreation, isList, isRetrieval } from './deep.ts';

const survives = deep('http.survives-bad-requests');
const survivesRefusals = deep(
  'http.survives-bad-requests',
  'authentication.header-syntax',
  'authentication.other-scheme',
);
const repeatable = deep('retrieve.repeatable');
const unauthorised: Reply = {
  status: 401,
  headers: { 'www-authenticate': 'Bearer' },
  body: { error: 'locked' },
};

/** Rejects `length` requests after `most` exchanges of a kind, in total or in a row. */
const lockingOut =
  (
    isMeant: (reply: Reply, request: Request) => boolean,
    most: number,
    length: number,
    { inARow = false, reply = unauthorised } = {},
  ): Deep['patch'] =>
  (service) => {
    const { handle } = service;
    let seen = 0;
    let locked = 0;
    service.handle = async (request) => {
      if (locked > 0) {
        locked -= 1;
        return reply;
      }
      const usual = await handle(request);
      if (isMeant(usual, request)) seen += 1;
      else if (inARow) seen = 0;
      if (seen >= most) {
        seen = 0;
        locked = length;
      }
      return usual;
    };
  };
const isRefused = ({ status }: Reply) => status === 401;
const isMalformed = ({ status }: Reply, request: Request) => isCreation(request) && status === 400;
const isUnknown = ({ status }: Reply, request: Request) => isRetrieval(request) && status === 404;

/** Faults that show after many rejections, after a pause, or late in a run. */
export const inTime: Deep[] = [
  ...faultsFor([150, 400], (most) =>
    survivesRefusals(
      `after ${most} refusals the right key is refused, for good`,
      lockingOut(isRefused, most, 100_000),
    ),
  ),
  survives(
    'after 12 malformed bodies in a row the next requests are 403',
    lockingOut(isMalformed, 12, 30, { inARow: true, reply: { status: 403 } }),
  ),
  survives(
    'after 20 bodies in a row that are null the next requests are 500',
    lockingOut((_, { body }) => body === 'null', 20, 30, { inARow: true, reply: { status: 500 } }),
  ),
  survives(
    'after 16 retrievals of nobody in a row the next requests are 403',
    lockingOut(isUnknown, 16, 30, { inARow: true, reply: { status: 403 } }),
  ),
  survives('clients that hang up half-way leave a pool of eight without connections', (service) => {
    const { handle } = service;
    let left = 8;
    service.gone = () => {
      left -= 1;
    };
    service.handle = (request) => (left > 0 ? handle(request) : { status: 500 });
  }),
  survives(
    'clients that hang up before the response leave a pool of ten without connections',
    (service) => {
      const { handle, write } = service;
      const connections = new WeakSet<object>();
      let left = 10;
      service.handle = async (request) => {
        if (left <= 0) return { status: 500 };
        // Only the first retrieval of a connection waits, so that the run takes no longer.
        if (isRetrieval(request) && !connections.has(request.connection)) await waitForHangUp(300);
        connections.add(request.connection);
        return handle(request);
      };
      service.write = (response, reply, request) => {
        if (response.destroyed) left -= 1;
        else write(response, reply, request);
      };
    },
  ),
  survives(
    'after 60 malformed bodies every request is 500',
    lockingOut(isMalformed, 60, 100_000, { reply: { status: 500 } }),
  ),
  deep(
    'authentication.list-needs-key',
    'authentication.header-syntax',
    'authentication.other-scheme',
  )('after 200 refusals the guard is off', (service) => {
    const { authorised, refuse } = service;
    let refused = 0;
    service.refuse = (request) => {
      refused += 1;
      return refuse(request);
    };
    service.authorised = (request) =>
      authorised(request) ||
      (refused > 200 && isList(request) && request.headers.authorization === undefined);
  }),
  deep('authentication.wrong-key')(
    'a wrong key that was tried twenty times is known',
    (service) => {
      const { authorised } = service;
      const tried = new Map<string, number>();
      service.authorised = (request) => {
        const key = request.headers.authorization ?? '';
        tried.set(key, (tried.get(key) ?? 0) + 1);
        return authorised(request) || (/^Bearer \S{12,}$/.test(key) && (tried.get(key) ?? 0) > 20);
      };
    },
  ),
  repeatable('after a pause the oldest users are gone', (service, pauses) => {
    const { find } = service;
    service.find = (id) =>
      pauses.count > 0 && service.users.slice(0, 5).some((user) => user.id === id)
        ? undefined
        : find(id);
  }),
  repeatable('after a pause all users are gone', (service, pauses) => {
    const { find } = service;
    const before = new Set<string>();
    service.find = (id) => {
      const user = find(id);
      if (user && pauses.count === 0) before.add(id);
      return pauses.count > 0 && before.has(id) ? undefined : user;
    };
  }),
  deep('http.no-server-error')('the first request after a pause is 500', (service, pauses) => {
    const { handle } = service;
    let seen = 0;
    service.handle = (request) => {
      const isFirst = pauses.count > seen;
      seen = pauses.count;
      return isFirst ? { status: 500 } : handle(request);
    };
  }),
  deep('create.concurrent')('the first creation after a pause is not kept', (service, pauses) => {
    const { store } = service;
    let seen = 0;
    service.store = (user) => {
      const isFirst = pauses.count > seen;
      seen = pauses.count;
      if (!isFirst) store(user);
    };
  }),
  deep('list.contains-created')(
    'after a pause the list shows only what is new',
    (service, pauses) => {
      let before: number | undefined;
      const shown = () => {
        if (pauses.count > 0) before ??= service.users.length;
        return service.users.slice(before ?? 0);
      };
      service.listed = shown;
      service.total = () => shown().length;
    },
  ),
  deep('authentication.retrieve-needs-key')(
    'after a pause the guard is not awake yet',
    (service, pauses) => {
      const { authorised } = service;
      service.authorised = (request) =>
        authorised(request) ||
        (pauses.count > 0 && isRetrieval(request) && request.headers.authorization === undefined);
    },
  ),
  repeatable('a user who was read ten times has another name', (service) => {
    const reads = new Map<string, number>();
    const { retrieve } = service;
    service.retrieve = async (id, request) => {
      const reply = await retrieve(id, request);
      reads.set(id, (reads.get(id) ?? 0) + 1);
      const user = reply.body as { name: string };
      return reply.status === 200 && (reads.get(id) ?? 0) > 40
        ? { ...reply, body: { ...user, name: user.name.toLowerCase() } }
        : reply;
    };
  }),
  repeatable('a user is gone after 60 reads', (service) => {
    const reads = new Map<string, number>();
    const { find } = service;
    service.find = (id) => {
      reads.set(id, (reads.get(id) ?? 0) + 1);
      return (reads.get(id) ?? 0) > 60 ? undefined : find(id);
    };
  }),
];
