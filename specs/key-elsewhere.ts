import type { Operation } from '../src/history/history.ts';
import { KEY } from '../src/http/key.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  OPERATIONS,
  onEach,
  withHeaders,
  withoutKey,
} from '../src/requirement/case.ts';
import { words } from './words.ts';

/** Puts the key in the query, under each of the names. */
export const inQuery =
  (names: readonly string[]): Change =>
  (usual) => ({
    ...usual,
    path: `${usual.path}?${names.map((name) => `${name}=${KEY}`).join('&')}`,
  });

/** Returns the value of a header: those for credentials hold a scheme as well. */
const headerValue = (name: string) => (/auth(oriz|entic)/i.test(name) ? `Bearer ${KEY}` : KEY);

const inHeaders = (names: readonly string[]): Change =>
  withHeaders(Object.fromEntries(names.map((name) => [name.toLowerCase(), headerValue(name)])));

export const inCookies = (names: readonly string[]): Change =>
  withHeaders({ cookie: names.map((name) => `${name}=${KEY}`).join('; ') });

export const inBody =
  (names: readonly string[]): Change =>
  (usual, { user }) => {
    const members = Object.fromEntries(names.map((name) => [name, KEY]));
    return { ...usual, body: JSON.stringify({ ...user, ...members }) };
  };

type PutKey = (names: readonly string[]) => Change;

/** Names in one request, at most: servers limit the length of a header block and of a path. */
const NAMES_PER_REQUEST = 25;

/**
 * Cases with the key in one place: a request for each usual name, and requests with many other
 * names each.
 */
function keyUnder(
  place: 'query' | 'header' | 'cookie' | 'body',
  putKey: PutKey,
  usualNames: readonly string[],
  allNames: readonly string[],
): Case[] {
  const operations: readonly Operation[] = place === 'body' ? [CREATE] : OPERATIONS;
  const casesFor = (name: string, names: readonly string[]) =>
    onEach(name, inTurn(withoutKey, putKey(names)), { operations });
  const otherNames = allNames.filter((name) => !usualNames.includes(name));
  return [
    ...usualNames.flatMap((name) => casesFor(`the key in the ${place} as ${name}`, [name])),
    ...inGroups(otherNames).flatMap((names, index) =>
      casesFor(`the key in the ${place} under ${names.length} other names (${index + 1})`, names),
    ),
  ];
}

function inGroups(names: readonly string[]): string[][] {
  const length = Math.ceil(names.length / NAMES_PER_REQUEST);
  return Array.from({ length }, (_, index) =>
    names.slice(index * NAMES_PER_REQUEST, (index + 1) * NAMES_PER_REQUEST),
  );
}

const PARAMETERS = words('key-parameters');
const USUAL_PARAMETERS = ['access_token', 'api_key'];
const USUAL_HEADERS = ['X-Api-Key', 'X-Auth-Token', 'Proxy-Authorization'];
const USUAL_COOKIES = ['access_token'];

/** Cases that send the key somewhere other than in the Authorization header. */
export const keyElsewhere = {
  query: keyUnder('query', inQuery, USUAL_PARAMETERS, PARAMETERS),
  header: keyUnder('header', inHeaders, USUAL_HEADERS, words('key-headers')),
  cookie: keyUnder('cookie', inCookies, USUAL_COOKIES, words('key-cookies')),
  body: keyUnder('body', inBody, USUAL_PARAMETERS, PARAMETERS),
};
