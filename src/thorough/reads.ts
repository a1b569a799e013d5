import { type Creation, createdAt, firstRead } from '../history/creation.ts';
import type { ExistingUser } from '../history/history.ts';
import { isReadable, type List } from '../history/list.ts';
import {
  compactRecord,
  type Item,
  isUserRecord,
  members,
  type Read,
  recordsIn,
  showsOnlyUser,
  showsUser,
} from '../history/record.ts';
import type { Request } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import { segmentOf } from '../run/identifier.ts';
import type { World } from '../run/world.ts';

/** Waits until the settle time after the last creation is over. */
export async function settle(world: World): Promise<void> {
  const remaining = settledAt(world) - world.client.now();
  if (remaining > 0) await world.client.deadline.pause(remaining);
}

/** Returns the end of the settle time after the last creation, in milliseconds of the run. */
function settledAt({ ledger, settings }: World): number {
  const mayExist = ledger.creations.filter(({ response }) => response !== 'rejected');
  const last = mayExist.reduce((latest, creation) => Math.max(latest, createdAt(creation)), 0);
  return last + settings.settleMs;
}

/** Fetches one list. It must be right at once if the settle time is over. */
export async function fetchSettledList(world: World, request = world.listing()): Promise<List> {
  const isSettled = world.client.now() >= settledAt(world);
  const list = await world.fetchList(request);
  list.isSettled = isSettled;
  return list;
}

/** Fetches lists at the same moment. */
export async function fetchListsTogether(world: World, count: number): Promise<void> {
  await settle(world);
  const start = () => Array.from({ length: count }, () => fetchSettledList(world));
  await Promise.all(world.client.inBurst(start));
}

/** The codings that clients request: a service may write a response differently for each. */
const CODINGS = ['identity', 'gzip'];

/**
 * Retrieves users at the same moment. If a response is wrong, sends its request once more, alone,
 * and records both. Does not record right responses.
 */
export async function readUsers(world: World, users: readonly Creation[]): Promise<void> {
  const { client, history } = world;
  const start = () =>
    users.map((user, index) => world.readOnce(user, readRequest(world, user, index)));
  const reads = await Promise.all(client.inBurst(start));
  for (const [index, read] of reads.entries()) {
    const user = users[index] as Creation;
    if (isAsBefore(user, read) || mayLag(world, user, read)) continue;
    const alone = await world.retrieve(user, readRequest(world, user, index));
    if (showsOnlyUser(read)) history.rereads.push({ user, read, why: 'unread' });
    else history.rereads.push({ user, read: alone, why: 'concurrent', concurrent: read });
  }
}

function readRequest(world: World, { identifier }: Creation, index: number): Request {
  const usual = world.retrieval(identifier?.segment ?? '');
  const coding = CODINGS[index % CODINGS.length] as string;
  return { ...usual, headers: { ...usual.headers, 'accept-encoding': coding } };
}

/** Whether a response shows the user as the first response did. */
export function isAsBefore(creation: Creation, read: Read): boolean {
  const before = firstRead(creation)?.record;
  return showsOnlyUser(read) && (before === undefined || showsUser(read.record, members(before)));
}

/** Whether a response may be stale, because its user was just created. */
function mayLag(world: World, creation: Creation, read: Read): boolean {
  const settled = createdAt(creation) + world.settings.settleMs;
  return world.mayBeStale(read) && read.exchange.at < settled;
}

/** Users from before the run that are retrieved: more than small caches hold. */
const EXISTING_USERS = 50;

/**
 * Retrieves users from before the run, if the list shows their identifiers in the same member as
 * those of the run's users. A difference counts if a new list still shows the user as before.
 */
export async function readExistingUsers(world: World): Promise<void> {
  const { history, ledger } = world;
  const member = ledger.identifierMember;
  if (member === undefined) return;
  const { list, items } = await fetchOtherUsers(world);
  if (list === undefined) return;
  const last = items.slice(EXISTING_USERS).slice(-1);
  const chosen = [...items.slice(0, EXISTING_USERS), ...last];
  const reads = chosen.map((item) => readExistingUser(world, { list, item, member }));
  const users = (await Promise.all(reads)).filter((user) => user !== undefined);
  const doubtful = users.filter((user) => !showsUser(user.record, user));
  history.existing.push(...users.filter((user) => !doubtful.includes(user)));
  if (doubtful.length === 0) return;
  const latest = await fetchOtherUsers(world);
  const isUnchanged = (user: ExistingUser) =>
    latest.items.some((item) => textOf(item[member]) === user.identifier && showsUser(item, user));
  history.existing.push(...doubtful.filter(isUnchanged));
}

/** Fetches the list, and returns the items of users from before the run. */
async function fetchOtherUsers(world: World): Promise<{ list?: List; items: Item[] }> {
  const list = await world.fetchList();
  if (!isReadable(list) || list.others === 0) return { items: [] };
  const { items } = await fetchItems(world);
  return { list, items: items.filter((item) => world.ledger.ownerOf(item) === undefined) };
}

/** Fetches the list, and returns its items and whether they are all users. */
export async function fetchItems(world: World): Promise<{ items: Item[]; isWhole: boolean }> {
  const { json } = await world.sendValid(world.listing(), 'list');
  const { data, total } = (json ?? {}) as { data?: unknown; total?: unknown };
  const items = Array.isArray(data) ? data.filter(isUserRecord) : [];
  return { items, isWhole: textOf(total) === `${items.length}` };
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
  const { exchange, json } = await world.send(world.retrieval(segment));
  const records = recordsIn(json).filter(({ value }) => isUserRecord(value));
  const shown = records.find(({ value }) => showsUser(value, { email, name })) ?? records[0];
  const record = shown && compactRecord(shown.value);
  return { email, name, identifier, list, exchange, ...(record && { record }) };
}
