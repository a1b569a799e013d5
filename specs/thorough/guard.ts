import fc from 'fast-check';
import {
  type Case,
  CREATE,
  inTurn,
  LIST,
  OPERATIONS,
  onEach,
  RETRIEVE,
  withBasePath,
  withHeaders,
  withoutKey,
  withPath,
} from '../../src/requirement/case.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { headerOf, lines } from './lines.ts';

/**
 * Returns a path below the base address. `id` is empty for the list and for a creation; for a user
 * it is a slash and the identifier.
 */
type Spelling = (id: string) => string;

const casesOf = (name: string, spelling: Spelling): Case[] => {
  const change = withPath((path) => spelling(path.slice('/users'.length)));
  return onEach(`the path as ${name}`, inTurn(withoutKey, change));
};

/** Spellings of the word `users` that a router may decode after the key is checked. */
const WORDS = [
  'Users',
  'uSers',
  'usErs',
  'useRs',
  'userS',
  'USERS',
  'uSERS',
  '%75sers',
  'u%73ers',
  'us%65rs',
  'use%72s',
  'user%73',
  '%75ser%73',
  '%75%73%65%72%73',
  '%55sers',
  '%2575sers',
  'user%2573',
  '%252575sers',
  '%u0075sers',
  '%c1%b5sers',
];

/** Texts between the base address and the word. */
const BEFORE = [
  '//',
  '///',
  '%2F',
  '%2f',
  '/%2F',
  '%2F%2F',
  '\\',
  '/\\',
  '%5c',
  '/%5c',
  '/;/',
  '/;x=1/',
  '/;.css/',
  '/%20',
  '/%00',
  '/%09',
  '/%0a',
  '/+',
  '/~',
  '/*/',
  '/$',
  '/:',
  '/,',
];

/** Texts between the word and the identifier. */
const BETWEEN = [
  '\\',
  '%5C',
  '%2F',
  '%2f',
  '//',
  '///',
  '/;/',
  '/;x=1/',
  '/%20/',
  '%2F%2F',
  '%252F',
  '/%2F',
  ';/',
  '/*/',
  '/~/',
  '/:',
  '/@',
  '/id:',
];

/** Texts after the word, before a slash. */
const AFTER_WORD = [
  ';',
  ';x',
  ';x=1',
  ';a=b',
  ';jsessionid=1',
  ';.css',
  ';.json',
  '.json',
  '.css',
  '%20',
  '%00',
  '%3b',
  '%3bx',
  '~',
  ',',
  '+',
  '/%20',
  '/;',
  '/;x=1',
  '/',
];

/** Ends of a path whose responses many caches return to any client. */
const STATIC = ['.json', '.css', '.js', '.png', '.ico', '/x.css', ';.css', '?x.css', '%2Fx.css'];

const firstEncoded = (id: string) =>
  id === '' ? '' : `/%${id.charCodeAt(1).toString(16)}${id.slice(2)}`;

const casesOfBase = (base: string): Case[] =>
  onEach(
    `the base address as ${base}`,
    inTurn(
      withoutKey,
      withBasePath((basePath) => respell(basePath, base)),
    ),
  );

/**
 * Replaces the version in a base path. The part before it stays, after the origin if the
 * replacement is a URL.
 */
function respell(basePath: string, replacement: string): string {
  const prefix = basePath.replace(/\/v1$/, '');
  if (!/^https?:/.test(replacement)) return prefix + replacement;
  const { origin } = new URL(replacement);
  return origin + prefix + replacement.slice(origin.length);
}

const spellings: Case[] = [
  ...lines('path-ends').flatMap((end) => casesOf(`/users/:id${end}`, (id) => `/users${id}${end}`)),
  ...lines('base-paths').flatMap(casesOfBase),
  ...WORDS.flatMap((word) => casesOf(`/${word}`, (id) => `/${word}${id}`)),
  ...BEFORE.flatMap((before) => casesOf(`${before}users`, (id) => `${before}users${id}`)),
  ...BETWEEN.flatMap((between) =>
    casesOf(`/users${between}:id`, (id) => `/users${id === '' ? '' : between + id.slice(1)}`),
  ).filter(({ operation }) => operation === RETRIEVE),
  ...AFTER_WORD.flatMap((end) => casesOf(`/users${end}/:id`, (id) => `/users${end}${id}`)),
  ...casesOf('an encoded identifier', (id) => `/users${firstEncoded(id)}`),
];

const staticAfterKey: Case[] = STATIC.flatMap((end) =>
  onEach(
    `${end} after the path, and the same with the key just before`,
    inTurn(
      withoutKey,
      withPath((path) => path + end),
    ),
    {
      operations: [LIST, RETRIEVE],
      afterAuthorized: true,
    },
  ),
);

const PROXY_HEADERS = lines('proxy-headers').map(headerOf);
const PATH_HEADERS = lines('path-headers');

const describe = (headers: readonly (readonly [string, string])[]) =>
  headers.map(([name, value]) => `${name}: ${value}`).join(', ');

/** Cases with a single header, which others could override. */
const oneHeader: Case[] = PROXY_HEADERS.flatMap((header) =>
  onEach(describe([header]), inTurn(withoutKey, withHeaders(Object.fromEntries([header]))), {
    mayBeSilent: true,
  }),
);

/** Cases with the path in a header and another path in the request line. */
const pathHeaders: Case[] = PATH_HEADERS.flatMap((name) =>
  onEach(
    `${name} with the path`,
    inTurn(withoutKey, (usual, context) =>
      inTurn(
        withHeaders({ [name.toLowerCase()]: usual.path }),
        withBasePath(() => ''),
        withPath(() => '/'),
      )(usual, context),
    ),
    { operations: [LIST, RETRIEVE], mayBeSilent: true },
  ),
);

/** Headers in one request: most servers accept so many. */
const MOST_HEADERS = 16;

/** Cases with many headers: shrinking finds the one that a service trusts. */
const manyHeaders = fc
  .record({
    headers: fc.subarray(PROXY_HEADERS, { minLength: MOST_HEADERS, maxLength: MOST_HEADERS }),
    operation: fc.constantFrom(...OPERATIONS),
  })
  .map(({ headers, operation }): Case => {
    const change = inTurn(withoutKey, withHeaders(Object.fromEntries(headers)));
    return { name: describe(headers), operation, change, mayBeSilent: true };
  });

/** The Idempotency-Key and the body of a creation that was accepted just before. */
const sentAgain: Case[] = [
  {
    name: 'the Idempotency-Key and the body of a creation just before',
    operation: CREATE,
    change: inTurn(withoutKey, (usual, { user }) => ({
      ...usual,
      headers: { ...usual.headers, 'idempotency-key': user.email },
    })),
    afterAuthorized: true,
  },
];

const PATH_SPELLING = ['guard.path-spelling'];
const TRUSTED_HEADERS = ['guard.trusted-headers'];

export const guard: DrawnCases[] = [
  {
    name: 'spellings of the path without the key',
    slugs: PATH_SPELLING,
    perRound: 180,
    tables: [spellings],
  },
  {
    name: 'static paths with the key and then without',
    slugs: PATH_SPELLING,
    perRound: 6,
    tables: [staticAfterKey],
  },
  {
    name: 'headers of proxies without the key',
    slugs: TRUSTED_HEADERS,
    perRound: 200,
    tables: [[...oneHeader, ...pathHeaders]],
  },
  {
    name: 'many headers of proxies without the key',
    slugs: TRUSTED_HEADERS,
    perRound: 30,
    cases: manyHeaders,
  },
  {
    name: 'accepted creations sent again without the key',
    slugs: TRUSTED_HEADERS,
    perRound: 1,
    tables: [sentAgain],
  },
];
