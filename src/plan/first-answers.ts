import { type Exchange, header, isAnswered, isSuccess } from '../http/exchange.ts';
import { KEY, keyForm } from '../http/key.ts';
import type { Context } from './context.ts';
import { Missing, present } from './evidence.ts';
import type { Look } from './look.ts';
import { createUser } from './requests.ts';

/** What an answer says of the whole target: there is none, the key is wrong, the address is wrong, it is a web page. */
type Obstacle = 'no response' | 'key' | 'address' | 'page';

/** Statuses by which servers say that nobody takes such a request at an address. */
const NOBODY_THERE = [404, 405, 501];

/** Other ways to send the key, or none: where one of them opens the list, the key is right or makes no difference. */
const OTHER_WAYS: { how: string; headers: Record<string, string> }[] = [
  { how: 'without the Authorization header', headers: {} },
  { how: 'with the key and no scheme', headers: { authorization: KEY } },
  { how: 'with the scheme written bearer', headers: { authorization: `bearer ${KEY}` } },
  { how: 'with the scheme Token', headers: { authorization: `Token ${KEY}` } },
  { how: 'with the scheme Basic', headers: { authorization: `Basic ${keyForm.basic}` } },
  { how: 'with the key in X-API-Key', headers: { 'x-api-key': KEY } },
];

/**
 * Throws Missing, which ends the plan, where the first list, and a first creation after it, say the same of the whole target: that it is not
 * there, not at this address, or takes no request with this key. Then nothing can be judged, for one reason.
 */
export async function lookForObstacle(run: Context, look: Look): Promise<void> {
  const obstacle = obstacleIn(look.exchange);
  if (obstacle === undefined) return;
  // Where the version is missing in the address, the requirement on it finds out what was meant.
  if (['address', 'page'].includes(obstacle) && !/\/v1$/.test(run.client.basePath)) return;
  const tried = [look.exchange];
  if (!run.settings.readOnly) {
    const { exchange } = (await createUser(run)).creation;
    if (exchange === undefined || !isLike(exchange, obstacle)) return;
    if (exchange.attempts > 0) tried.push(exchange);
  }
  if (obstacle === 'key') look.opened = await otherWay(run);
  if (!look.opened) throw new Missing(sentenceOn(obstacle, tried, run), tried, { endsBy: 'obstacle' });
}

function obstacleIn(exchange: Exchange): Obstacle | undefined {
  const status = statusOf(exchange);
  if (!isAnswered(exchange)) return 'no response';
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'address';
  const isHtml = /^(text\/html|application\/xhtml)/i.test(header(exchange, 'content-type') ?? '');
  return isSuccess(exchange) && isHtml && exchange.response?.jsonFault !== undefined ? 'page' : undefined;
}

function isLike(creation: Exchange, obstacle: Obstacle): boolean {
  const found = obstacleIn(creation);
  if (obstacle === 'no response' || obstacle === 'key') return found === obstacle;
  return found === 'page' || NOBODY_THERE.includes(statusOf(creation));
}

/** Another way that opens the list; undefined where none does. */
async function otherWay(run: Context): Promise<Look['opened']> {
  const all = OTHER_WAYS.map(async ({ how, headers }) => {
    const { exchange, ok } = await run.send(run.listing(headers), 'text');
    return ok ? { how, exchange } : undefined;
  });
  return present(await Promise.all(all))[0];
}

/** One clause with the cause and what to do. */
function sentenceOn(obstacle: Obstacle, tried: Exchange[], { baseUrl }: Context): string {
  const statuses = [...new Set(tried.map(statusOf))].map((status) => {
    const operations = tried.filter((one) => statusOf(one) === status).map(({ request }) => `${request.method} /users`);
    return `${status} for ${operations.join(' and ')}`;
  });
  const returns = `the service returns ${statuses.join(' and ')}`;
  return {
    'no response': `${tried[0]?.failure}`,
    key: `${returns} with this API_KEY: is it the right key?`,
    address: `${returns} at ${baseUrl}: is BASE_URL the right address?`,
    page: `${baseUrl}/users is a web page (HTML) and not this interface: is BASE_URL the right address?`,
  }[obstacle];
}

const statusOf = ({ response }: Exchange) => response?.status ?? 0;
