import type { Patch, Service } from '../service.ts';
import { pagesOfFive } from '../writers.ts';
import { type Broken, broken, changed, changedList, operationOf } from './broken.ts';

/** Replaces the total. */
export const total =
  (count: (service: Service) => unknown): Patch =>
  (service) => {
    service.total = () => count(service);
  };

/** A user with a taken email is rejected, and counted all the same. */
const countingTwins: Patch = (service) => {
  let refused = 0;
  const { store } = service;
  service.create = (request) => {
    const parsed = service.parse(request.body);
    if ('error' in parsed) return service.invalid(parsed.error);
    if (service.users.some(({ email }) => email === parsed.email)) {
      refused += 1;
      return { status: 409, body: { error: 'the email is taken' } };
    }
    const user = { id: service.newId(), ...parsed };
    store(user);
    return service.created(user);
  };
  service.total = () => service.users.length + refused;
};

/** Totals that are wrong. */
export const brokenTotals: Broken[] = [
  broken(
    'list.total-integer',
    'total is a string',
    changedList((body) => ({ ...body, total: String(body.total) })),
  ),
  broken(
    'list.total-integer',
    'total is missing',
    changedList(({ data }) => ({ data })),
  ),
  broken(
    'list.total-integer',
    'total is -1',
    changedList((body) => ({ ...body, total: -1 })),
  ),
  broken(
    'list.total-integer',
    'total is called count',
    changedList(({ data, total }) => ({ data, count: total })),
  ),
  broken(
    'list.total-covers-data',
    'the total is one too small',
    total(({ users }) => Math.max(0, users.length - 1)),
  ),
  broken(
    'list.total-covers-data',
    'the total counts distinct domains',
    total(({ users }) => Math.min(1, users.length)),
  ),
  broken('list.total-integer', 'the total is a string for clients with a User-Agent', (service) => {
    const { list } = service;
    service.list = async (request) => {
      const reply = await list(request);
      const total = `${(reply.body as { total: number }).total}`;
      return request.headers['user-agent'] === undefined
        ? reply
        : { ...reply, body: { ...(reply.body as object), total } };
    };
  }),
  broken(
    'list.total-integer',
    'the total is a string until somebody creates a user with the word test',
    (service) => {
      const { store, total } = service;
      let isTested = false;
      service.store = (user) => {
        isTested ||=
          /^(conformance|test|qa|user|e2e)\b/i.test(user.email) ||
          /conformance|\btest/i.test(user.name);
        store(user);
      };
      service.total = () => (isTested || service.users.length === 0 ? total() : `${total()}`);
    },
  ),
  broken(
    'create.refused-creates-nothing',
    'the total counts rejected creations',
    (service) => {
      let refused = 0;
      changed((reply, request) => {
        if (reply.status >= 400 && operationOf(request, service) === 'create') refused += 1;
        return reply;
      })(service);
      service.total = () => service.users.length + refused;
    },
    ['list.total-exact'],
  ),
  broken('list.total-exact', 'the total counts rejected users with a taken email', countingTwins, [
    'create.refused-creates-nothing',
  ]),
  broken(
    'create.refused-creates-nothing',
    'the total of a page counts rejected users with a taken email',
    (service) => {
      pagesOfFive(service);
      countingTwins(service);
    },
  ),
  broken(
    'list.total-integer',
    'total is 1.5 times the users',
    changedList((body) => ({ ...body, total: body.total * 1.5 + 0.5 })),
  ),
  broken(
    'list.total-integer',
    'total is null',
    changedList((body) => ({ ...body, total: null })),
  ),
];
