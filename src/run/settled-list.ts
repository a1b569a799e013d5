import {
  isContradictory,
  isPaginated,
  isReadable,
  type List,
  missingFrom,
} from '../history/list.ts';
import type { Connection } from '../http/exchange.ts';
import type { World } from './world.ts';

export interface SettledListOptions {
  /** The least total that the list must show. Absent: 0. */
  least?: number;
  /** Absent: a kept connection. */
  connection?: Connection;
}

/**
 * Fetches the list until it shows every user that it must and does not contradict itself, or until
 * the settle time has passed since the last creation, or else since this call. Checks judge the
 * last list.
 */
export async function settledList(world: World, options: SettledListOptions = {}): Promise<List> {
  const { least = 0, connection = 'kept' } = options;
  const fetch = () => world.fetchList({ ...world.listing(), connection });
  const isDone = (list: List) => isFinal(world, list, least);
  for (;;) {
    const since = world.ledger.lastEnd();
    // A cache that is empty at first has the settle time from the first request, however late.
    const list = await world.until(fetch, isDone, since || undefined);
    // A user who was created meanwhile has the whole settle time, too.
    if (isDone(list) || world.ledger.lastEnd() === since) {
      list.isSettled = true;
      return list;
    }
  }
}

/** Returns the last list if it was requested after all creations and is complete, or a new one. */
export async function latestSettledList(world: World, least: number): Promise<List> {
  const latest = world.lists.at(-1);
  const isLatest = latest && latest.exchange.at >= world.ledger.lastEnd();
  if (!isLatest || !isFinal(world, latest, least)) return settledList(world, { least });
  latest.isSettled = true;
  return latest;
}

const isFinal = (world: World, list: List, least: number): boolean =>
  !isReadable(list) || isComplete(world, list, least);

/** Whether a settled list shows every user that it must, and does not contradict itself. */
export function isComplete({ ledger }: World, list: List, least: number): boolean {
  if (isContradictory(list) || list.total < least) return false;
  const settled = { ...list, isSettled: true };
  const missing = missingFrom(settled, ledger.creations);
  if (missing.length === 0) return true;
  // A page may lack any number of users. A list that counts a user before it shows the user lacks
  // one.
  return isPaginated(list) && missing.length > 1;
}
