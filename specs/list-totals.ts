import { type Burst, countCreatedUsers, type History } from '../src/history/history.ts';
import { isPaginated, isReadable } from '../src/history/list.ts';
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
  findWholeList,
  quietLists,
  settledLists,
  totalWobbles,
  unreadable,
} from './lists.ts';
import { chapter, must, rule } from './requirement.ts';

const OTHER_CLIENTS =
  "other clients keep creating users, which can't be distinguished from those of the run";

/**
 * A total that is wrong by less than this share of the requests is no fault: other clients may have
 * caused it.
 */
const SMALLEST_FAULT = 0.5;

/**
 * Returns by how many users the total is wrong after a burst of an action, on average: 0 if no
 * fault shows; undefined if the action was not tried, or if other clients write too much to see a
 * fault.
 */
export function effectOf({ bursts }: History, action: Burst['action']): number | undefined {
  const growthOf = ({ before, after }: Burst) => after.total - before.total;
  const ofAction = bursts.filter((burst) => burst.action === action);
  const [first] = ofAction;
  if (first === undefined) return undefined;
  const expected = action === 'creations' ? first.size : 0;
  const excesses = ofAction.map((burst) => growthOf(burst) - expected);
  // Other clients may write as much during a burst as they do while the run is idle for the same
  // time.
  const idle = bursts.filter((burst) => burst.action === 'idle');
  const mostByOthers = Math.max(0, ...idle.map(growthOf));
  const least = SMALLEST_FAULT * first.size;
  const isTooMany = excesses.every((excess) => excess >= least + mostByOthers);
  const isTooFew = action === 'creations' && excesses.every((excess) => excess <= -least);
  if (isTooMany || isTooFew) {
    const sum = excesses.reduce((total, excess) => total + excess, 0);
    return Math.round((10 * sum) / excesses.length) / 10;
  }
  return excesses.some((excess) => Math.abs(excess) <= least) ? 0 : undefined;
}

/** Creations that no other client undoes one by one, so that the total would not grow at all. */
const MANY_CREATIONS = 10;

function checkCreationsCounted(history: History): Finding | Finding[] {
  const { first, bursts, isReadOnly } = history;
  const [last, later] = finalLists(history);
  if (isReadOnly) return notApplicable('read-only: nothing is created');
  const { least, most } = countCreatedUsers(history);
  if (most === 0) return whyNoUser(history);
  if (first === undefined || last === undefined) return [];
  const open = [first, last].find((list) => !isReadable(list));
  if (open) return unreadable(open);
  const exchanges = [first.exchange, last.exchange];
  if (![first, last].every(({ total }) => Number.isSafeInteger(total))) {
    return notVerified(`a total of ${last.total} is too large to count with`, ...exchanges);
  }
  const growth = last.total - first.total;
  // A list of all users shows that other clients have created the rest.
  const isWhole = last.size === last.total;
  if (growth >= least && (growth <= most || isWhole)) return passed(...exchanges);
  const effect = effectOf(history, 'creations');
  const burst = bursts.findLast(({ action }) => action === 'creations');
  if (effect && burst) {
    const { size, before, after } = burst;
    const got = `it grew by ${growth} with ${least} creations, and by ${size + effect} with ${size} more`;
    const expected = 'the total grows by 1 with each creation';
    return failed(expected, got, before.exchange, after.exchange);
  }
  if (growth === 0 && least >= MANY_CREATIONS) {
    const expected = `the total grows by at least ${least}, one for each creation`;
    return failed(expected, 'it did not grow', ...exchanges);
  }
  if (growth < least) {
    const reason = `the total grew by ${growth} over ${least} creations: another client deletes users`;
    return notVerified(reason, ...exchanges, later?.exchange);
  }
  return effect === 0 ? passed(...exchanges) : notApplicable(OTHER_CLIENTS);
}

function checkUnchangedByReads(history: History): Finding | Finding[] {
  const [last, later] = finalLists(history);
  if (last === undefined || later === undefined) return [];
  const open = [last, later].find((list) => !isReadable(list));
  if (open) return unreadable(open);
  const { atRest } = history;
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
  return notApplicable(OTHER_CLIENTS);
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
      const wholeList = findWholeList(history);
      return settledLists(history).map((list) => {
        const { size, total, exchange } = list;
        if (!isReadable(list)) return unreadable(list);
        if (!isPaginated(list)) return passed(exchange);
        if (wholeList === undefined || wholeList.missing) {
          return notApplicable(`the list is paginated: it shows ${size} of ${total} users`);
        }
        const { earlier, list: later } = wholeList;
        return failed(
          `a total of ${later.size}, the number of users shown`,
          `${later.total}; before, with ${earlier.size} users shown, it was ${earlier.total}`,
          earlier.exchange,
          later.exchange,
        );
      });
    },
  }),

  must('list.empty-only-at-zero', rule('5.4'), {
    sentence: 'The list is empty only if its `total` is 0.',
    needs: PARTS,
    check: (history) => {
      // A cache may be empty at first. Once users from before the run were shown, not even a stale
      // list may be empty.
      const filled = history.lists.findIndex((list) => isReadable(list) && list.others > 0);
      const later = filled < 0 ? [] : history.lists.slice(filled).filter(isReadable);
      return [...settledLists(history), ...later].map((list) => {
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
    check: checkCreationsCounted,
  }),

  must('list.total-unchanged-by-reads', rule('5.4'), {
    sentence: 'Reading does not change the `total`.',
    needs: PARTS,
    check: checkUnchangedByReads,
  }),
]);
