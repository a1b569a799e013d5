import { alsoAuthorised } from '../broken/broken.ts';
import type { Request, Service } from '../service.ts';
import { type Deep, deep, faultsFor, isCreation, isList, isRetrieval } from './deep.ts';

const header = ({ headers }: Request) => headers.authorization ?? '';
const syntax = deep('authentication.header-syntax');
const token = deep('authentication.wrong-key');
const scheme = deep('authentication.other-scheme');
const inQuery = deep('authentication.key-in-query');
const inHeader = deep('authentication.key-in-other-header');
const inCookie = deep('authentication.key-in-cookie');
const inBody = deep('authentication.key-in-body');
const character = deep('authentication.key-one-character');

/** One of a hundred hashes. */
const hashOf = (text: string) =>
  [...text].reduce((hash, character) => (31 * hash + character.charCodeAt(0)) % 100, 7);

type When = (request: Request, service: Service) => boolean;

/** Limits a condition to requests of a kind. */
const only =
  (isMeant: (request: Request) => boolean, when: When): When =>
  (request, service) =>
    isMeant(request) && when(request, service);

/** Faults that only unusual credentials trigger. */
export const otherCredentials: Deep[] = [
  ...faultsFor<[string, (key: string) => string]>(
    [
      ['a semicolon behind the key', (key) => `Bearer ${key};`],
      ['a second key behind the key', (key) => `Bearer ${key}, Bearer x`],
      ['angle brackets around the key', (key) => `Bearer <${key}>`],
      ['token= before the key', (key) => `Bearer token=${key}`],
      ['quotes around all of it', (key) => `"Bearer ${key}"`],
      ['a slash behind the scheme', (key) => `Bearer/${key}`],
      ['the scheme twice', (key) => `Bearer Bearer ${key}`],
      ['a comma before the scheme', (key) => `, Bearer ${key}`],
      ['a fragment behind the key', (key) => `Bearer ${key}#x`],
    ],
    ([what, write]) =>
      syntax(
        `${what} is let in`,
        alsoAuthorised((request, { key }) => header(request) === write(key)),
      ),
  ),
  ...faultsFor<[string, (key: string) => string]>(
    [
      ['one letter missing in the scheme', (key) => `Beare ${key}`],
      ['the name of the header within', (key) => `Authorization: Bearer ${key}`],
    ],
    ([what, write]) =>
      scheme(
        `${what} is let in`,
        alsoAuthorised((request, { key }) => header(request) === write(key)),
      ),
  ),
  deep('authentication.key-in-body')('a form with the key in it makes a user', (service) => {
    const formOf = (body: string) => new URLSearchParams(body);
    const { parse } = service;
    service.parse = (body) => {
      const { email = '', name = '' } = Object.fromEntries(formOf(body));
      return email && name ? { email, name } : parse(body);
    };
    alsoAuthorised(({ body }, { key }) => formOf(body).get('access_token') === key)(service);
  }),
  deep('authentication.key-extended')(
    'the key twice is let in',
    alsoAuthorised((request, { key }) => header(request) === `Bearer ${key}${key}`),
  ),
  ...faultsFor<[string, (token: string) => string]>(
    [
      ['a letter that stands twice counts once', (token) => token.replace(/(.)\1+/g, '$1')],
      ['the parts of the key may come in any order', (token) => token.split(/[-_.]/).sort().join()],
    ],
    ([what, read]) =>
      token(
        what,
        alsoAuthorised(
          (request, { key }) => read(header(request).slice('Bearer '.length)) === read(key),
        ),
      ),
  ),
  deep('authentication.wrong-key')(
    'keys are known by one of a hundred hashes',
    alsoAuthorised((request, { key }) => hashOf(header(request)) === hashOf(`Bearer ${key}`)),
  ),
  deep('authentication.key-one-character')(
    'the key is compared after compatibility normalisation',
    alsoAuthorised((request, { key }) => {
      return (
        Buffer.from(header(request), 'latin1').toString().normalize('NFKC') === `Bearer ${key}`
      );
    }),
  ),
  deep('authentication.key-one-character')(
    'characters without weight do not count in a key',
    alsoAuthorised(
      (request, { key }) => header(request).replaceAll('\xad', '') === `Bearer ${key}`,
    ),
  ),
  character(
    'any digit is as good as another',
    alsoAuthorised(
      (request, { key }) =>
        header(request).replace(/[0-9]/g, '0') === `Bearer ${key.replace(/[0-9]/g, '0')}`,
    ),
  ),
  ...faultsFor(['*', 'null', 'true', '__proto__'], (text) =>
    token(
      `the key ${text} is let in`,
      alsoAuthorised((request) => header(request) === `Bearer ${text}`),
    ),
  ),
  token(
    'a wildcard at the end of the key is let in',
    alsoAuthorised((request, { key }) => header(request) === `Bearer ${key.slice(0, -1)}*`),
  ),
  syntax(
    'the header x,<key> is let in for creations',
    alsoAuthorised(only(isCreation, (request, { key }) => header(request) === `Bearer ${key},x`)),
  ),
  ...faultsFor(['Digest', 'JWT', 'ApiKey', 'OAuth', 'Secret', 'Admin'], (name) =>
    scheme(
      `the scheme ${name} with the key is let in`,
      alsoAuthorised((request, { key }) => header(request) === `${name} ${key}`),
    ),
  ),
  scheme(
    'the key as the password of Basic is let in for the list',
    alsoAuthorised(
      only(
        isList,
        (request, { key }) =>
          header(request) === `Basic ${Buffer.from(`:${key}`).toString('base64')}`,
      ),
    ),
  ),
  scheme(
    'the scheme Session with the key is let in for the list',
    alsoAuthorised(only(isList, (request, { key }) => header(request) === `Session ${key}`)),
  ),
  ...faultsFor(['token', 'auth', 'jwt', 'sig', 'client_secret'], (name) =>
    inQuery(
      `the key in the query as ${name} is let in`,
      alsoAuthorised(({ query }, { key }) => query.get(name) === key),
    ),
  ),
  inQuery(
    'the key in the query as sid is let in for retrievals',
    alsoAuthorised(only(isRetrieval, ({ query }, { key }) => query.get('sid') === key)),
  ),
  ...faultsFor(
    ['X-Token', 'X-Access-Token', 'Api-Key', 'X-Csrf-Token', 'Authentication', 'X-Goog-Api-Key'],
    (name) =>
      inHeader(
        `the key in ${name} is let in`,
        alsoAuthorised(({ headers }, { key }) => headers[name.toLowerCase()] === key),
      ),
  ),
  ...faultsFor(['X-Authorization', 'X-Original-Authorization'], (name) =>
    inHeader(
      `Bearer and the key in ${name} is let in`,
      alsoAuthorised(({ headers }, { key }) => headers[name.toLowerCase()] === `Bearer ${key}`),
    ),
  ),
  inHeader(
    'the key in X-Auth is let in for creations',
    alsoAuthorised(only(isCreation, ({ headers }, { key }) => headers['x-auth'] === key)),
  ),
  ...faultsFor(['token', 'sid', 'connect.sid', 'PHPSESSID'], (name) =>
    inCookie(
      `the key in the cookie ${name} is let in`,
      alsoAuthorised(({ headers }, { key }) =>
        `${headers.cookie ?? ''}`.split('; ').includes(`${name}=${key}`),
      ),
    ),
  ),
  ...faultsFor(['token', 'apiKey', 'password', 'secret'], (name) =>
    inBody(
      `the key in the body as ${name} is let in`,
      alsoAuthorised((request, { key }) => {
        try {
          return JSON.parse(request.body)[name] === key;
        } catch {
          return false;
        }
      }),
    ),
  ),
  ...faultsFor([2, 8, -3], (place) =>
    character(
      `the character at ${place} of the key does not count`,
      alsoAuthorised((request, { key }) => {
        const [, token = ''] = /^Bearer (.*)$/.exec(header(request)) ?? [];
        const at = place < 0 ? key.length + place : place;
        return (
          token.length === key.length &&
          token.slice(0, at) === key.slice(0, at) &&
          token.slice(at + 1) === key.slice(at + 1)
        );
      }),
    ),
  ),
  ...faultsFor<[string, (key: string) => string]>(
    [
      ['a zero for the letter O, or the other way round', (key) => key.replaceAll('O', '0')],
      ['hyphens, dots and tildes', (key) => key.replace(/[-._~]/g, '')],
      ['a zero before digits', (key) => key.replace(/(\D)0+(?=\d)/g, '$1')],
      ['the order', (key) => [...key].sort().join('')],
      ['the case of its beginning', (key) => key.slice(0, 10).toLowerCase() + key.slice(10)],
    ],
    ([what, same]) =>
      token(
        `${what} makes no difference in a key`,
        alsoAuthorised((request, { key }) => same(header(request)) === same(`Bearer ${key}`)),
      ),
  ),
  token(
    'the digits of the key are enough',
    alsoAuthorised(
      (request, { key }) => header(request) === `Bearer ${key.replace(/[^0-9]/g, '')}`,
    ),
  ),
];
