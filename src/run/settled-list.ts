import {
  isContradictory,
  isDue,
  isPaginated,
  isReadable,
  itemsOf,
  type List,
} from '../history/list.ts';
import type { Connection } from '../http/exchange.ts';
import type { World } from './world.ts';

/**
 * Fetches the list until it shows every user whom it must and does not contradict itself, or the settle time has
 * passed since the last creation. What it shows then is judged.
 */
export async function settledList(
  world: World,
  { least = 0, connection = 'kept' as Connection } = {},
): Promise<List> {
  const { creations } = world.ledger;
  const isWhole = (list: List) => {
    if (isContradictory(list) || list.total < least) return false;
    const missing = creations.filter((creation, index) => {
      return isDue({ ...list, isSettled: true }, creation) && itemsOf(list, index).length === 0;
    });
    // A page may lack any number of users. A list that counts a user before it shows the user lacks one.
    return missing.length === 0 || (isPaginated(list) && missing.length > 1);
  };
  const fetch = () => world.fetchList({ ...world.listing(), connection });
  for (;;) {
    const since = world.ledger.lastEnd();
    const list = await world.until(fetch, (one) => !isReadable(one) || isWhole(one), since);
    // A user who was created meanwhile has the settle time, too.
    if (!isReadable(list) || isWhole(list) || world.ledger.lastEnd() === since) {
      list.isSettled = true;
      return list;
    }
  }
}
