import { firstRead } from '../history/creation.ts';
import { readUser } from '../history/read-user.ts';
import { showsOnlyUser } from '../history/record.ts';
import { header } from '../http/exchange.ts';
import { KEY } from '../http/key.ts';
import type { World } from './world.ts';

/** Follows the Locations of the first users, unless they are the paths that retrieved the users. */
export async function locate(world: World): Promise<void> {
  const { history, ledger } = world;
  for (const index of history.firstUsers) {
    const creation = ledger.creations[index];
    const created = creation?.exchange;
    const read = creation && firstRead(creation);
    if (creation === undefined || created === undefined || read === undefined) continue;
    const location = header(created, 'location');
    world.observe('Location of the create response', location === undefined ? 'absent' : 'present');
    const path = pathOf(location, world, created.request.path);
    const result = {
      created,
      ...(location !== undefined && { location }),
      isOwn: path !== undefined,
    };
    if (path === undefined || path === read.exchange.request.path) {
      history.locations.push({ ...result, leadsToUser: path !== undefined });
      continue;
    }
    const answer = await world.send({ ...world.retrieval(''), path });
    const shown = readUser(answer, creation, ledger);
    history.locations.push({
      ...result,
      leadsToUser: showsOnlyUser(shown),
      followed: answer.exchange,
    });
  }
}

/** The path of a Location at the target's own origin (RFC 9110 section 10.2.2); undefined for any other, or none. */
function pathOf(
  location: string | undefined,
  { client }: World,
  createdAt: string,
): string | undefined {
  const { origin, secrets } = client;
  const base = `${origin}${createdAt}`;
  if (location === undefined || secrets.holds(location) || location.includes(KEY)) return undefined;
  if (!URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  const isOwn = /^https?:$/.test(url.protocol) && url.origin === origin;
  return isOwn ? `${url.pathname}${url.search}` : undefined;
}
