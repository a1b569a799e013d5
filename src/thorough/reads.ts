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
import { textOf } from '../http/value.ts';
import { segmentOf } from '../run/identifier.ts';
import type { World } from '../run/world.ts';

/** Whether the settle time after the last user is over, so that no read lags any more. */
export const isSettled = (world: World): boolean => world.client.now() >= settledAt(world);

function settledAt({ ledger, settings }: World): number {
  const made = ledger.creations.filter(({ response }) => response !== 'rejected');
  const last = made.reduce((at, one) => Math.max(at, createdAt(one)), 0);
  return last + settings.settleMs;
}

/** Waits until the settle time after the last user is over. */
export async function settle(world: World): Promise<void> {
  const left = settledAt(world) - world.client.now();
  if (left > 0) await world.client.deadline.pause(left);
}

/** Fetches a list after the settle time: it must be right at once. */
export async function fetchSettledList(world: World, request = world.listing()): Promise<List> {
  const isDueNow = isSettled(world);
  const list = await world.fetchList(request);
  list.isSettled = isDueNow;
  return list;
}

/** Fetches lists at the same moment. */
export async function fetchListsTogether(world: World, count: number): Promise<void> {
  await settle(world);
  const fetchAll = () => Array.from({ length: count }, () => fetchSettledList(world));
  await Promise.all(world.client.inBurst(fetchAll));
}

/** Clients ask for these codings; a service may write each in another way. */
const CODINGS = ['identity', 'gzip'];

/**
 * Retrieves users at the same moment. A wrong response is repeated alone, and both are recorded; of
 * right responses nothing is kept.
 */
export async function readUsers(world: World, users: readonly Creation[]): Promise<void> {
  const requestOf = (creation: Creation, at: number) => {
    const usual = world.retrieval(creation.identifier?.segment ?? '');
    const coding = CODINGS[at % CODINGS.length] as string;
    return { ...usual, headers: { ...usual.headers, 'accept-encoding': coding } };
  };
  const readAll = () => users.map((user, at) => world.readOnce(user, requestOf(user, at)));
  const reads = await Promise.all(world.client.inBurst(readAll));
  const { history, ledger } = world;
  for (const [at, read] of reads.entries()) {
    const creation = users[at] as Creation;
    if (isAsBefore(creation, read) || isYoung(world, creation, read)) continue;
    const alone = await world.retrieve(creation, requestOf(creation, at));
    const of = ledger.creations.indexOf(creation);
    if (showsOnlyUser(read)) history.rereads.push({ of, read, why: 'unread' });
    else history.rereads.push({ of, read: alone, why: 'concurrent', concurrent: read });
  }
}

/** Whether a response shows the user as the first response did. */
export function isAsBefore(creation: Creation, read: Read): boolean {
  const before = firstRead(creation)?.record;
  return showsOnlyUser(read) && (before === undefined || showsUser(read.record, members(before)));
}

/** Whether a read may be stale, because its user was just created. */
const isYoung = (world: World, creation: Creation, read: Read): boolean =>
  world.mayBeStale(read) && read.exchange.at < createdAt(creation) + world.settings.settleMs;

/** Users from before the run that are retrieved: more than small caches hold. */
const EXISTING_USERS = 50;

/**
 * Retrieves users from before the run, if the list shows their identifiers in the place of those of
 * the run's users. A difference counts if the list still shows the user as before.
 */
export async function readExistingUsers(world: World): Promise<void> {
  const member = world.ledger.identifierMember;
  if (member === undefined) return;
  const { list, items } = await othersIn(world);
  if (list === undefined) return;
  const chosen = [...items.slice(0, EXISTING_USERS), ...items.slice(EXISTING_USERS).slice(-1)];
  const found = await Promise.all(chosen.map((item) => existingUser(world, item, member, list)));
  const users = found.filter((user) => user !== undefined);
  const doubtful = users.filter((user) => !showsUser(user.record, user));
  world.history.existing.push(...users.filter((user) => !doubtful.includes(user)));
  if (doubtful.length === 0) return;
  const again = await othersIn(world);
  const isUnchanged = (user: ExistingUser) =>
    again.items.some((item) => textOf(item[member]) === user.identifier && showsUser(item, user));
  world.history.existing.push(...doubtful.filter(isUnchanged));
}

/** Fetches the list, and returns the items of users from before the run. */
async function othersIn(world: World): Promise<{ list?: List; items: Item[] }> {
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

async function existingUser(
  world: World,
  item: Item,
  member: string,
  list: List,
): Promise<ExistingUser | undefined> {
  const { email, name } = members(item);
  const identifier = textOf(item[member]);
  if (typeof email !== 'string' || typeof name !== 'string' || !identifier?.isWellFormed()) return;
  const segment = segmentOf(identifier);
  if (['', '.', '..'].includes(segment)) return;
  if (world.sendable([{ text: identifier, segment, place: '' }]).length === 0) return;
  const { exchange, json } = await world.send(world.retrieval(segment));
  const records = recordsIn(json).filter(({ value }) => isUserRecord(value));
  const shown = records.find(({ value }) => showsUser(value, { email, name })) ?? records[0];
  const record = shown && compactRecord(shown.value);
  const index = world.lists.indexOf(list);
  return { email, name, identifier, list: index, exchange, ...(record && { record }) };
}
