import { type Creation, firstRead } from '../history/creation.ts';
import { readUser } from '../history/read-user.ts';
import { showsOnlyUser } from '../history/record.ts';
import { type Exchange, header } from '../http/exchange.ts';
import { KEY } from '../http/key.ts';
import type { World } from './world.ts';

/** Follows the Locations of the first users, unless they are the paths that retrieved the users. */
export async function followLocations(world: World): Promise<void> {
  for (const creation of world.history.firstUsers) {
    if (creation.exchange) await followLocation(world, creation, creation.exchange);
  }
}

async function followLocation(world: World, creation: Creation, created: Exchange): Promise<void> {
  const { locations } = world.history;
  const retrieval = firstRead(creation)?.exchange;
  if (retrieval === undefined) return;
  const location = header(created, 'location');
  world.observe('Location of the create response', location === undefined ? 'absent' : 'present');
  const path = pathOf(location, world, created.request.path);
  const isOwn = path !== undefined;
  const result = { created, ...(location !== undefined && { location }), isOwn };
  if (path === undefined || path === retrieval.request.path) {
    locations.push({ ...result, leadsToUser: isOwn });
    return;
  }
  const answer = await world.send({ ...world.retrieval(''), path });
  const { exchange } = answer;
  const read = readUser(answer, creation, world.ledger);
  locations.push({ ...result, leadsToUser: showsOnlyUser(read), followed: exchange });
}

/**
 * Returns the path of a Location at the target's own origin (RFC 9110 section 10.2.2); undefined
 * for another origin, or if there is no Location.
 */
function pathOf(
  location: string | undefined,
  { client }: World,
  createPath: string,
): string | undefined {
  const { origin, secrets } = client;
  if (location === undefined || secrets.holds(location) || location.includes(KEY)) return undefined;
  const base = `${origin}${createPath}`;
  if (!URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  const isOwn = /^https?:$/.test(url.protocol) && url.origin === origin;
  return isOwn ? `${url.pathname}${url.search}` : undefined;
}
