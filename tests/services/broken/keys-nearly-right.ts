import { alsoAuthorised, type Broken, broken, tokenOf } from './broken.ts';

const bare = (key: string) => key.replace(/[-._~]/g, '');

/** A token that is nearly the key is good, or none at all. */
export const brokenKeys: Broken[] = [
  ...(
    [
      [
        'authentication.wrong-key',
        'the key is taken without its signs as well',
        (token, key) => token === bare(key),
      ],
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
      ['authentication.wrong-key', 'a key is looked up by LIKE', (token) => token === '%'],
      [
        'authentication.wrong-key',
        'a key is a condition of a query',
        (token) => /' OR '/.test(token),
      ],
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
          token.slice(8) === key.slice(8) &&
          token.slice(0, 8).toLowerCase() === key.slice(0, 8).toLowerCase(),
      ],
    ] as [slug: string, name: string, isTaken: (token: string, key: string) => boolean][]
  ).map(([slug, name, isTaken]) =>
    broken(
      slug,
      name,
      alsoAuthorised((request, { key }) => isTaken(tokenOf(request), key)),
    ),
  ),
  ...(
    [
      ['a key is looked up in an object, which has more', (token) => token in {}],
      ['a variable that is not set is a key, as text', (token) => token === 'undefined'],
    ] as [name: string, isTaken: (token: string) => boolean][]
  ).map(([name, isTaken]) =>
    broken(
      'authentication.wrong-key',
      name,
      alsoAuthorised((request) => isTaken(tokenOf(request))),
    ),
  ),
  broken('authentication.key-one-character', 'a dot in the key is any character', (service) => {
    service.key = 'qX7.rT2vLm9.Kd4';
    alsoAuthorised((request, { key }) => new RegExp(`^${key}$`).test(tokenOf(request)))(service);
  }),
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
        (headers.authorization ?? 'none').split(' ')[1] === undefined &&
        headers.authorization === 'Bearer',
    ),
  ),
  broken(
    'authentication.key-cut-short',
    'a beginning of the key is good',
    alsoAuthorised(
      (request, { key }) => tokenOf(request) !== '' && key.startsWith(tokenOf(request)),
    ),
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
    [
      'authentication.key-extended',
      'authentication.key-one-character',
      'authentication.header-syntax',
    ],
  ),
  broken(
    'authentication.key-extended',
    'what begins with the key and goes on without a space is good',
    alsoAuthorised(
      (request, { key }) => /^\S+$/.test(tokenOf(request)) && tokenOf(request).startsWith(key),
    ),
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
    alsoAuthorised(
      ({ headers }, { key }) => headers.authorization?.startsWith(`Bearer ${key}`) ?? false,
    ),
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
        request.method === 'GET' &&
        tokenOf(request).localeCompare(key, 'en', { sensitivity: 'base' }) === 0,
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
    [],
  ),
  broken(
    'authentication.key-one-character',
    'only the beginning and the end of the key are compared, and its length',
    alsoAuthorised((request, { key }) => {
      const token = tokenOf(request);
      const ends = token.slice(0, 6) === key.slice(0, 6) && token.slice(-6) === key.slice(-6);
      return ends && token.length === key.length;
    }),
    ['authentication.wrong-key'],
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
    'authentication.key-one-character',
    'an underscore stands for any character of the key',
    (service) => {
      alsoAuthorised((request) => {
        const token = tokenOf(request);
        return (
          token.length === service.key.length &&
          [...token].every((one, at) => one === '_' || one === service.key[at])
        );
      })(service);
    },
  ),
  broken(
    'authentication.wrong-key',
    'only one media type asks for the key',
    alsoAuthorised(
      ({ method, headers }) =>
        method === 'POST' && headers['content-type'] === 'application/vnd.api+json',
    ),
  ),
  broken(
    'authentication.wrong-key',
    'what is only to come from a cache needs no key',
    alsoAuthorised(
      ({ method, headers }) => method === 'GET' && headers['cache-control'] === 'only-if-cached',
    ),
  ),
  broken(
    'authentication.wrong-key',
    'a part of a response needs no key',
    alsoAuthorised(({ method, headers }) => method === 'GET' && headers.range !== undefined),
  ),
];
