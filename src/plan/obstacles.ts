import { type Exchange, endOf, header, isAnswered, isLost, isSuccess } from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { BEARER } from '../http/key.ts';
import { linesOf } from '../http/lists.ts';
import type { Context } from './context.ts';
import { Missing, present } from './evidence.ts';
import type { Look } from './look.ts';
import { createUser } from './requests.ts';
import type { Run } from './run.ts';
import { readAgain } from './seek.ts';

/** What an answer says of the whole target: there is none, the key is wrong, the address is wrong, it is a web page. */
type Obstacle = 'no response' | 'key' | 'address' | 'page';

/**
 * Throws Missing, which ends the plan, where the first list, and a first creation after it, say the same of the whole
 * target: that it is not there, not at this address, or takes no request with this key. Then nothing can be judged, for
 * one reason.
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
  // By these statuses servers say that nobody takes such a request at an address.
  return found === 'page' || [404, 405, 501].includes(statusOf(creation));
}

/**
 * Another way to send the key, or none, that opens the list: then the key is right or makes no difference. Undefined
 * where none does.
 */
async function otherWay(run: Context): Promise<Look['opened']> {
  const all = linesOf('other-ways', import.meta.url).map(async (line) => {
    const [how = '', ...field] = line.split(' | ');
    const headers = Object.fromEntries(field.length > 0 ? [field] : []);
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

/** A request that does harm. */
export type Culprit = Run['culprits'][number];

/** How many requests are sent once more. */
const SUSPECTS = 40;

/** How many of the requests that were answered last before an outage are among its suspects. */
const ANSWERED = 4;

/** How many of the bad requests before one that was upset are sent once more. */
const NEAR = 12;

/**
 * Sends once more, one at a time, what may have done harm since: bad requests and such creations as the service may
 * refuse. The first after which the target is away or silent again is the culprit, or after which a valid request fails
 * twice, where another bad one was upset; undefined where there is none.
 */
export async function findCulprit(run: Run): Promise<Culprit | undefined> {
  const { outages } = run.client.presence;
  const silent = silentTimes(run);
  for (const first of suspectsOf(run, [...outages.slice(run.line.outages), ...silent])) {
    const times = outages.length;
    const once = await withNext(run, first, listOnce);
    const isSilentAfter = silent.length > 0 && isLost(once.after);
    if (outages.length > times) return { first, again: once.again, ...(isSilentAfter && { after: once.after }) };
    // A machine that is held up itself is silent now and then, whatever was sent.
    if (!isSilentAfter || isLost(await listOnce(run))) continue;
    const twice = await withNext(run, first, listOnce);
    if (isLost(twice.after)) return twice;
  }
  const victim = run.upset.find(({ id }) => id > run.line.exchanges);
  return victim && findUpsetting(run, victim);
}

const listOnce = async (run: Run) => (await run.send({ ...run.listing(), connection: 'new' }, 'text')).exchange;

/** Sends a request once more, and then a valid one. */
async function withNext(run: Run, first: Exchange, valid: (run: Run) => Promise<Exchange>): Promise<Required<Culprit>> {
  return { first, again: await sendOnceMore(run, first), after: await valid(run) };
}

/** A time in which valid requests got no answer, though the target takes requests: a bad one may have held it up. */
function silentTimes({ client, line, bad }: Run) {
  const silent = client.record.slice(line.exchanges).filter(({ id, failure }) => isSilent(failure) && !bad.has(id));
  if (silent.length === 0) return [];
  return [{ since: Math.min(...silent.map(({ at }) => at)), until: Math.min(...silent.map(endOf)) }];
}

/** What was in flight when the service went away, what was lost most often first; and what it answered last before. */
function suspectsOf({ client, bad, ledger }: Run, outages: ReturnType<typeof silentTimes>): Exchange[] {
  // A user who was created would be there twice.
  const mayBe = ledger.creations.filter(({ fate, answered }) => fate === 'may' && answered !== 'created');
  const mayEnd = new Set([...bad, ...mayBe.map(({ exchange }) => exchange?.id)]);
  const all = client.record.filter(({ id, request }) => mayEnd.has(id) && request.framing !== 'aborted');
  const found = outages.flatMap(({ since, until }) => {
    const lost = all.filter((one) => !isAnswered(one) && endOf(one) > since && one.at <= until);
    return [...lost, ...all.filter((one) => isAnswered(one) && endOf(one) <= until).slice(-ANSWERED)];
  });
  // A creation that is silent and carries the key gets furthest.
  const reach = ({ failure, request: { method, headers } }: Exchange) =>
    Number(isSilent(failure) && method === 'POST' && headers.authorization === BEARER.authorization);
  const distinct = [...new Set(found)];
  distinct.sort((a, b) => reach(b) - reach(a) || (b.lost ?? 0) - (a.lost ?? 0) || a.id - b.id);
  return distinct.slice(0, SUSPECTS);
}

async function sendOnceMore(run: Run, { id, request }: Exchange): Promise<Exchange> {
  const again = { ...request, connection: 'new' as const };
  const creation = run.ledger.creationOf(id);
  if (creation === undefined) return (await run.send(again, 'text')).exchange;
  const { what, user, traces } = creation;
  const { answer } = await run.create({ what, fate: 'may', inCompany: true, user, traces }, again);
  return answer.exchange;
}

/**
 * Looks for the bad request after which a valid one fails each time, among those before a bad one that it has upset.
 */
async function findUpsetting(run: Run, victim: Exchange): Promise<Culprit | undefined> {
  const [user] = run.ledger.proven;
  const isCreation = victim.request.method === 'POST';
  const created = async () => (await createUser(run, { inCompany: true })).creation.exchange as Exchange;
  const valid = isCreation ? created : user && (async () => (await readAgain(run, user, 'new')).read.exchange);
  if (valid === undefined) return undefined;
  const isBefore = (one: Exchange) => one.id < victim.id && endOf(one) <= endOf(victim);
  const suspects = run.client.record.filter((one) => run.bad.has(one.id) && isAnswered(one) && isBefore(one));
  for (const first of suspects.slice(-NEAR).reverse()) {
    if (isSuccess((await withNext(run, first, valid)).after)) continue;
    const twice = await withNext(run, first, valid);
    if (!isSuccess(twice.after)) return twice;
  }
  return undefined;
}
