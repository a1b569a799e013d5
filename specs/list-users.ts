import { type Creation, firstRead } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import { isDue, isPaginated, isReadable, itemsOf, type List } from '../src/history/list.ts';
import { type Item, members, showsUser } from '../src/history/record.ts';
import { type Exchange, header, isAnswered } from '../src/http/exchange.ts';
import { show } from '../src/http/value.ts';
import {
  type Finding,
  failed,
  notApplicable,
  notVerified,
  verify,
} from '../src/requirement/finding.ts';
import { statusOf } from './expectations.ts';
import { whyNoUser, whyUnproven } from './first-users.ts';
import { finalLists, missingFromEach, settledLists, unreadable } from './lists.ts';
import { chapter, must, rule } from './requirement.ts';

/**
 * The lists that were requested as usual; a list after a negative request is judged with that
 * request.
 */
const usualLists = ({ lists }: History): List[] =>
  lists.filter(({ isRewritten, isAfterNegative }) => !isRewritten && !isAfterNegative);

/** Checks one part of the schema in every list that was fetched. */
const checkEveryList = (part: keyof List['faults'], expected: string) => (history: History) =>
  usualLists(history).map((list): Finding => {
    const { ok, faults, exchange } = list;
    const isOpen = !ok || exchange.response?.jsonFault !== undefined;
    if (isOpen || (part !== 'data' && faults.data !== undefined)) return unreadable(list);
    return verify(faults[part] === undefined, expected, `${faults[part]}`, exchange);
  });

/** A status, with what to look at first if it is a usual one. */
function hinted({ baseUrl, opened }: History, exchange: Exchange): string {
  const status = statusOf(exchange);
  if (opened) return `${status}; ${statusOf(opened.exchange)} ${opened.how}`;
  if (status === 401 || status === 403) return `${status}: does the key work for each operation?`;
  if (status >= 300 && status < 400) {
    const target = header(exchange, 'location') ?? 'no address';
    return `${status} to ${target} (a redirect is not followed)`;
  }
  if (status === 404) return `404: is ${baseUrl} the right base address?`;
  return `${status}`;
}

/** Neither pagination nor a stale read explains a user who is in one response twice. */
function checkNoDuplicates({ creations }: History, list: List): Finding[] {
  return list.ours.flatMap(({ creation, items }) => {
    if (items.length < 2 || creation.expected !== 'created' || !isOnlyOne(creations, creation))
      return [];
    return [
      failed(
        `one item for ${creation.user.email}`,
        `${items.length} in one response`,
        list.exchange,
      ),
    ];
  });
}

/** Whether no other creation may have made a user with the same email. */
const isOnlyOne = (creations: readonly Creation[], { user }: Creation): boolean =>
  creations.filter(
    (other) =>
      other.expected !== 'rejected' && other.user.email.toLowerCase() === user.email.toLowerCase(),
  ).length === 1;

/**
 * Whether a user whom the last list lacks could not be retrieved afterwards either: it was lost.
 */
const isGone = ({ rereads }: History, creation: Creation): boolean =>
  rereads.some(
    ({ user, why, read }) => user === creation && why === 'unlisted' && read.record === undefined,
  );

/** Checks that lists show each created user exactly once. */
function checkContainsCreated(history: History): Finding[] {
  const { creations, lists } = history;
  const duplicates = lists.filter(isReadable).flatMap((list) => checkNoDuplicates(history, list));
  if (history.isReadOnly) return [...duplicates, notApplicable('read-only: nothing is created')];
  // If no user was retrieved, nothing shows that users are stored.
  const isStored = creations.some(({ identifier }) => identifier !== undefined);
  if (!isStored) return [...duplicates, ...whyNoUser(history)];
  const missing = missingFromEach(history);
  const isProven = whyUnproven(history) === undefined && !listChangesValues(history);
  const judged = settledLists(history).flatMap((list): Finding[] => {
    if (!isReadable(list)) return [unreadable(list)];
    // The list may be a page with a total that is too small.
    if (list.size > list.total) return [notVerified('the list contradicts itself', list.exchange)];
    if (isPaginated(list) && !missing) {
      return [notApplicable(`the list is paginated: it shows ${list.size} of ${list.total} users`)];
    }
    return creations.flatMap((creation) => {
      if (!isDue(list, creation) || isGone(history, creation)) return [];
      const items = itemsOf(list, creation);
      const expected = `one item for ${creation.user.email} (the list shows ${list.size}, total ${list.total})`;
      return [
        verify(
          items.length === 1 || (items.length > 1 && !isOnlyOne(creations, creation)),
          expected,
          items.length === 0 ? 'no such item' : `${items.length} items`,
          list.exchange,
        ),
        ...(isProven ? checkListedValues(creation, list, items) : []),
      ];
    });
  });
  return [...duplicates, ...judged];
}

/**
 * Whether the last list shows a user with other values than retrieving: `list.agrees-with-retrieve`
 * fails then.
 */
function listChangesValues(history: History): boolean {
  const [last] = finalLists(history);
  return history.creations.some((creation) => {
    const [item] = last ? itemsOf(last, creation) : [];
    const read = firstRead(creation);
    return (
      item &&
      read &&
      creation.expected === 'created' &&
      !showsUser(item, members(read.record ?? {}))
    );
  });
}

/** Checks the listed values of a user who was not retrieved: only the list shows them. */
function checkListedValues(creation: Creation, list: List, items: readonly Item[]): Finding[] {
  const [item] = items;
  const { user, expected, reads } = creation;
  if (item === undefined || items.length > 1 || expected !== 'created' || reads.length > 0)
    return [];
  return [
    verify(
      showsUser(item, user),
      show(user),
      show(members(item)),
      creation.exchange,
      list.exchange,
    ),
  ];
}

/** The parts of a run that show lists, and those that show the users of a run in them. */
const LISTS = ['list', 'users', 'end'] as const;
export const LIST_PARTS = [...LISTS, 'plain users'] as const;

export const listUsers = chapter('List users', [
  must('list.answers', rule('5.1'), {
    sentence: 'GET /users returns a 2xx status.',
    needs: LISTS,
    check: (history) => {
      const lists = usualLists(history);
      const answered = lists.filter(({ exchange }) => isAnswered(exchange));
      if (answered.length === 0)
        return lists.map(({ exchange }) => notVerified(`${exchange.failure}`, exchange));
      return answered.map(({ ok, exchange }) =>
        verify(ok, 'a 2xx status', hinted(history, exchange), exchange, history.opened?.exchange),
      );
    },
  }),

  must('list.data-array', rule('5.2'), {
    sentence: 'The list is a JSON object whose `data` is an array, also when there are no users.',
    needs: LISTS,
    check: checkEveryList('data', 'a JSON object with an array `data`'),
  }),

  must('list.total-integer', rule('5.4'), {
    sentence: 'The `total` of the list is an integer of 0 or more.',
    needs: LISTS,
    check: checkEveryList('total', 'an integer `total` of 0 or more'),
  }),

  must('list.users', rule('5.3'), {
    sentence: 'Every item of `data` is an object with `email` and `name`, both strings.',
    needs: LISTS,
    check: checkEveryList('users', 'items with a string `email` and a string `name`'),
  }),

  must('list.contains-created', rule('5.1'), {
    sentence: 'A created user is in the list exactly once, with the email and name that were sent.',
    needs: LIST_PARTS,
    check: checkContainsCreated,
  }),
]);
