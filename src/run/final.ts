import { type Creation, createdAt } from '../history/creation.ts';
import type { ExistingUser, Reread } from '../history/history.ts';
import { isLong, isPaginated, isReadable, type List, missingFrom } from '../history/list.ts';
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
import { followLocations } from './locations.ts';
import { sendUsual } from './runner.ts';
import { settledList } from './settled-list.ts';
import type { World } from './world.ts';

/** Fetches the list after all creations, retrieves users again, and fetches the list once more. */
export async function sendFinalReads(world: World): Promise<void> {
  const { history, settings } = world;
  const { first } = history;
  const last = await settledList(world, { least: first?.total ?? 0, connection: LISTS });
  history.last = last;
  if (isReadable(last)) {
    world.observe('list', isPaginated(last) ? `pages of ${last.size}` : 'shows all users');
  }
  await waitForLateCreations(world);
  // Negative requests may affect the first retrieval after them. Other cases judge that.
  const isRead = history.parts.includes('concurrency');
  if (!isRead && world.ledger.identified.length > 0) await sendUsual(world, 'GET /users/:id');
  const isShort = isReadable(last) && !isLong(last);
  await Promise.all([rereadUsers(world, last), isShort && fetchOnNewConnections(world)]);
  history.existing.push(...(await readExistingUsers(world, last, () => world.fetchList())));
  if (!settings.readOnly) await followLocations(world);
  history.later = await settledList(world, { least: last.total, connection: LISTS });
}

/** The delay after which a queue on the same machine carries out a rejected creation. */
const LATE_CREATION_MS = 100;

/** Waits until a rejected creation that is carried out late is in the list. */
async function waitForLateCreations({ ledger, client }: World): Promise<void> {
  const rejected = ledger.creations.filter(({ response }) => response === 'rejected');
  if (rejected.length === 0) return;
  client.closeIdle();
  const lastEnd = Math.max(...rejected.map(({ exchange }) => endOf(exchange)));
  await client.deadline.pause(lastEnd + LATE_CREATION_MS - client.now());
}

/** Retrieves some users again. */
async function rereadUsers(world: World, list: List): Promise<void> {
  const { history } = world;
  for (const { creation, why } of usersToReread(world, list)) {
    if (creation.identifier === undefined) continue;
    const usual = world.retrieval(creation.identifier.segment);
    const read = await world.until(
      () => world.readOnce(creation, { ...usual, connection: 'new' }),
      (latest) => !world.mayBeStale(latest),
      createdAt(creation),
    );
    history.rereads.push({ user: creation, read, why });
  }
}

/** A user to retrieve again, and the reason. */
interface UserToReread {
  creation: Creation;
  why: Reread['why'];
}

/**
 * Chooses the first user; the one that was not read for the longest time, because a cache evicts
 * the least recently read user first; one with letters outside ASCII; and users that the list
 * lacks.
 */
function usersToReread(world: World, list: List): UserToReread[] {
  const { ledger, sharedUsers } = world;
  const [first, ...others] = ledger.identified;
  const byAge = leastRecentlyReadFirst(world, others);
  const unread = byAge.find((creation) => {
    return creation.expected === 'created' && !sharedUsers.has(creation);
  });
  const beyondAscii = byAge.find(({ user }) => /\P{ASCII}/u.test(user.name));
  const users: UserToReread[] = [];
  if (first) users.push({ creation: first, why: 'first' });
  if (unread) users.push({ creation: unread, why: 'unread' });
  if (beyondAscii) users.push({ creation: beyondAscii, why: 'unread' });
  for (const creation of unlistedUsers(world, list)) users.push({ creation, why: 'unlisted' });
  return users;
}

function leastRecentlyReadFirst(world: World, users: readonly Creation[]): Creation[] {
  const lastReads = new Map(world.client.record.map(({ request, id }) => [request.path, id]));
  const lastRead = ({ identifier }: Creation) =>
    lastReads.get(world.retrieval(identifier?.segment ?? '').path) ?? 0;
  return [...users].sort((a, b) => lastRead(a) - lastRead(b));
}

/** Users that the last list lacks and that are retrieved again, at most. */
const MOST_UNLISTED = 5;

function unlistedUsers({ ledger }: World, list: List): Creation[] {
  if (!isReadable(list) || isPaginated(list)) return [];
  const missing = missingFrom(list, ledger.identified);
  return missing.slice(0, MOST_UNLISTED);
}

/**
 * Retrieves some users from before the run, if the list shows their identifiers in the same member
 * as those of the run's users. Compares differences with a new list, because another client may
 * have changed the user meanwhile.
 */
export async function readExistingUsers(
  world: World,
  list: List,
  fetchAgain: () => Promise<List>,
): Promise<ExistingUser[]> {
  const { sample } = list;
  const member = world.ledger.identifierMembers.listed;
  if (member === undefined || !isReadable(list)) return [];
  const readAll = async (from: List, items: Item[]): Promise<ExistingUser[]> => {
    const users = items.map((item) => readExistingUser(world, { list: from, item, member }));
    return (await Promise.all(users)).filter((user) => user !== undefined);
  };
  const users = await readAll(list, sample);
  const doubtful = users.filter((user) => !showsUser(user.record, user));
  if (doubtful.length === 0) return users;
  const newList = await fetchAgain();
  const unchanged = newList.sample.filter((item) => {
    const identifier = textOf(item[member]);
    return doubtful.some((user) => user.identifier === identifier && showsUser(item, user));
  });
  const right = users.filter((user) => !doubtful.includes(user));
  return [...right, ...(await readAll(newList, unchanged))];
}

/** A user from before the run in a list. */
interface ListedItem {
  list: List;
  item: Item;
  /** The member of the item that holds the identifier. */
  member: string;
}

async function readExistingUser(
  world: World,
  { list, item, member }: ListedItem,
): Promise<ExistingUser | undefined> {
  const { email, name } = members(item);
  if (typeof email !== 'string' || typeof name !== 'string') return undefined;
  const identifier = textOf(item[member]);
  if (!identifier?.isWellFormed()) return undefined;
  const segment = segmentOf(identifier);
  if (['', '.', '..'].includes(segment)) return undefined;
  if (world.sendable([{ text: identifier, segment, place: '' }]).length === 0) return undefined;
  // The record of a user from before the run may be as long as a list.
  const { exchange, json } = await world.send(world.retrieval(segment), 'list');
  const record = likeliestRecord(world, json, { email, name });
  return { email, name, identifier, list, exchange, ...(record && { record }) };
}

/** Records of a response that are compared with a listed user, at most. */
const MOST_RECORDS = 100;

/** Returns the user's record in a response, or else the record in the usual place, or the first. */
function likeliestRecord(
  { ledger }: World,
  json: unknown,
  user: { email: string; name: string },
): Item | undefined {
  const userRecords = recordsIn(json).filter(({ value }) => isUserRecord(value));
  const records = userRecords.slice(0, MOST_RECORDS).map(({ value, place }) => {
    return { place, value: compactRecord(value) };
  });
  const usualPlace = ledger.identified[0]?.reads[0]?.place;
  const record =
    records.find(({ value }) => showsUser(value, user)) ??
    records.find(({ place }) => place === usualPlace) ??
    records[0];
  return record?.value;
}

/** New connections for lists. With that of the other lists they reach three workers. */
const NEW_CONNECTIONS = 2;

/** Fetches the list on new connections, because each worker behind one address may hold its own. */
async function fetchOnNewConnections(world: World): Promise<void> {
  const fetch = () => world.fetchList({ ...world.listing(), connection: 'new' });
  await Promise.all(Array.from({ length: NEW_CONNECTIONS }, fetch));
}
