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

/** The key under some names in the query. */
const inQuery =
  (names: readonly string[]): Change =>
  (usual) => ({
    ...usual,
    path: `${usual.path}?${names.map((name) => `${name}=${KEY}`).join('&')}`,
  });

/** Some headers hold a scheme as well. */
const headerValue = (name: string) => (/auth(oriz|entic)/i.test(name) ? `Bearer ${KEY}` : KEY);

const inHeaders = (names: readonly string[]): Change =>
  withHeaders(Object.fromEntries(names.map((name) => [name.toLowerCase(), headerValue(name)])));

const inCookies = (names: readonly string[]): Change =>
  withHeaders({ cookie: names.map((name) => `${name}=${KEY}`).join('; ') });

const inBody =
  (names: readonly string[]): Change =>
  (usual, { user }) => {
    const members = Object.fromEntries(names.map((name) => [name, KEY]));
    return { ...usual, body: JSON.stringify({ ...user, ...members }) };
  };

type Place = (names: readonly string[]) => Change;

/** Servers limit the length of a header block and of a path; a long key needs as many requests more. */
const TOGETHER = 24;

/** The usual names, each in a request of its own, and all others, many in one request. */
function keyUnder(
  kind: string,
  place: Place,
  usual: readonly string[],
  others: readonly string[],
): Case[] {
  const send = (name: string, names: readonly string[]) =>
    onEach(name, inTurn(withoutKey, place(names)), {
      operations: kind === 'body' ? [CREATE] : OPERATIONS,
    });
  const groups = Array.from({ length: Math.ceil(others.length / TOGETHER) }, (_, at) =>
    others.slice(at * TOGETHER, (at + 1) * TOGETHER),
  );
  return [
    ...usual.flatMap((name) => send(`the key in the ${kind} as ${name}`, [name])),
    ...groups.flatMap((names, at) =>
      send(`the key in the ${kind} under ${names.length} other names (${at + 1})`, names),
    ),
  ];
}

const without = (all: readonly string[], some: readonly string[]) =>
  all.filter((name) => !some.includes(name));

const PARAMETERS = words('key-parameters');
const HEADERS = words('key-headers');
const COOKIES = words('key-cookies');
const USUAL_PARAMETERS = ['access_token', 'api_key'];
const USUAL_HEADERS = ['X-Api-Key', 'X-Auth-Token', 'Proxy-Authorization'];
const USUAL_COOKIES = ['access_token'];

/** The key somewhere else than in the Authorization header. */
export const keyElsewhere = {
  query: keyUnder('query', inQuery, USUAL_PARAMETERS, without(PARAMETERS, USUAL_PARAMETERS)),
  header: keyUnder('header', inHeaders, USUAL_HEADERS, without(HEADERS, USUAL_HEADERS)),
  cookie: keyUnder('cookie', inCookies, USUAL_COOKIES, without(COOKIES, USUAL_COOKIES)),
  body: keyUnder('body', inBody, USUAL_PARAMETERS, without(PARAMETERS, USUAL_PARAMETERS)),
};
