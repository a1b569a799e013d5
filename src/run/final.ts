import { type Creation, createdAt } from '../history/creation.ts';
import type { ExistingUser, Reread } from '../history/history.ts';
import { isDue, isLong, isPaginated, isReadable, itemsOf, type List } from '../history/list.ts';
import {
  compactRecord,
  type Item,
  isUserRecord,
  members,
  recordsIn,
  showsUser,
} from '../history/record.ts';
import { endOf, LISTS } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import { segmentOf } from './identifier.ts';
import { locate } from './locations.ts';
import { sendUsual } from './runner.ts';
import { settledList } from './settled-list.ts';
import type { World } from './world.ts';

/** A rejected creation that a queue on the same machine carries out late shows after so many milliseconds. */
const LATE_CREATION_MS = 100;

/** With the connection of the other lists they reach three workers. */
const NEW_CONNECTIONS = 2;

/** Users whom the last list lacks that are retrieved again. */
const MOST_UNLISTED = 5;

/** The last looks: the list after all creations, users retrieved again, and the list after reads alone. */
export async function lookOnceMore(world: World): Promise<void> {
  const { history, lists, settings } = world;
  const first = lists[history.first ?? -1];
  const last = await settledList(world, { least: first?.total ?? 0, connection: LISTS });
  history.last = lists.indexOf(last);
  if (isReadable(last)) world.observe('list', isPaginated(last) ? 'pages' : 'shows all users');
  await untilLateCreationsShow(world);
  // The first valid request after negative ones is judged where these are sent alone.
  if (world.ledger.identified.length > 0) await sendUsual(world, 'GET /users/:id');
  await rereadUsers(world, last);
  history.existing.push(...(await existingUsers(world, last)));
  if (!settings.readOnly) await locate(world);
  if (isReadable(last) && !isLong(last)) await fetchOnNewConnections(world);
  const later = await settledList(world, { least: last.total, connection: LISTS });
  history.later = lists.indexOf(later);
}

/** Fetches the list on new connections: each of several workers behind one address may keep its own. */
async function fetchOnNewConnections(world: World): Promise<void> {
  const fetch = () => world.fetchList({ ...world.listing(), connection: 'new' });
  await Promise.all(Array.from({ length: NEW_CONNECTIONS }, fetch));
}

/** Waits until a rejected creation that is carried out late shows. */
async function untilLateCreationsShow({ ledger, client }: World): Promise<void> {
  const rejected = ledger.creations.filter(({ response }) => response === 'rejected');
  if (rejected.length === 0) return;
  client.closeIdle();
  const lastEnd = Math.max(...rejected.map(({ exchange }) => endOf(exchange)));
  await client.deadline.pause(lastEnd + LATE_CREATION_MS - client.now());
}

/**
 * Retrieves some users again: the first; the one that was not read for the longest time, because a cache evicts the
 * least recently read user first; one with letters outside ASCII; and those whom the list lacks.
 */
async function rereadUsers(world: World, list: List): Promise<void> {
  const [first, ...others] = world.ledger.identified;
  const lastRead = new Map(world.client.record.map(({ request, id }) => [request.path, id]));
  const readAt = ({ identifier }: Creation) =>
    lastRead.get(world.retrieval(identifier?.segment ?? '').path) ?? 0;
  const byAge = [...others].sort((one, other) => readAt(one) - readAt(other));
  const unread = byAge.find(
    (creation) => creation.expected === 'created' && !world.sharedUsers.has(creation),
  );
  const beyondAscii = byAge.find(({ user }) => /\P{ASCII}/u.test(user.name));
  const chosen: [Creation | undefined, Reread['why']][] = [
    [first, 'first'],
    [unread, 'unread'],
    [beyondAscii, 'unread'],
    ...unlisted(world, list).map((creation): [Creation, Reread['why']] => [creation, 'unlisted']),
  ];
  for (const [creation, why] of chosen) {
    if (creation?.identifier === undefined) continue;
    const request = { ...world.retrieval(creation.identifier.segment), connection: 'new' as const };
    const read = await world.until(
      () => world.readOnce(creation, request),
      (one) => !world.mayBeStale(one),
      createdAt(creation),
    );
    world.history.rereads.push({ of: world.ledger.creations.indexOf(creation), read, why });
  }
}

function unlisted({ ledger }: World, list: List): Creation[] {
  if (!isReadable(list) || isPaginated(list)) return [];
  const missing = ledger.creations.filter((creation, index) => {
    return creation.identifier && isDue(list, creation) && itemsOf(list, index).length === 0;
  });
  return missing.slice(0, MOST_UNLISTED);
}

/**
 * Retrieves some users from before the run, if the list shows their identifiers in the place of those of the run's
 * users. What differs is compared once more: another client may have changed the user meanwhile.
 */
async function existingUsers(world: World, list: List): Promise<ExistingUser[]> {
  const { identifierMember: member, sample } = list;
  if (member === undefined || !isReadable(list)) return [];
  const retrieveAll = async (from: List, items: Item[]) => {
    const found = await Promise.all(items.map((item) => existingUser(world, from, item, member)));
    return found.filter((user) => user !== undefined);
  };
  const found = await retrieveAll(list, sample);
  const doubtful = found.filter((user) => !showsUser(user.record, user));
  if (doubtful.length === 0) return found;
  const again = await world.fetchList();
  const unchanged = again.sample.filter((item) =>
    doubtful.some((user) => textOf(item[member]) === user.identifier && showsUser(item, user)),
  );
  return [
    ...found.filter((user) => !doubtful.includes(user)),
    ...(await retrieveAll(again, unchanged)),
  ];
}

/** Records of a response that are compared with a listed user. */
const MOST_RECORDS = 100;

async function existingUser(
  world: World,
  list: List,
  item: Item,
  member: string,
): Promise<ExistingUser | undefined> {
  const { email, name } = members(item);
  const identifier = textOf(item[member]);
  if (typeof email !== 'string' || typeof name !== 'string' || !identifier?.isWellFormed())
    return undefined;
  const segment = segmentOf(identifier);
  if (['', '.', '..'].includes(segment)) return undefined;
  if (world.sendable([{ text: identifier, segment, place: '' }]).length === 0) return undefined;
  const { exchange, json } = await world.send(world.retrieval(segment));
  const records = recordsIn(json)
    .filter(({ value }) => isUserRecord(value))
    .slice(0, MOST_RECORDS);
  const compacted = records.map(({ value, place }) => ({ place, value: compactRecord(value) }));
  const place = world.ledger.identified[0]?.reads[0]?.place;
  const shown =
    compacted.find(({ value }) => showsUser(value, { email, name })) ??
    compacted.find((record) => record.place === place) ??
    compacted[0];
  const index = world.lists.indexOf(list);
  return { email, name, identifier, list: index, exchange, ...(shown && { record: shown.value }) };
}
