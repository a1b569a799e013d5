import {
  type Case,
  type Change,
  inTurn,
  LIST,
  OPERATIONS,
  onEach,
  RETRIEVE,
  withBasePath,
  withoutKey,
  withPath,
} from '../src/requirement/case.ts';

/**
 * Returns a path below the base address. `id` is empty for the list and for a creation; for a user
 * it is a slash and the identifier.
 */
type Spelling = (id: string) => string;

const encodeFirst = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;

/** Spellings that the check of the key and the router may read as different paths. */
const COMMON_SPELLINGS: [name: string, spelling: Spelling][] = [
  ['a trailing slash', (id) => `/users${id}/`],
  ['an encoded character', (id) => (id === '' ? '/%75sers' : `/users/${encodeFirst(id.slice(1))}`)],
  ['capital letters', (id) => `/USERS${id}`],
  ['a double slash', (id) => (id === '' ? '//users' : `/users/${id}`)],
  ['an encoded slash at the end', (id) => `/users${id}%2F`],
  ['a path parameter', (id) => `/users${id};x=1`],
  ['the extension .json', (id) => `/users${id}.json`],
  // In many regular expressions, `$` also matches before a line break.
  ['an encoded line break after it', (id) => `/users${id}%0A`],
];

/** Folders that services usually leave open. */
const OPEN_FOLDERS = ['public', 'static', 'health', 'docs', 'login'];

/** Further spellings, sent for the list alone. */
const RARE_SPELLINGS: [name: string, spelling: Spelling][] = [
  ['an encoded NUL after it', (id) => `/users${id}%00`],
  ['an encoded slash before it', (id) => `/%2Fusers${id}`],
  ['an encoded space after it', (id) => `/users${id}%20`],
  ['a backslash before it', (id) => `/%5Cusers${id}`],
  ['a dot after it', (id) => `/users${id}.`],
  ['a double-encoded letter', (id) => `/%2575sers${id}`],
  ['the extension .xml', (id) => `/users${id}.xml`],
  ['an encoded hash after it', (id) => `/users${id}%23`],
  ['an encoded question mark after it', (id) => `/users${id}%3F`],
  ['one capital letter', (id) => `/Users${id}`],
  ['its last letter encoded', (id) => `/user%73${id}`],
  ['the extension .css', (id) => `/users${id}.css`],
  ['an empty query', (id) => `/users${id}?`],
  [
    'a query with debug, admin, public, skip_auth and others',
    (id) =>
      `/users${id}?debug=true&admin=true&public=true&test=true&internal=true&preview=true&auth=false&skip_auth=true&role=admin&next=/health&path=/docs/favicon.ico`,
  ],
  ...['/health', '/ping', '/login', '.css'].map((ending): [string, Spelling] => [
    `a query that ends with ${ending}`,
    (id) => `/users${id}?next=${ending}`,
  ]),
  ...['/health', '.css'].map((ending): [string, Spelling] => [
    `the fragment ${ending}`,
    (id) => `/users${id}#${ending}`,
  ]),
  ['a further segment', (id) => `/users${id}/posts`],
  ['an encoded tab after it', (id) => `/users${id}%09`],
  ['an encoded line break of two characters after it', (id) => `/users${id}%0D%0A`],
  ['an encoded semicolon after it', (id) => `/users${id}%3B`],
  ['a dot segment before it', (id) => `/./users${id}`],
  ['encoded dot segments before it', (id) => `/public/%2e%2e/users${id}`],
  ['dot segments and an encoded slash before it', (id) => `/public/..%2Fusers${id}`],
  ['dot segments with a path parameter before it', (id) => `/public/..;/users${id}`],
  ...OPEN_FOLDERS.map((folder): [string, Spelling] => [
    `/${folder}/.. before it`,
    (id) => `/${folder}/../users${id}`,
  ]),
];

/** Spellings of the base path. */
const BASE_PATHS: [name: string, respell: (basePath: string) => string][] = [
  ['a script before the path', (base) => `/index.php${base}`],
  ['an encoded letter in the version', (base) => base.replace(/v1$/, '%761')],
  ['a parameter after the version', (base) => `${base};a=b`],
  ['an absolute URL instead of the path', (base) => `http://localhost${base}`],
  ['a network-path reference', (base) => `//localhost${base}`],
  ['the path without the version', (base) => base.replace(/\/v1$/, '')],
  ['a double slash before the base address', (base) => `/${base}`],
  ['the version with a capital V', (base) => base.replace(/\/v1$/, '/V1')],
  ...['public', 'static', 'health'].map((folder): [string, (base: string) => string] => [
    `/${folder}/.. before the base address`,
    (base) => `/${folder}/..${base}`,
  ]),
];

/** The slash between the base address and the path, encoded. */
const encodedSlash: Change = (usual, { basePath }) => ({
  ...usual,
  path: `${basePath}%2F${usual.path.slice(basePath.length + 1)}`,
});

const withSpelling = (spelling: Spelling): Change =>
  withPath((path) => spelling(path.slice('/users'.length)));

/**
 * The first spellings, which the sentence of the requirement names, are sent on creations as well.
 */
const ON_EACH_OPERATION = 3;

/** Other spellings of the paths of the operations, without the key. */
export const spellings: Case[] = [
  ...COMMON_SPELLINGS.flatMap(([name, spelling], index) =>
    onEach(name, inTurn(withoutKey, withSpelling(spelling)), {
      operations: index < ON_EACH_OPERATION ? OPERATIONS : [LIST, RETRIEVE],
    }),
  ),
  ...RARE_SPELLINGS.flatMap(([name, spelling]) =>
    onEach(name, inTurn(withoutKey, withSpelling(spelling)), { operations: [LIST] }),
  ),
  ...onEach('an encoded slash after the base address', inTurn(withoutKey, encodedSlash), {
    operations: [LIST],
  }),
  ...BASE_PATHS.flatMap(([name, respell]) =>
    onEach(name, inTurn(withoutKey, withBasePath(respell)), { operations: [LIST] }),
  ),
];
