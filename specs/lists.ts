import type { Creation } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import {
  isContradictory,
  isDue,
  isPaginated,
  isReadable,
  itemsOf,
  type List,
} from '../src/history/list.ts';
import { type Finding, notVerified } from '../src/requirement/finding.ts';

/** Why a list that can't be read is not judged. */
export const unreadable = ({ exchange }: List): Finding =>
  notVerified(exchange.failure ?? "the list response can't be read", exchange);

/** The lists in which nothing lags any more. */
export const settledLists = ({ lists }: History): List[] =>
  lists.filter(({ isSettled, isAfterNegative }) => isSettled && !isAfterNegative);

/** The lists after all creations: before and after reads alone. */
export const finalLists = ({ lists, last, later }: History): List[] =>
  [last, later].flatMap((index) => lists[index ?? -1] ?? []);

/** Users of the run that a list must show to be taken for one that shows all users. */
const MANY = 5;

/** A list that shows all users, though its total says otherwise. */
interface NoPage {
  list: List;
  before: List;
  /** The user of the run whom it lacks; undefined if it lacks none of them. */
  missing: Creation | undefined;
}

/**
 * Finds a list that is shorter than its total and yet not paginated: it grows with each creation and is always short of
 * its total by the same number, and it lacks none of the run's users, or always one. A page does not grow.
 */
export function findNoPage(history: History): NoPage | undefined {
  const lists = settledLists(history).filter((list) => isReadable(list) && isPaginated(list));
  for (const list of lists) {
    if (list.ours.length < MANY) continue;
    const missing = missingFrom(history, list);
    if (missing.length > 1) continue;
    const before = lists.find(
      (one) => isSmaller(one, list) && missingFrom(history, one).length === missing.length,
    );
    if (before) return { list, before, missing: missing[0] };
  }
  return undefined;
}

const lack = ({ total, size }: List) => total - size;

const isSmaller = (one: List, other: List) =>
  one.exchange.id < other.exchange.id &&
  one.size < other.size &&
  one.ours.length < other.ours.length &&
  lack(one) === lack(other);

const missingFrom = ({ creations }: History, list: List): Creation[] =>
  creations.filter((creation, index) => isDue(list, creation) && itemsOf(list, index).length === 0);

/** The user of the run whom a list lacks that is not paginated. */
export const missingFromEach = (history: History): Creation | undefined =>
  findNoPage(history)?.missing;

/** The lists that were fetched one after the other while nothing else was sent. */
export const listsAtRest = ({ atRest, lists }: History): List[] =>
  atRest.flatMap((index) => lists[index] ?? []);

/** Whether the lists at rest show the same users, so that no other client has written meanwhile. */
export function isQuiet(history: History): boolean {
  const [first, ...others] = listsAtRest(history);
  return others.every(({ digest }) => digest === first?.digest);
}

/** The lists at rest, if no other client has written meanwhile. */
export const quietLists = (history: History): List[] =>
  isQuiet(history) ? listsAtRest(history) : [];

/** A list that contradicts itself at rest: its total is not that of its users. */
export const contradictionAtRest = (history: History): List | undefined =>
  quietLists(history).find((list) => isReadable(list) && isContradictory(list));

/** Whether the total goes up and down at rest while the users shown stay the same. */
export function totalWobbles(history: History): boolean {
  const lists = listsAtRest(history);
  if (!isQuiet(history)) return false;
  const steps = lists
    .slice(1)
    .map(({ total }, index) => Math.sign(total - (lists[index] as List).total));
  const moves = steps.filter((step) => step !== 0);
  return moves.filter((step, index) => index > 0 && step !== moves[index - 1]).length >= 3;
}
