import type { Reply, Request, Service } from '../service.ts';
import { type Deep, deep, each, isCreation, isList, isRetrieval } from './deep.ts';

const found = (slug: string) => deep(slug, 'cases after each other', 'three cases in a row');

type Is = (request: Request) => boolean;

/** Directly after requests of these kinds, however they are answered, the next one is answered otherwise. */
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
      const isLeft = requests.length === before.length && before.every((is, at) => is(requests[at] as Request));
      last.set(place, [...requests, request].slice(-before.length));
      const isNext = isLeft && service.authorised(request) && isMeant(request);
      return isNext ? (answer(service, request) as Reply) : handle(request);
    };
  };

/** Creates a user who is stored otherwise. */
const storing = (change: (store: Service['store']) => Service['store']) => (service: Service, request: Request) => {
  const { store } = service;
  service.store = change(store);
  const reply = service.create(request);
  service.store = store;
  return reply;
};

const refusing = (status: number) => (): Reply => ({ status, body: { error: 'not now' } });

/** Faults that requests leave behind for the next: of all, or of those on the same connection. */
export const inSequence: Deep[] = [
  ...each([false, true], (isOnConnection) =>
    found('create.answers')(
      `after a creation in chunks the next one${of(isOnConnection)} is 415`,
      leaving(isOnConnection, [({ headers }) => 'transfer-encoding' in headers], isCreation, refusing(415)),
    ),
  ),
  ...each([false, true], (isOnConnection) =>
    found('retrieve.repeatable')(
      `after a list by query the next user${of(isOnConnection)} is nobody`,
      leaving(isOnConnection, [(one) => isList(one) && one.query.size > 0], isRetrieval, refusing(404)),
    ),
  ),
  ...each([false, true], (isOnConnection) =>
    found('retrieve.repeatable')(
      `after a cookie the next retrieval${of(isOnConnection)} is forbidden`,
      leaving(isOnConnection, [({ headers }) => 'cookie' in headers], isRetrieval, refusing(403)),
    ),
  ),
  found('create.accepted-exists')(
    'after an array the next user is lost',
    leaving(
      false,
      [({ body }) => body.startsWith('[')],
      isCreation,
      storing(() => () => {}),
    ),
  ),
  found('retrieve.values')(
    'after letters beyond ASCII the next name of the connection is small',
    leaving(
      true,
      [({ body }) => /[^\x20-\x7e]/.test(body)],
      isCreation,
      storing((store) => (user) => store(Object.assign(user, { name: user.name.toLowerCase() }))),
    ),
  ),
  found('create.answers')(
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
