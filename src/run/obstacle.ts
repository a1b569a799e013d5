import type { History } from '../history/history.ts';
import type { List } from '../history/list.ts';
import { type Exchange, header, isAnswered, isSuccess } from '../http/exchange.ts';
import { BEARER } from '../http/key.ts';
import { Stop } from './away.ts';
import { createUser } from './create-user.ts';
import type { World } from './world.ts';

/** What a response says about the whole target: nobody is there, the key or the address is wrong, it is a web page. */
type Obstacle = 'no response' | 'key' | 'address' | 'page';

/** Other ways to send the key, or none, that tell a wrong key from a service that expects it elsewhere. */
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
 * Throws Stop if the first list, and a first creation after it, say the same about the whole target: then nothing can
 * be judged, for one reason.
 */
export async function checkObstacle(world: World, list: List): Promise<void> {
  const obstacle = obstacleIn(list.exchange);
  if (obstacle === undefined) return;
  // If the address lacks the version, the requirement on the address says what was meant.
  const isVersioned = /\/v1$/.test(world.client.basePath);
  if (['address', 'page'].includes(obstacle) && !isVersioned) return;
  const shown = [list.exchange];
  if (!world.settings.readOnly) {
    const { exchange } = await createUser(world);
    if (exchange === undefined || !isAlike(exchange, obstacle)) return;
    if (exchange.attempts > 0) shown.push(exchange);
  }
  const opened = obstacle === 'key' ? await otherWay(world) : undefined;
  if (opened) world.history.opened = opened;
  else
    throw new Stop({
      reason: sentenceOn(obstacle, shown, world),
      by: 'obstacle',
      exchanges: shown,
    });
}

const statusOf = ({ response }: Exchange) => response?.status ?? 0;

function obstacleIn(exchange: Exchange): Obstacle | undefined {
  const status = statusOf(exchange);
  if (!isAnswered(exchange)) return 'no response';
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'address';
  const isHtml = /^(text\/html|application\/xhtml)/i.test(header(exchange, 'content-type') ?? '');
  return isSuccess(exchange) && isHtml && exchange.response?.jsonFault !== undefined
    ? 'page'
    : undefined;
}

function isAlike(creation: Exchange, obstacle: Obstacle): boolean {
  const found = obstacleIn(creation);
  if (obstacle === 'no response' || obstacle === 'key') return found === obstacle;
  // By these statuses servers say that an address takes no such request.
  return found === 'page' || [404, 405, 501].includes(statusOf(creation));
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
  const statuses = [...new Set(shown.map(statusOf))].map((status) => {
    const same = shown.filter((exchange) => statusOf(exchange) === status);
    return `${status} for ${same.map(({ request }) => `${request.method} /users`).join(' and ')}`;
  });
  const returns = `the service returns ${statuses.join(' and ')}`;
  return {
    'no response': `${shown[0]?.failure}`,
    key: `${returns} with this API_KEY: is it the right key?`,
    address: `${returns} at ${baseUrl}: is BASE_URL the right address?`,
    page: `${baseUrl}/users is a web page (HTML) and not this interface: is BASE_URL the right address?`,
  }[obstacle];
}
