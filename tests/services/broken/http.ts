import { type Patch, type Reply, type Request, someTurns } from '../service.ts';
import { type Broken, broken, changed, changedSuccess, jsonOf, operationOf } from './broken.ts';

/** Sends another response to some list requests while another list request is in flight. */
const amongLists =
  (isAffected: (request: Request) => boolean, other: Reply): Patch =>
  (service) => {
    const { list } = service;
    let inFlight = 0;
    service.list = async (request) => {
      inFlight += 1;
      const isAmongOthers = inFlight > 1;
      await someTurns(20);
      inFlight -= 1;
      return isAmongOthers && isAffected(request) ? other : list(request);
    };
  };

/** Faults of HTTP and JSON, of the version in the path, and of survival. */
export const brokenHttp: Broken[] = [
  broken(
    'http.concurrent-requests',
    'a list with a further Accept is 406 while another list is in flight',
    amongLists(({ headers }) => headers.accept !== 'application/json', { status: 406 }),
  ),
  broken(
    'http.concurrent-requests',
    'a list in another language is 404 while another list is in flight',
    amongLists(({ headers }) => headers['accept-language'] !== undefined, { status: 404 }),
  ),
  {
    ...broken(
      'http.no-sporadic-error',
      'the storage grows by ten users at a time, and each creation that finds it full is 500',
      (service) => {
        const { store } = service;
        let capacity = 10;
        service.store = (user) => {
          if (service.users.length === capacity) {
            capacity += 10;
            throw new Error('no more room');
          }
          store(user);
        };
      },
    ),
    mayAlso: [
      'create.answers',
      'create.concurrent',
      'create.same-email',
      'create.same-name',
      'http.equivalent-requests',
      'http.survives-bad-requests',
    ],
  },
  broken('versioning.base-address', 'the base is /v2', (service) => {
    service.base = '/v2';
  }),
  broken('versioning.base-address', 'the base is /api/v1.0', (service) => {
    service.base = '/api/v1.0';
  }),
  broken('versioning.base-address', 'the base is /apiv1', (service) => {
    service.base = '/apiv1';
  }),
  broken('versioning.needs-segment', 'the address without /v1 is the same', (service) => {
    service.elsewhere = (request) =>
      request.path.startsWith('/users')
        ? service.handle({ ...request, path: `/v1${request.path}` })
        : { status: 404 };
  }),
  broken('versioning.unknown-version', 'any version is the same', (service) => {
    service.elsewhere = (request) =>
      /^\/v(?!1\/)\d+\//.test(request.path)
        ? service.handle({ ...request, path: request.path.replace(/^\/v\d+/, '/v1') })
        : { status: 404 };
  }),
  broken('http.survives-bad-requests', 'stuck after JSON that does not parse', (service) => {
    let isStuck = false;
    changed((reply, request) => {
      const wasStuck = isStuck;
      isStuck ||= operationOf(request, service) === 'create' && jsonOf(request) === undefined;
      return wasStuck ? { status: 500 } : reply;
    })(service);
  }),
  broken(
    'http.json',
    'the create answer is text',
    changedSuccess(
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, 'content-type': 'text/plain' },
        body: 'created',
      }),
      'create',
    ),
  ),
  broken(
    'http.json',
    'retrieving is a page in HTML',
    changedSuccess(
      (reply) => ({ ...reply, headers: { 'content-type': 'text/html' }, body: '<h1>User</h1>' }),
      'retrieve',
    ),
  ),
  broken(
    'http.json',
    'the JSON of the list is cut short',
    changedSuccess(
      (reply) => ({
        ...reply,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(reply.body).slice(0, -1),
      }),
      'list',
    ),
  ),
  broken(
    'http.json',
    'names in Latin-1',
    changedSuccess(
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(reply.body), 'latin1'),
      }),
      'retrieve',
    ),
  ),
  broken('http.json', 'an unknown identifier is a page with 200', (service) => {
    service.missing = () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<h1>App</h1>',
    });
  }),
  broken(
    'http.content-type',
    'JSON as text/plain',
    changedSuccess((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'text/plain' },
    })),
  ),
  broken(
    'http.content-type',
    'no Content-Type',
    changedSuccess((reply) => ({ ...reply, body: JSON.stringify(reply.body) })),
  ),
  broken(
    'http.no-byte-order-mark',
    'a byte order mark',
    changedSuccess((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'application/json' },
      body: `\ufeff${JSON.stringify(reply.body)}`,
    })),
  ),
  broken(
    'http.no-server-error',
    '500 for a wrong key',
    changed((reply, { headers }) =>
      reply.status === 401 && headers.authorization ? { status: 500 } : reply,
    ),
    ['authentication.status-wrong-key', 'authentication.status-malformed'],
  ),
  broken('http.survives-bad-requests', 'locked after ten wrong keys', (service) => {
    let wrong = 0;
    changed((reply) => {
      if (reply.status === 401) wrong += 1;
      return wrong > 10 ? { status: 403, body: { error: 'locked' } } : reply;
    })(service);
  }),
  broken(
    'http.survives-bad-requests',
    'a name that is no string ends the process behind a gateway',
    (service) => {
      let hasEnded = false;
      changed((reply, request) => {
        if (hasEnded) return { status: 502 };
        const { name } = (jsonOf(request) ?? {}) as { name?: unknown };
        hasEnded =
          operationOf(request, service) === 'create' &&
          name !== undefined &&
          typeof name !== 'string';
        return reply;
      })(service);
    },
  ),
  {
    ...broken('http.survives-bad-requests', 'silent after an empty body', (service) => {
      let isSilent = false;
      const { handle } = service;
      service.handle = (request) => {
        if (isSilent) return new Promise(() => {});
        isSilent = request.method === 'POST' && request.body === '';
        return handle(request);
      };
    }),
    settings: { timeoutMs: 1000 },
  },
  broken('http.no-server-error', 'an unknown path is 500', (service) => {
    service.elsewhere = () => ({ status: 500, body: { error: 'no route' } });
  }),
  broken('versioning.base-address', 'the base is /V1', (service) => {
    service.base = '/V1';
  }),
  broken(
    'http.json',
    'a list of single-quoted JSON',
    changedSuccess(
      (reply) => ({
        ...reply,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(reply.body).replaceAll('"', "'"),
      }),
      'list',
    ),
  ),
  broken(
    'http.json',
    'the create response is two JSON values',
    changedSuccess(
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, 'content-type': 'application/json' },
        body: `${JSON.stringify(reply.body)}{"ok":true}`,
      }),
      'create',
    ),
  ),
  broken(
    'http.chunked-body',
    'a body in chunks is refused',
    rejecting(({ headers }) => headers['transfer-encoding'] !== undefined, 400),
  ),
  broken('retrieve.values', 'a chunked body creates a user of empty strings', (service) => {
    const { create } = service;
    service.create = (request) => {
      const isMeant =
        request.headers['transfer-encoding'] !== undefined &&
        !('error' in service.parse(request.body));
      return create(isMeant ? { ...request, body: '{"email":"","name":""}' } : request);
    };
  }),
  broken(
    'http.media-type',
    'a charset parameter is 415',
    rejecting(({ headers }) => /;/.test(headers['content-type'] ?? ''), 415),
  ),
  broken(
    'http.equivalent-requests',
    'a request without Accept is 406',
    rejecting(({ headers }) => headers.accept === undefined, 406),
  ),
  broken(
    'http.equivalent-requests',
    'escapes of JSON are stored as they came',
    (service) => {
      const { parse } = service;
      service.parse = (body) => {
        const parsed = parse(body);
        const [, email, name] = /^\{[^:]+:"([^"]+)",[^:]+:"([^"]+)"\}$/.exec(body) ?? [];
        return body.includes('\\u00') && email && name ? { email, name } : parsed;
      };
    },
    ['round-trip.other-strings', 'retrieve.created-user', 'retrieve.values'],
  ),
  broken('http.equivalent-requests', 'the email must be the first member', (service) => {
    const { parse } = service;
    service.parse = (body) =>
      /^\s*\{\s*"name"/.test(body) ? { error: 'email is required' } : parse(body);
  }),
];

/** Rejects requests that would succeed, if `isOdd` returns true for them. */
export function rejecting(isOdd: (request: Request) => boolean, status: number): Patch {
  return changedSuccess((reply, request) =>
    isOdd(request) ? { status, body: { error: 'no' } } : reply,
  );
}
