import { randomUUID } from 'node:crypto';
import { type Broken, broken, changed, changedSuccess, jsonOf, tokenOf } from './broken.ts';

/** Creates the user of a refused request all the same. */
const createsAllTheSame = (delay?: number) =>
  changed((reply, request, service) => {
    if (reply.status !== 401) return reply;
    const user = service.parse(request.body);
    const store = () => 'email' in user && service.store({ id: service.newId(), ...user });
    if (delay === undefined) store();
    else setTimeout(store, delay);
    return reply;
  }, 'create');

/** What is wrong with how requests without the right key are refused, and where the key shows. */
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
    'an email that is taken is refused before the key is looked at',
    (service) => {
      const { handle } = service;
      service.handle = (request) => {
        const [user, other] = service.users.filter(({ email }) =>
          request.body.includes(`"${email}"`),
        );
        const isTaken = request.method === 'POST' && user !== undefined && other === undefined;
        return isTaken ? { status: 409, body: { error: 'taken', user } } : handle(request);
      };
    },
    ['authentication.before-all-else'],
  ),
  broken(
    'authentication.refusal-shows-no-user',
    'a valid body with an email that is taken is refused before the key is looked at',
    (service) => {
      const { handle, parse } = service;
      service.handle = (request) => {
        const sent = request.method === 'POST' ? parse(request.body) : { error: 'no creation' };
        const [user, other] =
          'error' in sent ? [] : service.users.filter(({ email }) => email === sent.email);
        const isTaken =
          user !== undefined && other === undefined && user.name !== ('name' in sent && sent.name);
        return isTaken
          ? { status: 409, body: { error: 'taken', id: user.id, name: user.name } }
          : handle(request);
      };
    },
    ['authentication.before-all-else'],
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
  broken('create.refused-creates-nothing', '401, and created all the same', createsAllTheSame()),
  broken(
    'create.refused-creates-nothing',
    '401, and created a little later',
    createsAllTheSame(60),
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
    'an error repeats what stands behind another word than Bearer',
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
    'who is one character off is told the key',
    changed((reply, request, { key }) => {
      const token = tokenOf(request);
      const isNear =
        token.length === key.length && [...token].filter((one, at) => one !== key[at]).length === 1;
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
    'every answer repeats the key, of which emails have a part, and so do its headers',
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
    'the create answer has a link with the key in it',
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
