import { randomUUID } from 'node:crypto';
import { type Broken, broken, changed, changedSuccess, jsonOf, tokenOf } from './broken.ts';

/** Stores the user of a rejected creation, at once or after a delay in milliseconds. */
const storesRejected = (delayMs?: number) =>
  changed((reply, request, service) => {
    if (reply.status !== 401) return reply;
    const parsed = service.parse(request.body);
    if ('error' in parsed) return reply;
    const store = () => service.store({ id: service.newId(), ...parsed });
    if (delayMs === undefined) store();
    else setTimeout(store, delayMs);
    return reply;
  }, 'create');

/** Wrong rejections of requests without the right key, and responses that show the key. */
export const brokenRefusals: Broken[] = [
  broken(
    'authentication.refusal-shows-no-user',
    'a refused list has the users in it',
    changed(
      (reply, _, { users }) =>
        reply.status === 401 ? { ...reply, body: { error: 'no', data: users } } : reply,
      'list',
    ),
  ),
  broken(
    'authentication.refusal-shows-no-user',
    'a refused retrieval names the user',
    changed((reply, { path }, service) => {
      const user = service.find(path.split('/').at(-1) ?? '');
      return reply.status === 401 && user ? { ...reply, body: `${user.name} is not yours` } : reply;
    }, 'retrieve'),
  ),
  broken(
    'authentication.refusal-shows-no-user',
    'a taken email is rejected before the key is checked',
    (service) => {
      const { handle } = service;
      service.handle = (request) => {
        const owners = service.users.filter(({ email }) => request.body.includes(`"${email}"`));
        const isTaken = request.method === 'POST' && owners.length === 1;
        return isTaken
          ? { status: 409, body: { error: 'taken', user: owners[0] } }
          : handle(request);
      };
    },
  ),
  broken(
    'authentication.refusal-shows-no-user',
    'a valid body with a taken email is rejected before the key is checked',
    (service) => {
      const { handle, parse } = service;
      service.handle = (request) => {
        const parsed = parse(request.body);
        if (request.method !== 'POST' || 'error' in parsed) return handle(request);
        const owners = service.users.filter(({ email }) => email === parsed.email);
        const [owner] = owners;
        return owner && owners.length === 1 && owner.name !== parsed.name
          ? { status: 409, body: { error: 'taken', id: owner.id, name: owner.name } }
          : handle(request);
      };
    },
  ),
  broken(
    'authentication.refusal-shows-no-user',
    'the first user is in every refusal',
    (service) => {
      const { refuse } = service;
      service.refuse = (request) => ({
        ...refuse(request),
        body: { error: 'unauthorized', you: service.users[0] },
      });
    },
  ),
  broken(
    'create.refused-creates-nothing',
    'a creation is 401, and carried out all the same',
    storesRejected(),
  ),
  broken(
    'create.refused-creates-nothing',
    'a creation is 401, and carried out 60 ms later',
    storesRejected(60),
  ),
  broken(
    'authentication.key-not-in-answers',
    'the list shows the key',
    changedSuccess(
      (reply, _, { key }) => ({ ...reply, body: { ...(reply.body as object), key } }),
      'list',
    ),
  ),
  broken(
    'authentication.key-not-in-answers',
    'an error repeats the headers',
    changed((reply, { headers }) =>
      reply.status === 404 ? { ...reply, body: { error: 'not found', headers } } : reply,
    ),
  ),
  broken(
    'authentication.key-not-in-answers',
    'an error repeats the header unless it begins with Bearer',
    changed((reply, { headers }) => {
      const error = headers.authorization?.replace(/^Bearer .*/, 'Bearer ***');
      return reply.status === 404 ? { ...reply, body: { error } } : reply;
    }),
  ),
  broken(
    'authentication.key-not-in-answers',
    'an error page for a browser shows the headers',
    changed((reply, { headers }) =>
      reply.status >= 404 && /html.*json/.test(headers.accept ?? '')
        ? {
            ...reply,
            headers: { 'content-type': 'text/html' },
            body: `<p>${headers.authorization}`,
          }
        : reply,
    ),
  ),
  broken(
    'authentication.key-not-in-answers',
    'a key with one wrong character is corrected in the error',
    changed((reply, request, { key }) => {
      const token = tokenOf(request);
      const differences = [...token].filter((character, at) => character !== key[at]);
      const isNear = token.length === key.length && differences.length === 1;
      return reply.status === 401 && isNear
        ? { ...reply, body: { error: `did you mean ${key}?` } }
        : reply;
    }),
  ),
  broken('authentication.key-not-in-answers', 'a 429 names the caller by the key', (service) => {
    const { handle } = service;
    let requests = 0;
    service.handle = (request) => {
      requests += 1;
      // One request in forty exceeds the limit.
      if (requests % 40 !== 0) return handle(request);
      return {
        status: 429,
        headers: { 'retry-after': '0' },
        body: { error: `too many requests of ${service.key}` },
      };
    };
  }),
  broken(
    'authentication.key-not-in-answers',
    'every response repeats the key in body and headers, and emails have a part of it',
    (service) => {
      service.key = 'example-secret-4711';
      service.newId = () => `of-example-${randomUUID()}`;
      changed((reply, { headers }) => ({
        ...reply,
        headers: { ...reply.headers, 'x-sent': `${headers.authorization}` },
        body: { ...(reply.body as object), sent: headers.authorization },
      }))(service);
    },
  ),
  broken(
    'authentication.key-not-in-answers',
    'the create response has a link with the key in it',
    changedSuccess(
      (reply, _, { key }) => ({
        ...reply,
        body: { ...(reply.body as object), link: `/v1/users?access_token=${key}` },
      }),
      'create',
    ),
  ),
  broken(
    'authentication.status-without-credentials',
    '403 without credentials',
    changed((reply, { headers }) =>
      reply.status === 401 && !headers.authorization ? { ...reply, status: 403 } : reply,
    ),
  ),
  broken(
    'authentication.status-without-credentials',
    'a redirect to a login page',
    changed((reply, { headers }) =>
      reply.status === 401 && headers.authorization === undefined
        ? { status: 302, headers: { location: '/login' } }
        : reply,
    ),
  ),
  broken(
    'authentication.status-wrong-key',
    '404 for a wrong key',
    changed((reply, request) =>
      reply.status === 401 && tokenOf(request).length > 12 ? { status: 404, body: {} } : reply,
    ),
  ),
  broken(
    'authentication.status-wrong-key',
    '400 for a wrong key',
    changed((reply, request, { key }) =>
      reply.status === 401 && tokenOf(request).length === key.length
        ? { status: 400, body: {} }
        : reply,
    ),
  ),
  broken(
    'authentication.status-malformed',
    '404 for another scheme',
    changed((reply, { headers }) =>
      reply.status === 401 && /^(Basic|Token)/.test(headers.authorization ?? '')
        ? { status: 404, body: {} }
        : reply,
    ),
  ),
  broken(
    'authentication.status-malformed',
    'a bare key is 500',
    changed((reply, { headers }, { key }) =>
      headers.authorization === key ? { status: 500 } : reply,
    ),
    ['http.no-server-error'],
  ),
  broken(
    'authentication.challenge',
    'a 401 without WWW-Authenticate',
    changed((reply) => (reply.status === 401 ? { status: 401, body: {} } : reply)),
  ),
  broken('authentication.scheme-case', 'the scheme must be written Bearer', (service) => {
    const { authorised } = service;
    service.authorised = (request) =>
      authorised(request) && (request.headers.authorization ?? '').startsWith('Bearer');
  }),
  broken(
    'authentication.before-all-else',
    'an invalid body is found before a wrong key',
    (service) => {
      const { handle } = service;
      service.handle = (request) =>
        request.method === 'POST' &&
        jsonOf(request) === undefined &&
        request.path.endsWith('/users')
          ? service.invalid('no JSON')
          : handle(request);
    },
  ),
  broken(
    'authentication.before-all-else',
    'an unknown user is found before a wrong key',
    (service) => {
      const { refuse } = service;
      service.refuse = (request) => {
        const [, id] = /\/users\/(.+)$/.exec(request.path) ?? [];
        return id !== undefined && service.find(id) === undefined
          ? service.missing(id)
          : refuse(request);
      };
    },
  ),
];
