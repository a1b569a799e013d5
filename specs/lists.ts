import type { Creation } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import {
  isContradictory,
  isPaginated,
  isReadable,
  type List,
  missingFrom,
} from '../src/history/list.ts';
import { type Finding, notVerified } from '../src/requirement/finding.ts';

/** Says why a list that can't be read is not judged. */
export const unreadable = ({ exchange }: List): Finding =>
  notVerified(exchange.failure ?? "the list response can't be read", exchange);

/** Returns the lists after the settle time, in which no replica lags any more. */
export const settledLists = ({ lists }: History): List[] =>
  lists.filter(({ isSettled, isAfterNegative }) => isSettled && !isAfterNegative);

/** Returns the final lists: one after all creations, one after reads alone. */
export const finalLists = ({ last, later }: History): List[] =>
  [last, later].filter((list) => list !== undefined);

/** Users of the run that a list must show before it counts as a list of all users. */
const FEWEST_USERS = 5;

/**
 * A list that shows all users although its total is higher, and an earlier one of the same kind.
 */
interface WholeList {
  list: List;
  earlier: List;
  /** The user of the run whom both lists lack, if they lack one. */
  missing: Creation | undefined;
}

/**
 * Finds a list that shows fewer users than its total and yet is not paginated. Unlike a page, it
 * grows with each creation, always by as much as its total, and it lacks none of the run's users,
 * or always one.
 */
export function findWholeList(history: History): WholeList | undefined {
  const lists = settledLists(history).filter((list) => isReadable(list) && isPaginated(list));
  for (const list of lists) {
    if (list.ours.length < FEWEST_USERS) continue;
    const missing = missingFrom(list, history.creations);
    if (missing.length > 1) continue;
    const earlier = lists.find(
      (candidate) =>
        hasGrown(candidate, list) &&
        missingFrom(candidate, history.creations).length === missing.length,
    );
    if (earlier) return { list, earlier, missing: missing[0] };
  }
  return undefined;
}

/**
 * Whether a later list shows more users, and more of the run, with the same distance to its total.
 */
const hasGrown = (earlier: List, later: List): boolean =>
  earlier.exchange.id < later.exchange.id &&
  earlier.size < later.size &&
  earlier.ours.length < later.ours.length &&
  distanceToTotal(earlier) === distanceToTotal(later);

const distanceToTotal = ({ total, size }: List) => total - size;

/** Returns the user of the run that lists lack although they are not paginated. */
export const missingFromEach = (history: History): Creation | undefined =>
  findWholeList(history)?.missing;

/** Whether the lists at rest show the same users, so that no other client has written meanwhile. */
export function isQuiet(history: History): boolean {
  const [first, ...others] = history.atRest;
  return others.every(({ digest }) => digest === first?.digest);
}

/** Returns the lists at rest, if no other client has written meanwhile. */
export const quietLists = (history: History): List[] => (isQuiet(history) ? history.atRest : []);

/** Returns a list at rest whose total contradicts the users that it shows. */
export const contradictionAtRest = (history: History): List | undefined =>
  quietLists(history).find((list) => isReadable(list) && isContradictory(list));

/** Whether the total goes up and down at rest while the users shown stay the same. */
export function totalWobbles(history: History): boolean {
  if (!isQuiet(history)) return false;
  const lists = history.atRest;
  const directions = lists
    .slice(1)
    .map(({ total }, index) => Math.sign(total - (lists[index] as List).total))
    .filter((direction) => direction !== 0);
  const turns = directions.filter(
    (direction, index) => index > 0 && direction !== directions[index - 1],
  );
  return turns.length >= FEWEST_TURNS;
}

/**
 * Turns of a total that no other client causes: it would have to create and delete users by turns.
 */
const FEWEST_TURNS = 3;
