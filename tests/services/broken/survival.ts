import { type Patch, type Reply, type Request, someTurns } from '../service.ts';
import { type Broken, broken, jsonOf, operationOf, tokenOf } from './broken.ts';

type Told = (reply: Reply, request: Request) => boolean;

const isRefused: Told = ({ status }) => status === 401;
const isMalformed: Told = ({ status }, { method }) => method === 'POST' && status === 400;
const isRetrieved: Told = ({ status }, { method, path }) =>
  method === 'GET' && status === 200 && /sers\/./.test(path);
const isCreated: Told = ({ status }) => status === 201;

/** The very next request of a kind after a bad one fails, and the one after it is answered again. */
const failsNext =
  (isBad: Told, isNext: Told, failure: (reply: Reply) => Reply): Patch =>
  (service) => {
    const { handle } = service;
    let isUpset = false;
    service.handle = async (request) => {
      const reply = await handle(request);
      if (isUpset && isNext(reply, request)) {
        isUpset = false;
        service.users = service.users.filter(
          (user) => isRetrieved(reply, request) || user !== reply.body,
        );
        return failure(reply);
      }
      isUpset ||= isBad(reply, request);
      return reply;
    };
  };

/** The next request on a connection after a bad one is cut off without an answer. */
const resetsNext =
  (isBad: Told): Patch =>
  (service) => {
    const { write } = service;
    const upset = new Set<object>();
    service.write = (response, reply, request) => {
      if (upset.has(request.connection)) response.destroy();
      else write(response, reply, request);
      if (isBad(reply, request)) upset.add(request.connection);
    };
  };

const isCutShort: Told = ({ status }, { body }) =>
  status === 400 && body.startsWith('{') && !body.endsWith('}');

/** What is down stays down. */
const goesDown =
  (isLast: Told): Patch =>
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

/** The request after a bad one fails, once, or for good. */
export const brokenSurvival: Broken[] = [
  {
    ...broken(
      'http.survives-bad-requests',
      'the next retrieval after each refused request is 500',
      failsNext(isRefused, isRetrieved, serverError),
      ['http.no-server-error', 'http.no-sporadic-error'],
    ),
    mayAlso: ['retrieve.concurrent'],
  },
  broken(
    'http.survives-bad-requests',
    'the next creation after each refused request is 409',
    failsNext(isRefused, isCreated, () => ({ status: 409, body: { error: 'try again' } })),
    // The first user is created after requests that were refused.
    ['create.answers'],
  ),
  broken(
    'create.concurrent',
    'a creation is 400 where another one beside it lacks a member',
    (service) => {
      const { create, parse } = service;
      let invalid = 0;
      service.create = async (request) => {
        if ('error' in parse(request.body)) invalid += 1;
        const before = invalid;
        await someTurns(20);
        return invalid > before ? service.invalid('another one') : create(request);
      };
    },
  ),
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
    'after an unknown identifier the next one on its connection is 200 and null',
    (service) => {
      const { retrieve } = service;
      const upset = new Set<object>();
      service.retrieve = (id, request) => {
        if (upset.delete(request.connection)) return { status: 200, body: null };
        if (service.find(id) === undefined) upset.add(request.connection);
        return retrieve(id, request);
      };
    },
    [],
  ),
  broken(
    'http.survives-bad-requests',
    'the next retrieval of another than the first user after a body without email or name is 500',
    (service) => {
      const isOfAnother: Told = (reply, request) =>
        isRetrieved(reply, request) &&
        (reply.body as { email?: string }).email !== service.users[0]?.email;
      failsNext(
        ({ status }, { body }) => status === 400 && body === '{}',
        isOfAnother,
        serverError,
      )(service);
    },
    ['http.no-server-error', 'http.no-sporadic-error', 'retrieve.concurrent'],
  ),
  broken(
    'http.survives-bad-requests',
    'the connection of a refused request is reset by the next one',
    resetsNext(isRefused),
  ),
  broken(
    'http.survives-bad-requests',
    'the connection on which JSON was cut short is reset by the next request',
    resetsNext(isCutShort),
  ),
  broken(
    'http.survives-bad-requests',
    'the connection on which JSON was cut short answers 500 from then on',
    (service) => {
      const { handle } = service;
      const upset = new Set<object>();
      service.handle = async (request) => {
        if (upset.has(request.connection)) return { status: 500 };
        const reply = await handle(request);
        if (isCutShort(reply, request)) upset.add(request.connection);
        return reply;
      };
    },
    ['http.no-server-error', 'http.no-sporadic-error'],
  ),
  broken(
    'http.survives-bad-requests',
    'after the key in the other case its connection takes the right one for that',
    (service) => {
      const { authorised } = service;
      const seen = new Set<object>();
      service.authorised = (request) => {
        if (
          tokenOf(request) !== service.key &&
          tokenOf(request).toLowerCase() === service.key.toLowerCase()
        )
          seen.add(request.connection);
        return (
          authorised(request) && !(seen.has(request.connection) && request.path !== '/v1/users')
        );
      };
    },
  ),
  broken(
    'http.survives-bad-requests',
    'down for good after a body that is null',
    goesDown(
      (_, request) =>
        operationOf(request, { base: '/v1' } as never) === 'create' && jsonOf(request) === null,
    ),
  ),
  broken(
    'http.survives-bad-requests',
    'down for good after a key with quotes',
    goesDown((_, { headers }) => headers.authorization?.includes('"') ?? false),
  ),
  broken(
    'http.survives-bad-requests',
    'each malformed body keeps one of twenty connections to a database',
    (service) => {
      const { handle } = service;
      let left = 20;
      service.handle = async (request) => {
        const isCreation = operationOf(request, service) === 'create';
        if (isCreation && left <= 0)
          return { status: 500, body: { error: 'no connection is left in the pool' } };
        const reply = await handle(request);
        if (isMalformed(reply, request)) left -= 1;
        return reply;
      };
    },
    [
      'http.no-server-error',
      'http.no-sporadic-error',
      'create.invalid-status',
      'create.mistyped-status',
    ],
  ),
  broken(
    'http.survives-bad-requests',
    'the three retrievals after an identifier of 4,000 letters are 500',
    (service) => {
      const { handle } = service;
      let left = 0;
      service.handle = async (request) => {
        const isOne = operationOf(request, service) === 'retrieve';
        if (isOne && request.path.length > 4000) left = 3;
        else if (isOne && left > 0) {
          left -= 1;
          return { status: 500 };
        }
        return handle(request);
      };
    },
    ['http.no-server-error', 'http.no-sporadic-error'],
  ),
  broken(
    'http.survives-bad-requests',
    'the next creation after a 415 is 500',
    failsNext(
      (_, { headers }) => headers['content-type'] === 'text/plain',
      (_, { method }) => method === 'POST',
      serverError,
    ),
    ['http.no-server-error', 'http.no-sporadic-error'],
  ),
  broken(
    'http.survives-bad-requests',
    'a long body that was not read is the next request',
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
