import { alsoAuthorised, type Broken, broken, jsonOf, tokenOf } from './broken.ts';

/** The key is good with another scheme, in another place, or written otherwise. */
export const brokenCredentials: Broken[] = [
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
    alsoAuthorised(
      ({ headers }, { key }) => headers.authorization?.replace(/^Bearer /, '') === key,
    ),
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
    alsoAuthorised(
      ({ query, method }, { key }) => method === 'POST' && query.get('api_key') === key,
    ),
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
    alsoAuthorised(
      ({ headers, path }, { key }) => path.endsWith('/users') && headers['x-auth-token'] === key,
    ),
  ),
  broken(
    'authentication.key-in-query',
    'a rare name in the query is good for retrieving',
    alsoAuthorised(
      ({ query, path }, { key }) => path.includes('/users/') && query.get('auth_token') === key,
    ),
  ),
  broken(
    'authentication.key-in-other-header',
    'X-Access-Token is good for creating',
    alsoAuthorised(
      ({ headers, method }, { key }) => method === 'POST' && headers['x-access-token'] === key,
    ),
  ),
  broken(
    'authentication.key-in-cookie',
    'a cookie is good',
    alsoAuthorised(({ headers }, { key }) => headers.cookie?.includes(key) ?? false),
  ),
  broken(
    'authentication.key-in-cookie',
    'a cookie is good for the list, as in the admin pages',
    alsoAuthorised(
      ({ headers, path }, { key }) =>
        path.endsWith('/users') && headers.cookie === `access_token=${key}`,
    ),
  ),
  broken(
    'authentication.key-in-body',
    'access_token in the body is good',
    alsoAuthorised(
      (request, { key }) => (jsonOf(request) as { access_token?: string })?.access_token === key,
    ),
  ),
  broken(
    'authentication.key-in-body',
    'api_key in the body is good',
    alsoAuthorised(
      (request, { key }) => (jsonOf(request) as { api_key?: string })?.api_key === key,
    ),
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
    alsoAuthorised(
      (request, { key }) => Buffer.from(tokenOf(request), 'base64').toString() === key,
    ),
  ),
  broken(
    'authentication.header-syntax',
    'the first word behind the scheme is the token',
    alsoAuthorised(
      ({ headers }, { key }) => /^Bearer (\S*)/.exec(headers.authorization ?? '')?.[1] === key,
    ),
  ),
  broken(
    'authentication.other-scheme',
    'a header that ends in Bearer and the key is good',
    alsoAuthorised(
      ({ headers }, { key }) => headers.authorization?.endsWith(`Bearer ${key}`) ?? false,
    ),
    ['authentication.header-syntax'],
  ),
  broken(
    'authentication.other-scheme',
    'the scheme begins with Bearer',
    alsoAuthorised(
      ({ headers }, { key }) => /^Bearer\S* (.*)/.exec(headers.authorization ?? '')?.[1] === key,
    ),
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
