import { userListFault } from '../../schemas/user-list.ts';
import type { History } from '../history/history.ts';
import type { List } from '../history/list.ts';
import { type Exchange, header, isAnswered, isSuccess } from '../http/exchange.ts';
import { BEARER } from '../http/key.ts';
import { unlessThrown } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import { Stop } from './away.ts';
import { createUser } from './create-user.ts';
import type { World } from './world.ts';

/** A fact about the whole target, by which no requirement can be judged. */
type Obstacle = 'no response' | 'key' | 'address' | 'page' | 'redirect';

/** Other ways to send the key: one that works shows that the key itself is right. */
const OTHER_WAYS: { how: string; headers: Record<string, string> }[] = [
  { how: 'without the Authorization header', headers: {} },
  { how: 'with the key and no scheme', headers: { authorization: '<API_KEY>' } },
  { how: 'with the scheme written bearer', headers: { authorization: 'bearer <API_KEY>' } },
  { how: 'with the scheme Token', headers: { authorization: 'Token <API_KEY>' } },
  {
    how: 'with the scheme Basic',
    headers: { authorization: 'Basic <base64 of API_KEY and a colon>' },
  },
  { how: 'with the key in X-API-Key', headers: { 'x-api-key': '<API_KEY>' } },
];

/**
 * Throws Stop if the first list, and a first creation after it, show the same obstacle. A service
 * does not violate the interface because its address or key is set wrongly.
 */
export async function checkObstacle(world: World, list: List): Promise<void> {
  const obstacle = obstacleIn(list.exchange, world.baseUrl);
  const isVersioned = /\/v1$/.test(world.client.basePath);
  const isWrongAddress = isAnswered(list.exchange) && !list.ok && !isVersioned;
  if (obstacle === undefined && !isWrongAddress) return;
  const shown = [list.exchange];
  const creation = world.settings.readOnly ? undefined : (await createUser(world)).exchange;
  if (creation && creation.attempts > 0) shown.push(creation);
  if (creation && isSuccess(creation) && obstacleIn(creation, world.baseUrl) !== 'page') return;
  const meant = isWrongAddress ? await findList(world) : undefined;
  if (meant) throw stopFor(sentenceOnMeant(meant, shown, world), [...shown, meant.exchange]);
  if (obstacle === undefined || (creation && !isAlike(creation, obstacle, world.baseUrl))) return;
  const opened = obstacle === 'key' ? await otherWay(world) : undefined;
  if (opened === undefined) throw stopFor(sentenceOn(obstacle, shown, world), shown);
  world.history.opened = opened;
}

const stopFor = (reason: string, exchanges: Exchange[]): Stop =>
  new Stop({ reason, by: 'obstacle', exchanges });

const statusOf = ({ response }: Exchange) => response?.status ?? 0;

function obstacleIn(exchange: Exchange, baseUrl: string): Obstacle | undefined {
  const status = statusOf(exchange);
  if (!isAnswered(exchange)) return 'no response';
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'address';
  if (redirectTarget(exchange, baseUrl)) return 'redirect';
  const isHtml = /^(text\/html|application\/xhtml)/i.test(header(exchange, 'content-type') ?? '');
  return isSuccess(exchange) && isHtml && exchange.response?.jsonFault !== undefined
    ? 'page'
    : undefined;
}

function isAlike(creation: Exchange, obstacle: Obstacle, baseUrl: string): boolean {
  const found = obstacleIn(creation, baseUrl);
  if (obstacle === 'no response' || obstacle === 'key') return found === obstacle;
  // A sign-on in front of the service has no page to which it redirects a POST.
  if (obstacle === 'redirect' && (isRedirect(creation) || found === 'key')) return true;
  // Servers return these statuses where an address does not support the request.
  return found === 'page' || [404, 405, 501].includes(statusOf(creation));
}

const isRedirect = (exchange: Exchange): boolean =>
  [301, 302, 303, 307, 308].includes(statusOf(exchange));

/**
 * Returns the address to which a response redirects; undefined if there is none, or if it is the
 * same with a slash added or removed.
 */
function redirectTarget(exchange: Exchange, baseUrl: string): URL | undefined {
  const location = header(exchange, 'location');
  if (!isRedirect(exchange) || location === undefined) return undefined;
  const from = new URL(exchange.request.path, baseUrl);
  const to = unlessThrown(() => new URL(location, from));
  if (to === undefined || !/^https?:$/.test(to.protocol)) return undefined;
  const isSame = withoutSlash(to.href) === withoutSlash(from.href);
  return isSame ? undefined : to;
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** Returns the base address if an address is that of a user list. */
function baseOf({ origin, pathname }: URL): string | undefined {
  const [, basePath] = /^(.*)\/users\/?$/.exec(pathname) ?? [];
  return basePath === undefined ? undefined : `${origin}${basePath}`;
}

/** A user list at another base address of the same origin. */
interface MeantList {
  baseUrl: string;
  exchange: Exchange;
}

/** Looks for the user list at the base addresses that resemble the one that is set. */
async function findList(world: World): Promise<MeantList | undefined> {
  const { basePath } = world.client;
  const { origin } = new URL(world.baseUrl);
  for (const candidate of candidatesFor(basePath)) {
    const request = { ...world.listing(), path: `${candidate}/users` };
    const { exchange, ok, json } = await world.send(request, 'list');
    if (ok && userListFault(json) === undefined) {
      return { baseUrl: `${origin}${candidate}`, exchange };
    }
  }
  return undefined;
}

/** Returns `/v1` for `/v1/users`, and `/api/v1` for `/api`. */
function candidatesFor(basePath: string): string[] {
  const [versioned] = /^.*\/v1(?=\/)/.exec(basePath) ?? [];
  const withoutUsers = basePath.replace(/\/users$/, '');
  const candidates = [versioned, `${withoutUsers}/v1`, '/v1'];
  return [...new Set(candidates.filter((path) => path !== undefined))];
}

async function otherWay(world: World): Promise<History['opened']> {
  const { authorization: _, ...usual } = { ...world.listing().headers, ...BEARER };
  const tried = await Promise.all(
    OTHER_WAYS.map(async ({ how, headers }) => {
      const request = { ...world.listing(), headers: { ...usual, ...headers } };
      const { exchange, ok } = await world.send(request, 'text');
      return ok ? { how, exchange } : undefined;
    }),
  );
  return tried.find((one) => one !== undefined);
}

function sentenceOn(obstacle: Obstacle, shown: Exchange[], { baseUrl }: World): string {
  const returns = returnsOf(shown);
  return {
    'no response': `${shown[0]?.failure}`,
    redirect: redirectSentence(shown, baseUrl),
    key: `${returns} with this ${nameOf('API_KEY')}: is it the right key?`,
    address: `${returns} at ${baseUrl}: is ${nameOf('BASE_URL')} the right address?`,
    page: `${baseUrl}/users is a web page (HTML) and not this interface: is ${nameOf('BASE_URL')} the right address?`,
  }[obstacle];
}

const sentenceOnMeant = (meant: MeantList, shown: Exchange[], { baseUrl }: World): string =>
  `${returnsOf(shown)} at ${baseUrl}: did you mean ${meant.baseUrl}?`;

function redirectSentence([list]: Exchange[], baseUrl: string): string {
  const to = list && redirectTarget(list, baseUrl);
  if (list === undefined || to === undefined) return '';
  const redirects = `the service redirects GET ${list.request.path} to ${header(list, 'location')}`;
  const base = baseOf(to);
  if (base === undefined || base === withoutSlash(baseUrl)) {
    return `${redirects}: is ${nameOf('BASE_URL')} the right address, and ${nameOf('API_KEY')} a key that its sign-on accepts?`;
  }
  // The key must not go to a server of the service's choice.
  if (to.hostname !== new URL(baseUrl).hostname) {
    return `${redirects}, which is another server, and the suite follows no redirect`;
  }
  return `${redirects}: did you mean ${base}?`;
}

/** Such as `the service returns 404 for GET /users and POST /users`. */
function returnsOf(shown: readonly Exchange[]): string {
  const statuses = [...new Set(shown.map(statusOf))].map((status) => {
    const same = shown.filter((exchange) => statusOf(exchange) === status);
    const requests = same.map(({ request }) => `${request.method} /users`).join(' and ');
    return `${status} for ${requests}`;
  });
  return `the service returns ${statuses.join(' and ')}`;
}
