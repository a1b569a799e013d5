import type { Request } from '../service.ts';
import { alsoAuthorised, type Broken, broken, changedSuccess, jsonOf, operationOf, tokenOf } from './broken.ts';

const unguarded = (operation: string) =>
  alsoAuthorised((request, service) => operationOf(request, service) === operation);

const bare = (key: string) => key.replace(/[-._~]/g, '');

export const brokenAuthentication: Broken[] = [
  ...(
    [
      ['406', ({ headers }) => headers.accept === 'text/html'],
      ['415', ({ headers }) => headers['content-type'] === 'text/plain'],
      ['405', ({ method, path }) => method === 'POST' && path.split('/').length > 3],
      ['413', ({ body }) => body.length > 1024 * 1024],
    ] as [status: string, isMeant: (request: Request) => boolean][]
  ).map(([status, isMeant]) =>
    broken('authentication.key-not-in-answers', `a ${status} repeats the Authorization header`, (service) => {
      const { handle, key } = service;
      service.handle = (request) =>
        isMeant(request) && service.authorised(request)
          ? { status: Number(status), body: { error: `curl -H "Authorization: Bearer ${key}"` } }
          : handle(request);
    }),
  ),
  broken(
    'authentication.key-not-in-answers',
    'a list by query shows what was asked',
    changedSuccess(
      (reply, { query, headers }) =>
        query.size > 0 ? { ...reply, body: { ...(reply.body as object), asked: headers } } : reply,
      'list',
    ),
  ),
  broken('authentication.refusal-shows-no-user', 'a refusal of a creation shows a part of an address', (service) => {
    service.refuse = ({ method }) => ({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: { last: method === 'POST' ? service.users.at(0)?.email.split('@')[0] : undefined },
    });
  }),
  ...(
    [
      ['authentication.wrong-key', 'the key is taken without its signs as well', (token, key) => token === bare(key)],
      [
        'authentication.wrong-key',
        'the digits of the key are enough',
        (token, key) => token === key.replace(/[^0-9]/g, ''),
      ],
      [
        'authentication.wrong-key',
        'the order of its characters does not count in the key',
        (token, key) => [...token].sort().join('') === [...key].sort().join(''),
      ],
      ['authentication.wrong-key', 'a key is looked up in an object, which has more', (token) => token in {}],
      ['authentication.wrong-key', 'a variable that is not set is a key, as text', (token) => token === 'undefined'],
      ['authentication.wrong-key', 'a key is looked up by LIKE', (token) => token === '%'],
      ['authentication.wrong-key', 'a key is a condition of a query', (token) => /' OR '/.test(token)],
      [
        'authentication.wrong-key',
        'a key is a regular expression',
        (token, key) => /^[\w.*]+$/.test(token) && new RegExp(`^${token}$`).test(key),
      ],
      [
        'authentication.key-one-character',
        'a zero is an O in the key',
        (token, key) => token.replaceAll('O', '0') === key.replaceAll('O', '0'),
      ],
      [
        'authentication.key-one-character',
        'accents in the key do not count',
        (token, key) => token.normalize('NFD').replace(/[\u0300-\u036f]/g, '') === key,
      ],
      [
        'authentication.key-case',
        'the case of the first letters of the key does not count',
        (token, key) =>
          token.slice(8) === key.slice(8) && token.slice(0, 8).toLowerCase() === key.slice(0, 8).toLowerCase(),
      ],
    ] as [slug: string, name: string, isTaken: (token: string, key: string) => boolean][]
  ).map(([slug, name, isTaken]) =>
    broken(
      slug,
      name,
      alsoAuthorised((request, { key }) => isTaken(tokenOf(request), key)),
    ),
  ),
  broken('authentication.list-needs-key', 'the list is open', unguarded('list')),
  broken('authentication.list-needs-key', 'the list is open to those who send no header', (service) => {
    alsoAuthorised((request) => operationOf(request, service) === 'list' && !request.headers.authorization)(service);
  }),
  broken(
    'authentication.list-needs-key',
    'the list asks for a key only once a user was created',
    alsoAuthorised(
      ({ method, headers }, { users }) => method === 'GET' && !headers.authorization && users.length === 0,
    ),
  ),
  broken(
    'authentication.wrong-key',
    'keys are checked only once a user was created',
    alsoAuthorised((request, { users }) => tokenOf(request) !== '' && users.length === 0),
  ),
  broken('authentication.wrong-key', 'the key is not checked any more at the end of a run', (service) => {
    let isLate = false;
    const { authorised, find } = service;
    // Users whose address begins with a digit are retrieved when all else was refused.
    service.find = (id) => {
      const user = find(id);
      isLate ||= /^\d/.test(user?.email ?? '');
      return user;
    };
    service.authorised = (request) => authorised(request) || (isLate && tokenOf(request) !== '');
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
    'authentication.retrieve-needs-key',
    'everybody may read all users but the first',
    alsoAuthorised(
      ({ method, path }, { users }) => method === 'GET' && /users\/./.test(path) && !path.endsWith(`${users[0]?.id}`),
    ),
    [],
  ),
  broken(
    'authentication.retrieve-needs-key',
    'a path with an identifier is taken for a public file',
    alsoAuthorised(({ path, method }) => method === 'GET' && path.split('/').length > 3),
  ),
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
    'authentication.no-token',
    'a header that ends after the scheme is split and found equal',
    alsoAuthorised(
      ({ headers }) =>
        (headers.authorization ?? 'none').split(' ')[1] === undefined && headers.authorization === 'Bearer',
    ),
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
    'only the first 22 characters are compared',
    alsoAuthorised((request, { key }) => tokenOf(request).slice(0, 22) === key.slice(0, 22)),
    ['authentication.key-extended', 'authentication.key-one-character', 'authentication.header-syntax'],
  ),
  broken(
    'authentication.key-extended',
    'what begins with the key and goes on without a space is good',
    alsoAuthorised((request, { key }) => /^\S+$/.test(tokenOf(request)) && tokenOf(request).startsWith(key)),
  ),
  broken(
    'authentication.key-extended',
    'what begins with the key is good',
    alsoAuthorised((request, { key }) => tokenOf(request).startsWith(key)),
    ['authentication.header-syntax'],
  ),
  broken(
    'authentication.key-extended',
    'a pattern without an end finds the key',
    alsoAuthorised(({ headers }, { key }) => headers.authorization?.startsWith(`Bearer ${key}`) ?? false),
    ['authentication.header-syntax'],
  ),
  broken(
    'authentication.key-case',
    'the key has no case',
    alsoAuthorised((request, { key }) => tokenOf(request).toLowerCase() === key.toLowerCase()),
  ),
  broken(
    'authentication.key-case',
    'a database that has no case compares the key',
    alsoAuthorised(
      (request, { key }) =>
        request.method === 'GET' && tokenOf(request).localeCompare(key, 'en', { sensitivity: 'base' }) === 0,
    ),
    ['authentication.key-one-character'],
  ),
  broken(
    'authentication.key-case',
    'headers are cached for each connection, without regard to case',
    (service) => {
      const { authorised } = service;
      const cached = new Map<object, Map<string, string>>();
      service.authorised = (request) => {
        const { authorization = '' } = request.headers;
        const own = cached.get(request.connection) ?? new Map<string, string>();
        cached.set(request.connection, own);
        const before = own.get(authorization.toLowerCase()) ?? authorization;
        own.set(authorization.toLowerCase(), before);
        return authorised({ ...request, headers: { ...request.headers, authorization: before } });
      };
    },
    ['http.survives-bad-requests'],
  ),
  broken(
    'authentication.key-one-character',
    'where a connection has carried the key, only the ends and the length of the next one are compared',
    (service) => {
      const { authorised } = service;
      const known = new Set<object>();
      service.authorised = (request) => {
        const isSimilar =
          known.has(request.connection) &&
          tokenOf(request).length === service.key.length &&
          tokenOf(request).startsWith(service.key.slice(0, 6)) &&
          tokenOf(request).endsWith(service.key.slice(-6));
        if (authorised(request)) known.add(request.connection);
        return isSimilar || authorised(request);
      };
    },
  ),
  broken(
    'authentication.other-scheme',
    'the scheme is not looked at',
    alsoAuthorised(({ headers }, { key }) => headers.authorization?.split(' ')[1] === key),
    ['authentication.header-syntax'],
  ),
  broken(
    'authentication.other-scheme',
    'Token is good, as it was before Bearer',
    alsoAuthorised(({ headers }, { key }) => headers.authorization === `Token ${key}`),
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
    ['authentication.other-scheme', 'authentication.key-extended', 'authentication.header-syntax'],
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
    'authentication.key-in-query',
    'a rare name in the query is good for retrieving',
    alsoAuthorised(({ query, path }, { key }) => path.includes('/users/') && query.get('auth_token') === key),
  ),
  broken(
    'authentication.key-in-other-header',
    'X-Access-Token is good for creating',
    alsoAuthorised(({ headers, method }, { key }) => method === 'POST' && headers['x-access-token'] === key),
  ),
  broken(
    'authentication.key-in-cookie',
    'a cookie is good',
    alsoAuthorised(({ headers }, { key }) => headers.cookie?.includes(key) ?? false),
  ),
  broken(
    'authentication.key-in-cookie',
    'a cookie is good for the list, as in the admin pages',
    alsoAuthorised(({ headers, path }, { key }) => path.endsWith('/users') && headers.cookie === `access_token=${key}`),
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
    'authentication.key-one-character',
    'only the beginning and the end of the key are compared, and its length',
    alsoAuthorised((request, { key }) => {
      const token = tokenOf(request);
      const ends = token.slice(0, 6) === key.slice(0, 6) && token.slice(-6) === key.slice(-6);
      return ends && token.length === key.length;
    }),
  ),
  broken(
    'authentication.key-one-character',
    'the last character of the key is not compared',
    alsoAuthorised((request, { key }) => {
      const token = tokenOf(request);
      return token.length === key.length && token.slice(0, -1) === key.slice(0, -1);
    }),
  ),
  broken(
    'authentication.key-one-character',
    'the comparison begins at the second character',
    alsoAuthorised((request, { key }) => {
      const token = tokenOf(request);
      return token.length === key.length && token.slice(1) === key.slice(1);
    }),
  ),
  broken(
    'authentication.header-syntax',
    'the scheme need not be followed by a space',
    alsoAuthorised(({ headers }, { key }) => headers.authorization === `Bearer${key}`),
  ),
  broken(
    'authentication.header-syntax',
    'quotes are stripped',
    alsoAuthorised((request, { key }) => tokenOf(request).replaceAll('"', '') === key),
  ),
  broken(
    'authentication.header-syntax',
    'the token is percent-decoded',
    alsoAuthorised((request, { key }) => percentDecoded(tokenOf(request)) === key),
  ),
  broken(
    'authentication.header-syntax',
    'the token may come in base64',
    alsoAuthorised((request, { key }) => Buffer.from(tokenOf(request), 'base64').toString() === key),
  ),
  broken(
    'authentication.header-syntax',
    'the first word behind the scheme is the token',
    alsoAuthorised(({ headers }, { key }) => /^Bearer (\S*)/.exec(headers.authorization ?? '')?.[1] === key),
  ),
  broken(
    'authentication.other-scheme',
    'a header that ends in Bearer and the key is good',
    alsoAuthorised(({ headers }, { key }) => headers.authorization?.endsWith(`Bearer ${key}`) ?? false),
    ['authentication.header-syntax'],
  ),
  broken(
    'authentication.other-scheme',
    'the scheme begins with Bearer',
    alsoAuthorised(({ headers }, { key }) => /^Bearer\S* (.*)/.exec(headers.authorization ?? '')?.[1] === key),
    ['authentication.header-syntax'],
  ),
  broken(
    'authentication.header-syntax',
    'the last word is the token',
    alsoAuthorised(({ headers }, { key }) => {
      const words = headers.authorization?.split(/[ ,]+/) ?? [];
      return words[0] === 'Bearer' && words.at(-1) === key;
    }),
  ),
];

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
