import type { Reply, Request, Service } from '../service.ts';
import { type Deep, deep, faultsFor, isCreation, isList, isRetrieval } from './deep.ts';

type IsMeant = (request: Request) => boolean;

/** A response to a request that follows others. */
type Respond = (service: Service, request: Request) => Reply | Promise<Reply>;

/** Gives the next matching request another response, directly after requests of these kinds. */
const respondsAfter =
  (isOnConnection: boolean, before: IsMeant[], isMeant: IsMeant, respond: Respond): Deep['patch'] =>
  (service) => {
    const { handle } = service;
    const last = new Map<object, Request[]>();
    service.handle = (request) => {
      const place = isOnConnection ? request.connection : service;
      const requests = last.get(place) ?? [];
      const isAfter =
        requests.length === before.length &&
        requests.every((previous, at) => before[at]?.(previous));
      last.set(place, [...requests, request].slice(-before.length));
      const isNext = isAfter && service.authorised(request) && isMeant(request);
      return isNext ? respond(service, request) : handle(request);
    };
  };

/** Carries out a creation with another way to store the user. */
const storing =
  (change: (store: Service['store']) => Service['store']): Respond =>
  (service, request) => {
    const { store } = service;
    service.store = change(store);
    const reply = service.create(request);
    service.store = store;
    return reply;
  };

const rejecting =
  (status: number): Respond =>
  () => ({ status, body: { error: 'not now' } });

/** Gives the n-th request of a kind on each connection another response. */
const onItsConnection =
  (place: number, isMeant: IsMeant, respond: Respond): Deep['patch'] =>
  (service) => {
    const { handle } = service;
    const counts = new Map<object, number>();
    service.handle = (request) => {
      if (!service.authorised(request) || !isMeant(request)) return handle(request);
      const count = (counts.get(request.connection) ?? 0) + 1;
      counts.set(request.connection, count);
      return count === place ? respond(service, request) : handle(request);
    };
  };

/** Faults that affect the next request: of all, or on the same connection. */
export const inSequence: Deep[] = [
  deep('list.empty-only-at-zero')(
    'after an email that was there the next list has no data',
    (service) => {
      const { create, list } = service;
      let isDue = false;
      service.create = (request) => {
        const email = (JSON.parse(request.body || 'null') as { email?: string } | null)?.email;
        if (!service.users.some((user) => user.email === email)) return create(request);
        isDue = true;
        return { status: 409 };
      };
      service.list = (request) => {
        const isEmpty = isDue;
        isDue = false;
        return isEmpty
          ? { status: 200, body: { data: [], total: service.users.length } }
          : list(request);
      };
    },
  ),
  deep('http.survives-bad-requests')(
    'after a long identifier the next user is nobody',
    (service) => {
      const { find } = service;
      let isAfterLong = false;
      service.find = (id) => {
        const user = isAfterLong ? undefined : find(id);
        isAfterLong = id.length > 1000;
        return user;
      };
    },
  ),
  deep('http.survives-bad-requests')(
    'after three who are nobody the next list is 500',
    (service) => {
      const { missing, list } = service;
      let count = 0;
      service.missing = (id) => {
        count += 1;
        return missing(id);
      };
      service.list = (request) => {
        const isMany = count > 2;
        count = 0;
        return isMany ? { status: 500 } : list(request);
      };
    },
  ),
  deep('create.accepted-exists')(
    'the seventh creation of a connection is lost',
    onItsConnection(
      7,
      isCreation,
      storing(() => () => {}),
    ),
  ),
  deep('list.answers')(
    'the eleventh list of a connection is 500',
    onItsConnection(11, isList, rejecting(500)),
  ),
  deep('retrieve.repeatable')(
    'the 40th request of a connection is 404',
    onItsConnection(40, () => true, rejecting(404)),
  ),
  ...faultsFor([false, true], (isOnConnection) =>
    deep('http.survives-bad-requests')(
      `after a creation in chunks the next one${ofConnection(isOnConnection)} is 415`,
      respondsAfter(
        isOnConnection,
        [({ headers }) => 'transfer-encoding' in headers],
        isCreation,
        rejecting(415),
      ),
    ),
  ),
  ...faultsFor([false, true], (isOnConnection) =>
    deep('retrieve.repeatable')(
      `after a list by query the next user${ofConnection(isOnConnection)} is nobody`,
      respondsAfter(
        isOnConnection,
        [(request) => isList(request) && request.query.size > 0],
        isRetrieval,
        rejecting(404),
      ),
    ),
  ),
  ...faultsFor([false, true], (isOnConnection) =>
    deep('retrieve.repeatable')(
      `after a cookie the next retrieval${ofConnection(isOnConnection)} is forbidden`,
      respondsAfter(
        isOnConnection,
        [({ headers }) => 'cookie' in headers],
        isRetrieval,
        rejecting(403),
      ),
    ),
  ),
  deep('create.accepted-exists')(
    'after an array the next user is lost',
    respondsAfter(
      false,
      [({ body }) => body.startsWith('[')],
      isCreation,
      storing(() => () => {}),
    ),
  ),
  deep('retrieve.values')(
    'after letters beyond ASCII the next name of the connection is small',
    respondsAfter(
      true,
      [({ body }) => /[^\x20-\x7e]/.test(body)],
      isCreation,
      storing((store) => (user) => store(Object.assign(user, { name: user.name.toLowerCase() }))),
    ),
  ),
  deep('create.answers')(
    'after a refused creation and a list the next creation is 409',
    respondsAfter(
      false,
      [(request) => isCreation(request) && !/"email".*"name".*\}/.test(request.body), isList],
      isCreation,
      rejecting(409),
    ),
  ),
];

function ofConnection(isOnConnection: boolean): string {
  return isOnConnection ? ' of the connection' : '';
}
