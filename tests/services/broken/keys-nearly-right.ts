import { alsoAuthorised, type Broken, broken, tokenOf } from './broken.ts';

const withoutSigns = (key: string) => key.replace(/[-._~]/g, '');

/** Tokens that a guard accepts besides the key. */
const SIMILAR_TOKENS: [
  slug: string,
  name: string,
  isAccepted: (token: string, key: string) => boolean,
][] = [
  [
    'authentication.wrong-key',
    'the key without its signs is good',
    (token, key) => token === withoutSigns(key),
  ],
  [
    'authentication.wrong-key',
    'the digits of the key are enough',
    (token, key) => token === key.replace(/[^0-9]/g, ''),
  ],
  [
    'authentication.wrong-key',
    'the order of characters in the key does not count',
    (token, key) => [...token].sort().join('') === [...key].sort().join(''),
  ],
  ['authentication.wrong-key', 'a key is looked up by LIKE', (token) => token === '%'],
  ['authentication.wrong-key', 'a key is put into SQL', (token) => /' OR '/.test(token)],
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
  [
    'authentication.wrong-key',
    'a key is looked up in an object, which inherits more members',
    (token) => token in {},
  ],
  [
    'authentication.wrong-key',
    'a variable that is not set is the key undefined',
    (token) => token === 'undefined',
  ],
];

/** Guards that accept a token similar to the key, or no token. */
export const brokenKeys: Broken[] = [
  ...SIMILAR_TOKENS.map(([slug, name, isAccepted]) =>
    broken(
      slug,
      name,
      alsoAuthorised((request, { key }) => isAccepted(tokenOf(request), key)),
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
    'a token that begins with the key and has no space is good',
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
    'a pattern without an end matches the key',
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
        const headers = cached.get(request.connection) ?? new Map<string, string>();
        cached.set(request.connection, headers);
        const before = headers.get(authorization.toLowerCase()) ?? authorization;
        headers.set(authorization.toLowerCase(), before);
        return authorised({ ...request, headers: { ...request.headers, authorization: before } });
      };
    },
    ['http.survives-bad-requests'],
  ),
  broken(
    'authentication.key-one-character',
    'on a connection that has carried the key only the ends and the length of the next key are compared',
    (service) => {
      const { authorised } = service;
      const proven = new Set<object>();
      service.authorised = (request) => {
        const isSimilar =
          proven.has(request.connection) &&
          tokenOf(request).length === service.key.length &&
          tokenOf(request).startsWith(service.key.slice(0, 6)) &&
          tokenOf(request).endsWith(service.key.slice(-6));
        if (authorised(request)) proven.add(request.connection);
        return isSimilar || authorised(request);
      };
    },
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
          [...token].every((character, at) => character === '_' || character === service.key[at])
        );
      })(service);
    },
  ),
  broken(
    'authentication.wrong-key',
    'a media type of JSON:API needs no key',
    alsoAuthorised(
      ({ method, headers }) =>
        method === 'POST' && headers['content-type'] === 'application/vnd.api+json',
    ),
  ),
  broken(
    'authentication.wrong-key',
    'Cache-Control: only-if-cached needs no key',
    alsoAuthorised(
      ({ method, headers }) => method === 'GET' && headers['cache-control'] === 'only-if-cached',
    ),
  ),
  broken(
    'authentication.wrong-key',
    'a Range request needs no key',
    alsoAuthorised(({ method, headers }) => method === 'GET' && headers.range !== undefined),
  ),
];
