import { type Patch, type Reply, type Request, someTurns } from '../service.ts';
import { type Broken, broken, jsonOf, operationOf, tokenOf } from './broken.ts';

/** A predicate of an exchange. */
type Matches = (reply: Reply, request: Request) => boolean;

const isRefused: Matches = ({ status }) => status === 401;
const isMalformed: Matches = ({ status }, { method }) => method === 'POST' && status === 400;
const isRetrieved: Matches = ({ status }, { method, path }) =>
  method === 'GET' && status === 200 && /sers\/./.test(path);
const isCreated: Matches = ({ status }) => status === 201;

/** Each malformed body keeps a connection of a pool, and creations fail once none is left. */
const leaks =
  (connections: number): Patch =>
  (service) => {
    const { handle } = service;
    let left = connections;
    service.handle = async (request) => {
      const isCreation = operationOf(request, service) === 'create';
      if (isCreation && left <= 0)
        return { status: 500, body: { error: 'no connection is left in the pool' } };
      const reply = await handle(request);
      if (isMalformed(reply, request)) left -= 1;
      return reply;
    };
  };

/** After a bad exchange the next matching request fails, once. A user that it created is lost. */
const failsNext =
  (isBad: Matches, isNext: Matches, failure: (reply: Reply) => Reply): Patch =>
  (service) => {
    const { handle } = service;
    let isDue = false;
    service.handle = async (request) => {
      const reply = await handle(request);
      if (isDue && isNext(reply, request)) {
        isDue = false;
        if (!isRetrieved(reply, request))
          service.users = service.users.filter((user) => user !== reply.body);
        return failure(reply);
      }
      isDue ||= isBad(reply, request);
      return reply;
    };
  };

/** After a bad exchange each request on its connection is closed without a response. */
const resetsNext =
  (isBad: Matches): Patch =>
  (service) => {
    const { write } = service;
    const affected = new Set<object>();
    service.write = (response, reply, request) => {
      if (affected.has(request.connection)) response.destroy();
      else write(response, reply, request);
      if (isBad(reply, request)) affected.add(request.connection);
    };
  };

const isCutShort: Matches = ({ status }, { body }) =>
  status === 400 && body.startsWith('{') && !body.endsWith('}');

/** Every request after a matching exchange is 500. */
const goesDown =
  (isLast: Matches): Patch =>
  (service) => {
    const { handle } = service;
    let isDown = false;
    service.handle = async (request) => {
      if (isDown) return { status: 500 };
      const reply = await handle(request);
      isDown = isLast(reply, request);
      return reply;
    };
  };

const serverError = () => ({ status: 500 });

/** Services that fail after a negative case, once or for good. */
export const brokenSurvival: Broken[] = [
  {
    ...broken(
      'http.survives-bad-requests',
      'the next retrieval after each 401 is 500',
      failsNext(isRefused, isRetrieved, serverError),
      ['http.no-server-error', 'http.no-sporadic-error'],
    ),
    mayAlso: ['retrieve.concurrent'],
  },
  broken(
    'http.survives-bad-requests',
    'the next creation after each 401 is 409',
    failsNext(isRefused, isCreated, () => ({ status: 409, body: { error: 'try again' } })),
    // The first creation of a run comes after rejected requests.
    ['create.answers'],
  ),
  broken('create.concurrent', 'a creation is 400 if a concurrent one lacks a member', (service) => {
    const { create, parse } = service;
    let invalid = 0;
    service.create = async (request) => {
      if ('error' in parse(request.body)) invalid += 1;
      const before = invalid;
      await someTurns(20);
      return invalid > before ? service.invalid('another one') : create(request);
    };
  }),
  broken(
    'http.survives-bad-requests',
    'the next retrieval after each malformed request is 403',
    failsNext(isMalformed, isRetrieved, () => ({ status: 403, body: { error: 'suspicious' } })),
  ),
  broken(
    'http.survives-bad-requests',
    'the next creation after each malformed request is 400',
    failsNext(isMalformed, isCreated, () => ({ status: 400, body: { error: 'left over' } })),
    ['create.answers'],
  ),
  broken(
    'http.survives-bad-requests',
    'after an unknown identifier the next retrieval on its connection is 200 and null',
    (service) => {
      const { retrieve } = service;
      const affected = new Set<object>();
      service.retrieve = (id, request) => {
        if (affected.delete(request.connection)) return { status: 200, body: null };
        if (service.find(id) === undefined) affected.add(request.connection);
        return retrieve(id, request);
      };
    },
  ),
  broken(
    'http.survives-bad-requests',
    'after a body of {} the next retrieval of any user but the first is 500',
    (service) => {
      const isOtherRetrieved: Matches = (reply, request) =>
        isRetrieved(reply, request) &&
        (reply.body as { email?: string }).email !== service.users[0]?.email;
      failsNext(
        ({ status }, { body }) => status === 400 && body === '{}',
        isOtherRetrieved,
        serverError,
      )(service);
    },
    ['http.no-sporadic-error', 'retrieve.concurrent'],
  ),
  broken(
    'http.survives-bad-requests',
    'the connection of a 401 is closed at its next request',
    resetsNext(isRefused),
  ),
  broken(
    'http.survives-bad-requests',
    'the connection of truncated JSON is closed at its next request',
    resetsNext(isCutShort),
  ),
  broken(
    'http.survives-bad-requests',
    'the connection on which JSON was cut short answers 500 from then on',
    (service) => {
      const { handle } = service;
      const affected = new Set<object>();
      service.handle = async (request) => {
        if (affected.has(request.connection)) return { status: 500 };
        const reply = await handle(request);
        if (isCutShort(reply, request)) affected.add(request.connection);
        return reply;
      };
    },
  ),
  broken(
    'http.survives-bad-requests',
    'after the key in another case its connection rejects the right key',
    (service) => {
      const { authorised } = service;
      const affected = new Set<object>();
      service.authorised = (request) => {
        const token = tokenOf(request);
        const isOtherCase =
          token !== service.key && token.toLowerCase() === service.key.toLowerCase();
        if (isOtherCase) affected.add(request.connection);
        const isRejected = affected.has(request.connection) && request.path !== '/v1/users';
        return authorised(request) && !isRejected;
      };
    },
  ),
  broken(
    'http.survives-bad-requests',
    'down for good after a body that is null',
    goesDown(
      (_, request) =>
        operationOf(request, { base: '/v1' }) === 'create' && jsonOf(request) === null,
    ),
  ),
  broken(
    'http.survives-bad-requests',
    'down for good after a key with quotes',
    goesDown((_, { headers }) => headers.authorization?.includes('"') ?? false),
  ),
  {
    ...broken(
      'http.survives-bad-requests',
      'each malformed body leaks one of ten database connections',
      leaks(10),
      ['http.no-server-error', 'create.invalid-status', 'create.mistyped-status'],
    ),
    mayAlso: [
      'authentication.status-malformed',
      'authentication.status-without-credentials',
      'authentication.status-wrong-key',
      'http.no-sporadic-error',
    ],
  },
  broken(
    'http.no-sporadic-error',
    'each malformed body leaks one of thirty database connections',
    leaks(30),
    ['http.no-server-error', 'create.invalid-status', 'create.mistyped-status'],
  ),
  broken(
    'http.survives-bad-requests',
    'the three retrievals after an identifier of 4,000 letters are 500',
    (service) => {
      const { handle } = service;
      let left = 0;
      service.handle = async (request) => {
        const isRetrieval = operationOf(request, service) === 'retrieve';
        if (isRetrieval && request.path.length > 4000) left = 3;
        else if (isRetrieval && left > 0) {
          left -= 1;
          return { status: 500 };
        }
        return handle(request);
      };
    },
    ['http.no-sporadic-error'],
  ),
  broken(
    'http.survives-bad-requests',
    'the next creation after a 415 is 500',
    failsNext(
      (_, { headers }) => headers['content-type'] === 'text/plain',
      (_, { method }) => method === 'POST',
      serverError,
    ),
  ),
  broken(
    'http.survives-bad-requests',
    'a long body that is left unread becomes the next request',
    (service) => {
      const { handle } = service;
      const unread = new WeakSet<object>();
      service.handle = (request) => {
        if (unread.delete(request.connection)) return service.invalid('no such method');
        if (!service.authorised(request) && request.body.length > 65_536)
          unread.add(request.connection);
        return handle(request);
      };
    },
  ),
];
