import type { Reply, Request, Service } from '../service.ts';
import { type Deep, deep, each, isCreation, isList, isRetrieval } from './deep.ts';

type Is = (request: Request) => boolean;

/**
 * Directly after requests of these kinds, however they are answered, the next one is answered
 * otherwise.
 */
const leaving =
  (
    isOnConnection: boolean,
    before: Is[],
    isMeant: Is,
    answer: (service: Service, request: Request) => unknown,
  ): Deep['patch'] =>
  (service) => {
    const { handle } = service;
    const last = new Map<object, Request[]>();
    service.handle = (request) => {
      const place = isOnConnection ? request.connection : service;
      const requests = last.get(place) ?? [];
      const isLeft =
        requests.length === before.length && before.every((is, at) => is(requests[at] as Request));
      last.set(place, [...requests, request].slice(-before.length));
      const isNext = isLeft && service.authorised(request) && isMeant(request);
      return isNext ? (answer(service, request) as Reply) : handle(request);
    };
  };

/** Creates a user who is stored otherwise. */
const storing =
  (change: (store: Service['store']) => Service['store']) =>
  (service: Service, request: Request) => {
    const { store } = service;
    service.store = change(store);
    const reply = service.create(request);
    service.store = store;
    return reply;
  };

const refusing = (status: number) => (): Reply => ({ status, body: { error: 'not now' } });

/** What the so many-th request of a kind on a connection gets. */
const onItsConnection =
  (
    place: number,
    isMeant: Is,
    answer: (service: Service, request: Request) => unknown,
  ): Deep['patch'] =>
  (service) => {
    const { handle } = service;
    const counts = new Map<object, number>();
    service.handle = (request) => {
      if (!service.authorised(request) || !isMeant(request)) return handle(request);
      const count = (counts.get(request.connection) ?? 0) + 1;
      counts.set(request.connection, count);
      return count === place ? (answer(service, request) as Reply) : handle(request);
    };
  };

/** Faults that requests leave behind for the next: of all, or of those on the same connection. */
export const inSequence: Deep[] = [
  deep('list.empty-only-at-zero')(
    'after an email that was there the next list has no data',
    (service) => {
      const { create, list } = service;
      let isLeft = false;
      service.create = (request) => {
        const email = (JSON.parse(request.body || 'null') as { email?: string } | null)?.email;
        if (!service.users.some((user) => user.email === email)) return create(request);
        isLeft = true;
        return { status: 409 };
      };
      service.list = (request) => {
        const isEmpty = isLeft;
        isLeft = false;
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
      let isLeft = false;
      service.find = (id) => {
        const user = isLeft ? undefined : find(id);
        isLeft = id.length > 1000;
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
    onItsConnection(11, isList, refusing(500)),
  ),
  deep('retrieve.repeatable')(
    'the 40th request of a connection is 404',
    onItsConnection(40, () => true, refusing(404)),
  ),
  ...each([false, true], (isOnConnection) =>
    deep('http.survives-bad-requests')(
      `after a creation in chunks the next one${of(isOnConnection)} is 415`,
      leaving(
        isOnConnection,
        [({ headers }) => 'transfer-encoding' in headers],
        isCreation,
        refusing(415),
      ),
    ),
  ),
  ...each([false, true], (isOnConnection) =>
    deep('retrieve.repeatable')(
      `after a list by query the next user${of(isOnConnection)} is nobody`,
      leaving(
        isOnConnection,
        [(one) => isList(one) && one.query.size > 0],
        isRetrieval,
        refusing(404),
      ),
    ),
  ),
  ...each([false, true], (isOnConnection) =>
    deep('retrieve.repeatable')(
      `after a cookie the next retrieval${of(isOnConnection)} is forbidden`,
      leaving(isOnConnection, [({ headers }) => 'cookie' in headers], isRetrieval, refusing(403)),
    ),
  ),
  deep('create.accepted-exists')(
    'after an array the next user is lost',
    leaving(
      false,
      [({ body }) => body.startsWith('[')],
      isCreation,
      storing(() => () => {}),
    ),
  ),
  deep('retrieve.values')(
    'after letters beyond ASCII the next name of the connection is small',
    leaving(
      true,
      [({ body }) => /[^\x20-\x7e]/.test(body)],
      isCreation,
      storing((store) => (user) => store(Object.assign(user, { name: user.name.toLowerCase() }))),
    ),
  ),
  deep('create.answers')(
    'after a refused creation and a list the next creation is 409',
    leaving(
      false,
      [(one) => isCreation(one) && !/"email".*"name".*\}/.test(one.body), isList],
      isCreation,
      refusing(409),
    ),
  ),
];

function of(isOnConnection: boolean): string {
  return isOnConnection ? ' of the connection' : '';
}
