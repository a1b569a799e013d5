import { type Creation, createdAt, firstRead } from '../history/creation.ts';
import { isReadable, type List, readList } from '../history/list.ts';
import {
  compactRecord,
  isUserRecord,
  members,
  type Read,
  showsOnlyUser,
  showsUser,
} from '../history/record.ts';
import type { Request } from '../http/exchange.ts';
import { readExistingUsers } from '../run/final.ts';
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
  const { client, history, settings } = world;
  const planned = users.map((user, index) => {
    const usual = world.retrieval(user.identifier?.segment ?? '');
    const coding = CODINGS[index % CODINGS.length] ?? '';
    const headers = { ...usual.headers, 'accept-encoding': coding };
    const request: Request = { ...usual, headers };
    return { user, request };
  });
  const reads = await Promise.all(
    client.inBurst(() =>
      planned.map(async ({ user, request }) => {
        return { user, request, read: await world.readOnce(user, request) };
      }),
    ),
  );
  for (const { user, request, read } of reads) {
    const isFresh = read.exchange.at < createdAt(user) + settings.settleMs;
    if (isAsBefore(user, read) || (isFresh && world.mayBeStale(read))) continue;
    const alone = await world.retrieve(user, request);
    if (showsOnlyUser(read)) history.rereads.push({ user, read, why: 'unread' });
    else history.rereads.push({ user, read: alone, why: 'concurrent', concurrent: read });
  }
}

/** Whether a response shows the user as the first response did. */
export function isAsBefore(creation: Creation, read: Read): boolean {
  const before = firstRead(creation)?.record;
  return showsOnlyUser(read) && (before === undefined || showsUser(read.record, members(before)));
}

/** Users from before the run that are retrieved: more than small caches hold. */
const EXISTING_USERS = 50;

/** Retrieves users from before the run. */
export async function readManyExistingUsers(world: World): Promise<void> {
  const fetch = () => fetchWithLongSample(world);
  world.history.existing.push(...(await readExistingUsers(world, await fetch(), fetch)));
}

/** Fetches the list with a sample of many users from before the run. */
async function fetchWithLongSample(world: World): Promise<List> {
  const answer = await world.sendValid(world.listing(), 'list');
  const list = readList(answer, world.ledger);
  world.lists.push(list);
  if (!isReadable(list)) return list;
  const { data } = answer.json as { data: unknown[] };
  const others = data.filter(isUserRecord).filter((item) => !world.ledger.ownerOf(item));
  const last = others.slice(EXISTING_USERS).slice(-1);
  list.sample = [...others.slice(0, EXISTING_USERS), ...last].map(compactRecord);
  return list;
}
