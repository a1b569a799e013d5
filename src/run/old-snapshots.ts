import { type Creation, createdAt, isAccepted } from '../history/creation.ts';
import { showsOnlyUser } from '../history/record.ts';
import { sendCreation } from './create-user.ts';
import { findUser } from './find-user.ts';
import type { World } from './world.ts';

/** Rejected creations that are sent again, at most. */
const MOST_REJECTED = 4;

/**
 * Sends again the first creations that the service was free to reject, such as a duplicate: each
 * may leave a transaction open on a pooled connection. Returns whether there were any.
 */
export async function rejectAgain(world: World): Promise<boolean> {
  const rejected = world.freelyRejected.slice(0, MOST_REJECTED);
  for (const { exchange, ...creation } of rejected) {
    if (exchange) await sendCreation(world, { ...creation, reads: [] }, exchange.request);
  }
  return rejected.length > 0;
}

/** Reads of a user, one after the other: more than the connections of most pools. */
const TIMES_READ = 12;

/**
 * Retrieves a user who was created after such a rejection many times: a connection with an open
 * transaction shows an old state. Reads again after the settle time if any response may be stale.
 */
export async function readInTurn(world: World, user: Creation): Promise<void> {
  if (isAccepted(user) && user.identifier === undefined) await findUser(world, user);
  const { identifier } = user;
  if (identifier === undefined) return;
  const readAll = async () => {
    const reads = [];
    for (let times = 0; times < TIMES_READ; times += 1)
      reads.push(await world.readOnce(user, world.retrieval(identifier.segment)));
    return reads;
  };
  if ((await readAll()).every(showsOnlyUser)) return;
  const { client, history, settings } = world;
  await client.deadline.pause(createdAt(user) + settings.settleMs - client.now());
  for (const read of await readAll()) history.rereads.push({ user, read, why: 'unread' });
}
