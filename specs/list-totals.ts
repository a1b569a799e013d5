import { type Burst, countCreatedUsers, type History } from '../src/history/history.ts';
import { isPaginated, isReadable, type List } from '../src/history/list.ts';
import {
  type Finding,
  failed,
  notApplicable,
  notVerified,
  passed,
  verify,
} from '../src/requirement/finding.ts';
import { whyNoUser } from './first-users.ts';
import {
  contradictionAtRest,
  finalLists,
  findNoPage,
  listsAtRest,
  quietLists,
  settledLists,
  totalWobbles,
  unreadable,
} from './lists.ts';
import { chapter, must, rule } from './requirement.ts';

const OTHERS = "other clients keep creating users, which can't be told apart from those of the run";

/** A part of an effect from which on it is a fault. */
const FAULT = 0.5;

/**
 * By how many users an action moved the total in each burst, if that is a fault; 0 if no burst shows one; undefined if
 * the action was not tried, or other clients write so much that nothing can be told.
 */
export function effectOf({ bursts, lists }: History, action: Burst['action']): number | undefined {
  const moved = ({ before, after }: Burst) =>
    (lists[after]?.total ?? 0) - (lists[before]?.total ?? 0);
  const own = bursts.filter((burst) => burst.action === action);
  const idle = bursts.filter((burst) => burst.action === 'idle').map(moved);
  const [first] = own;
  if (first === undefined) return undefined;
  const expected = action === 'creations' ? first.size : 0;
  const excesses = own.map((burst) => moved(burst) - expected);
  // In an idle span of the same length others may have written as much.
  const mostByOthers = Math.max(0, ...idle);
  const least = FAULT * first.size;
  const isTooMany = excesses.every((excess) => excess >= least + mostByOthers);
  const isTooFew = action === 'creations' && excesses.every((excess) => excess <= -least);
  if (isTooMany || isTooFew)
    return Math.round((10 * excesses.reduce((sum, one) => sum + one, 0)) / own.length) / 10;
  return excesses.some((excess) => Math.abs(excess) <= least) ? 0 : undefined;
}

/** The lists around the last burst of an action. */
function lastBurst({ bursts, lists }: History, action: Burst['action']): (List | undefined)[] {
  const burst = bursts.findLast((one) => one.action === action);
  return [lists[burst?.before ?? -1], lists[burst?.after ?? -1]];
}

function countsCreations(history: History): Finding | Finding[] {
  const first = history.lists[history.first ?? -1];
  const [last, later] = finalLists(history);
  if (history.isReadOnly) return notApplicable('read-only: nothing is created');
  const { least, most } = countCreatedUsers(history);
  if (most === 0) return whyNoUser(history);
  if (first === undefined || last === undefined) return [];
  const open = [first, last].find((list) => !isReadable(list));
  if (open) return unreadable(open);
  const exchanges = [first.exchange, last.exchange];
  if (![first, last].every(({ total }) => Number.isSafeInteger(total))) {
    return notVerified(`a total of ${last.total} is too large to count with`, ...exchanges);
  }
  const moved = last.total - first.total;
  if (moved >= least && moved <= most) return passed(...exchanges);
  // A list of all users shows which of them are others'.
  if (last.size === last.total && moved > most) return passed(...exchanges);
  if (moved < least && isTooSmall(history, last, least, moved)) {
    const expected = `the total grows by at least ${least}, one for each creation`;
    return failed(expected, `it grew by ${moved}`, ...exchanges);
  }
  const effect = effectOf(history, 'creations');
  if (effect) {
    const [before, after] = lastBurst(history, 'creations');
    const size = history.bursts.find(({ action }) => action === 'creations')?.size ?? 1;
    const got = `it grew by ${size + effect} with ${size} creations`;
    return failed(
      'the total grows by 1 with each creation',
      got,
      before?.exchange,
      after?.exchange,
    );
  }
  if (later && later.size > later.total) {
    return notVerified('the list contradicts itself', later.exchange);
  }
  if (moved < least) {
    const why = `the total grew by ${moved} over ${least} creations: another client deletes users`;
    return notVerified(why, ...exchanges);
  }
  return effect === 0 ? passed(...exchanges) : notApplicable(OTHERS);
}

/** For the total to stay as it was, other clients would have to undo so many creations one by one. */
const UNDONE = 10;

/** Whether a total is too small by users who are there, so that no other client has deleted them. */
function isTooSmall({ rereads }: History, last: List, least: number, moved: number): boolean {
  const isRetrieved = rereads.some(
    ({ why, read }) => why === 'unlisted' && read.record !== undefined,
  );
  const isThere = last.size > last.total || (last.size === last.total && isRetrieved);
  return isThere || last.total < least || (moved === 0 && least >= UNDONE);
}

function checkUnchangedByReads(history: History): Finding | Finding[] {
  const [last, later] = finalLists(history);
  if (last === undefined || later === undefined) return [];
  const open = [last, later].find((list) => !isReadable(list));
  if (open) return unreadable(open);
  const atRest = listsAtRest(history);
  const contradiction = contradictionAtRest(history);
  if (contradiction) return notVerified('the list contradicts itself', contradiction.exchange);
  if (totalWobbles(history)) {
    const totals = atRest.map(({ total }) => total).join(', ');
    return failed(
      'the same total while nothing is sent',
      totals,
      ...atRest.map(({ exchange }) => exchange),
    );
  }
  const exchanges = [last.exchange, later.exchange];
  const effect = effectOf(history, 'reads');
  if (effect)
    return failed('the same total after reading', `${effect} more each time`, ...exchanges);
  if (later.total === last.total || effect === 0) return passed(...exchanges);
  if (later.total < last.total)
    return notVerified('the total falls: another client deletes users', ...exchanges);
  return notApplicable(OTHERS);
}

const PARTS = ['list', 'users', 'plain users', 'end'] as const;

export const listTotals = chapter('List users', [
  must('list.total-covers-data', rule('5.4'), {
    sentence: 'The `total` is at least the number of users shown.',
    needs: PARTS,
    check: (history) =>
      [...settledLists(history), ...quietLists(history)].map((list) => {
        if (!isReadable(list)) return unreadable(list);
        return verify(
          list.size <= list.total,
          `a total of at least ${list.size}`,
          `${list.total}`,
          list.exchange,
        );
      }),
  }),

  must('list.total-exact', rule('5.4'), {
    sentence: 'Unless the list is paginated, its `total` is the number of users that it shows.',
    needs: PARTS,
    check: (history) => {
      const wrong = findNoPage(history);
      return settledLists(history).map((list) => {
        const { size, total, exchange } = list;
        if (!isReadable(list)) return unreadable(list);
        if (!isPaginated(list)) return passed(exchange);
        if (wrong === undefined || wrong.missing) {
          return notApplicable(`the list is paginated: it shows ${size} of ${total} users`);
        }
        const { before } = wrong;
        const got = `${wrong.list.total}; before, with ${before.size} users shown, it was ${before.total}`;
        return failed(
          `a total of ${wrong.list.size}, the number of users shown`,
          got,
          before.exchange,
          wrong.list.exchange,
        );
      });
    },
  }),

  must('list.empty-only-at-zero', rule('5.4'), {
    sentence: 'The list is empty only if its `total` is 0.',
    needs: PARTS,
    check: (history) => {
      // If users were there before the run, no state of the list had none, however old.
      const isNeverEmpty = (history.lists[history.first ?? -1]?.others ?? 0) > 0;
      const settled = settledLists(history);
      const lists = isNeverEmpty ? [...settled, ...history.lists.filter(isReadable)] : settled;
      return lists.map((list) => {
        if (!isReadable(list)) return unreadable(list);
        const { size, total, exchange } = list;
        return verify(
          size > 0 || total === 0,
          'users in `data`',
          `none, with a total of ${total}`,
          exchange,
        );
      });
    },
  }),

  must('list.total-counts-creations', rule('5.4'), {
    sentence: 'After n creations the `total` is higher by n.',
    needs: PARTS,
    check: countsCreations,
  }),

  must('list.total-unchanged-by-reads', rule('5.4'), {
    sentence: 'Reading does not change the `total`.',
    needs: PARTS,
    check: checkUnchangedByReads,
  }),
]);
