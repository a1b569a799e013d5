import {
  alsoAuthorised,
  type Broken,
  broken,
  changed,
  changedSuccess,
  jsonOf,
  operationOf,
  tokenOf,
} from './broken.ts';

const unguarded = (operation: string) =>
  alsoAuthorised((request, service) => operationOf(request, service) === operation);

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

export const brokenAuthentication: Broken[] = [
  broken('authentication.list-needs-key', 'the list is open', unguarded('list')),
  broken('authentication.list-needs-key', 'the list is open to those who send no header', (service) => {
    alsoAuthorised((request) => operationOf(request, service) === 'list' && !request.headers.authorization)(service);
  }),
  broken('authentication.create-needs-key', 'creating is open', unguarded('create')),
  broken(
    'authentication.create-needs-key',
    'the guard is on GET only',
    alsoAuthorised(({ method }) => method === 'POST'),
  ),
  broken('authentication.retrieve-needs-key', 'retrieving is open', unguarded('retrieve')),
  broken('authentication.retrieve-needs-key', 'the guard matches the path exactly', (service) => {
    alsoAuthorised(({ path }) => path !== `${service.base}/users`)(service);
  }),
  broken(
    'authentication.wrong-key',
    'any token is good',
    alsoAuthorised((request) => tokenOf(request) !== ''),
  ),
  broken(
    'authentication.wrong-key',
    'a wrong key is good for reading',
    alsoAuthorised((request) => request.method === 'GET' && tokenOf(request) !== ''),
  ),
  broken(
    'authentication.wrong-key',
    'a token as long as the key is good',
    alsoAuthorised((request, { key }) => tokenOf(request).length === key.length),
    // Nothing else about such a service can be told from this.
  ),
  broken(
    'authentication.no-token',
    'an empty header is good',
    alsoAuthorised(({ headers }) => headers.authorization === ''),
  ),
  broken(
    'authentication.no-token',
    'the scheme alone is good',
    alsoAuthorised(({ headers }) => headers.authorization?.trim() === 'Bearer'),
  ),
  broken(
    'authentication.key-cut-short',
    'a beginning of the key is good',
    alsoAuthorised((request, { key }) => tokenOf(request) !== '' && key.startsWith(tokenOf(request))),
  ),
  broken(
    'authentication.key-cut-short',
    'an end of the key is good',
    alsoAuthorised((request, { key }) => tokenOf(request) !== '' && key.endsWith(tokenOf(request))),
  ),
  broken(
    'authentication.key-cut-short',
    'only the first 20 characters are compared',
    alsoAuthorised((request, { key }) => tokenOf(request).slice(0, 20) === key.slice(0, 20)),
    ['authentication.key-extended'],
  ),
  broken(
    'authentication.key-extended',
    'what begins with the key is good',
    alsoAuthorised((request, { key }) => tokenOf(request).startsWith(key)),
  ),
  broken(
    'authentication.key-case',
    'the key has no case',
    alsoAuthorised((request, { key }) => tokenOf(request).toLowerCase() === key.toLowerCase()),
  ),
  broken(
    'authentication.other-scheme',
    'the scheme is not looked at',
    alsoAuthorised(({ headers }, { key }) => headers.authorization?.split(' ')[1] === key),
  ),
  broken(
    'authentication.other-scheme',
    'Basic with the key as user is good',
    alsoAuthorised(({ headers }, { key }) => {
      const [scheme, value = ''] = headers.authorization?.split(' ') ?? [];
      return scheme === 'Basic' && Buffer.from(value, 'base64').toString() === `${key}:`;
    }),
  ),
  broken(
    'authentication.no-scheme',
    'the scheme may be left out',
    alsoAuthorised(({ headers }, { key }) => headers.authorization?.replace(/^Bearer /, '') === key),
  ),
  broken(
    'authentication.no-scheme',
    'a header that contains the key is good',
    alsoAuthorised(({ headers }, { key }) => headers.authorization?.includes(key) ?? false),
    ['authentication.other-scheme', 'authentication.key-extended'],
  ),
  broken(
    'authentication.key-in-query',
    'access_token in the query is good',
    alsoAuthorised(({ query }, { key }) => query.get('access_token') === key),
  ),
  broken(
    'authentication.key-in-query',
    'api_key in the query is good for creating',
    alsoAuthorised(({ query, method }, { key }) => method === 'POST' && query.get('api_key') === key),
  ),
  broken(
    'authentication.key-in-other-header',
    'X-Api-Key is good',
    alsoAuthorised(({ headers }, { key }) => headers['x-api-key'] === key),
  ),
  broken(
    'authentication.key-in-other-header',
    'Proxy-Authorization is good',
    alsoAuthorised(({ headers }, { key }) => headers['proxy-authorization'] === `Bearer ${key}`),
  ),
  broken(
    'authentication.key-in-other-header',
    'X-Auth-Token is good for the list',
    alsoAuthorised(({ headers, path }, { key }) => path.endsWith('/users') && headers['x-auth-token'] === key),
  ),
  broken(
    'authentication.key-in-cookie',
    'a cookie is good',
    alsoAuthorised(({ headers }, { key }) => headers.cookie?.includes(key) ?? false),
  ),
  broken(
    'authentication.key-in-body',
    'access_token in the body is good',
    alsoAuthorised((request, { key }) => (jsonOf(request) as { access_token?: string })?.access_token === key),
  ),
  broken(
    'authentication.key-in-body',
    'api_key in the body is good',
    alsoAuthorised((request, { key }) => (jsonOf(request) as { api_key?: string })?.api_key === key),
  ),
  broken(
    'authentication.refusal-shows-no-user',
    'a refused list has the users in it',
    changed(
      (reply, _, { users }) => (reply.status === 401 ? { ...reply, body: { error: 'no', data: users } } : reply),
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
  broken('create.refused-creates-nothing', '401, and created all the same', createsAllTheSame()),
  broken('create.refused-creates-nothing', '401, and created a little later', createsAllTheSame(150)),
  broken(
    'authentication.key-not-in-answers',
    'the list shows the key',
    changedSuccess((reply, _, { key }) => ({ ...reply, body: { ...(reply.body as object), key } }), 'list'),
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
    'the create answer has a link with the key in it',
    changedSuccess(
      (reply, _, { key }) => ({ ...reply, body: { ...(reply.body as object), link: `/v1/users?access_token=${key}` } }),
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
    'authentication.status-malformed',
    '404 for another scheme',
    changed((reply, { headers }) =>
      reply.status === 401 && /^(Basic|Token)/.test(headers.authorization ?? '') ? { status: 404, body: {} } : reply,
    ),
  ),
  broken(
    'authentication.challenge',
    'a 401 without WWW-Authenticate',
    changed((reply) => (reply.status === 401 ? { status: 401, body: {} } : reply)),
  ),
  broken('authentication.scheme-case', 'the scheme must be written Bearer', (service) => {
    const { authorised } = service;
    service.authorised = (request) => authorised(request) && (request.headers.authorization ?? '').startsWith('Bearer');
  }),
  broken('authentication.before-all-else', 'an invalid body is found before a wrong key', (service) => {
    const { handle } = service;
    service.handle = (request) =>
      request.method === 'POST' && jsonOf(request) === undefined && request.path.endsWith('/users')
        ? service.invalid('no JSON')
        : handle(request);
  }),
  broken('authentication.before-all-else', 'an unknown user is found before a wrong key', (service) => {
    const { refuse } = service;
    service.refuse = (request) => {
      const [, id] = /\/users\/(.+)$/.exec(request.path) ?? [];
      return id !== undefined && service.find(id) === undefined ? service.missing(id) : refuse(request);
    };
  }),

  broken(
    'authentication.key-case',
    'a database that has no case compares the key',
    alsoAuthorised(
      (request, { key }) =>
        request.method === 'GET' && tokenOf(request).localeCompare(key, 'en', { sensitivity: 'base' }) === 0,
    ),
  ),
  broken(
    'authentication.key-in-cookie',
    'a cookie is good for the list, as in the admin pages',
    alsoAuthorised(({ headers, path }, { key }) => path.endsWith('/users') && headers.cookie === `access_token=${key}`),
  ),
  broken(
    'authentication.no-token',
    'a header that ends after the scheme is split and found equal',
    alsoAuthorised(
      ({ headers }) =>
        (headers.authorization ?? 'none').split(' ')[1] === undefined && headers.authorization === 'Bearer',
    ),
  ),
  broken(
    'authentication.key-extended',
    'a pattern without an end finds the key',
    alsoAuthorised(({ headers }, { key }) => headers.authorization?.startsWith(`Bearer ${key}`) ?? false),
  ),
  broken(
    'authentication.retrieve-needs-key',
    'a path with an identifier is taken for a public file',
    alsoAuthorised(({ path, method }) => method === 'GET' && path.split('/').length > 3),
  ),
  broken('authentication.refusal-shows-no-user', 'the first user is in every refusal', (service) => {
    const { refuse } = service;
    service.refuse = (request) => ({ ...refuse(request), body: { error: 'unauthorized', you: service.users[0] } });
  }),
  broken(
    'authentication.status-malformed',
    'a bare key is 500',
    changed((reply, { headers }, { key }) => (headers.authorization === key ? { status: 500 } : reply)),
    ['http.no-server-error'],
  ),
  broken(
    'authentication.status-wrong-key',
    '400 for a wrong key',
    changed((reply, request, { key }) =>
      reply.status === 401 && tokenOf(request).length === key.length ? { status: 400, body: {} } : reply,
    ),
  ),
];
