import { type Creation, firstRead, isAccepted } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import { isReadable, itemsOf, type List } from '../src/history/list.ts';
import { type Item, type Read, showsUser } from '../src/history/record.ts';
import { isAnswered } from '../src/http/exchange.ts';
import { show, textOf } from '../src/http/value.ts';
import {
  type Finding,
  failed,
  notApplicable,
  notVerified,
  verify,
} from '../src/requirement/finding.ts';
import { statusOf } from './expectations.ts';
import { whyNoUser } from './first-users.ts';
import { LIST_PARTS } from './list-users.ts';
import { finalLists, unreadable } from './lists.ts';
import { chapter, must, rule } from './requirement.ts';
import { sharesValues } from './retrieve-user.ts';

const CHANGED = 'the user is retrieved with other values than were sent';

export const listAgreement = chapter('List users', [
  must('list.agrees-with-retrieve', rule('5.1'), {
    sentence:
      'The list shows a user with the same identifier, email and name as retrieving the user does.',
    needs: LIST_PARTS,
    check: checkAgreement,
  }),
]);

/** Checks that each list shows each user as retrieving does. */
function checkAgreement(history: History): Finding[] {
  const { creations, lists } = history;
  const users = creations.flatMap((creation) => {
    const read = firstRead(creation);
    return read ? [{ creation, read }] : [];
  });
  if (users.length === 0) return whyNoUser(history);
  const plain = users.filter(({ creation }) => creation.expected === 'created');
  // If not even a plain user is retrieved as it was sent, retrieving proves nothing about the list.
  if (plain.length > 0 && plain.every(({ creation }) => isChanged(creation))) {
    return plain.map(({ read }) => notVerified(CHANGED, read.exchange));
  }
  const { retrieved: member, listed: listedMember } = history.identifierMembers;
  const identifier = member ?? listedMember;
  const names = ['email', 'name', ...(identifier ? [identifier] : [])];
  // Most lists show a user by the same item.
  const lastAgreeing = new Map<Creation, Item>();
  const findings = lists.filter(isReadable).flatMap((list) =>
    users.flatMap(({ creation, read }): Finding[] => {
      const items = itemsOf(list, creation);
      if (items.length > 0 && isChanged(creation)) return [notVerified(CHANGED, read.exchange)];
      return itemsOfSameUser(items, read.record, identifier).flatMap((item) => {
        if (lastAgreeing.get(creation) === item) return [];
        const compared = names.map((name) => compareMember(name, { list, item, read }));
        if (compared.every(({ outcome }) => outcome === 'passed')) lastAgreeing.set(creation, item);
        return compared;
      });
    }),
  );
  const all = [...findings, ...checkListedIdentifiers(history)];
  if (all.length > 0) return all;
  const open = finalLists(history).find((list) => !isReadable(list));
  if (open) return [unreadable(open)];
  return [notApplicable('the list shows none of the users that were retrieved')];
}

/** An item of a list, and the response to the retrieval of its user. */
interface ListedAndRetrieved {
  list: List;
  item: Item;
  read: Read;
}

/** Verifies that the list and the retrieval agree on one member, if both show it. */
function compareMember(name: string, { list, item, read }: ListedAndRetrieved): Finding {
  const listed = item[name];
  const retrieved = read.record?.[name];
  const isComparable = listed !== undefined && retrieved !== undefined;
  const isSame = !isComparable || asText(listed) === asText(retrieved);
  const expected = `${name} ${show(retrieved)} in the list, as retrieved`;
  return verify(isSame, expected, show(listed), list.exchange, read.exchange);
}

/** Whether a user that must be stored as sent is retrieved with other values. */
function isChanged(creation: Creation): boolean {
  const read = firstRead(creation);
  if (read === undefined || creation.expected !== 'created') return false;
  return !showsUser(read.record, creation.user);
}

/**
 * Returns the items with the identifier of a user: a creation that was retried may have left
 * another with equal values.
 */
function itemsOfSameUser(
  items: readonly Item[],
  record: Item | undefined,
  identifier: string | undefined,
): readonly Item[] {
  if (identifier === undefined || record === undefined) return items;
  const same = items.filter((item) => asText(item[identifier]) === asText(record[identifier]));
  return same.length > 0 ? same : items;
}

const asText = (value: unknown) => textOf(value) ?? show(value);

/** Checks that listed users are retrieved by the identifiers that the list shows. */
function checkListedIdentifiers(history: History): Finding[] {
  const { listed } = history.identifierMembers;
  // A fault that shows only concurrently fails another requirement.
  const concurrent = new Set(
    history.results.flatMap((result) => result.concurrent?.creation ?? []),
  );
  return history.creations.flatMap((creation): Finding[] => {
    if (!isAccepted(creation) || creation.identifier !== undefined) return [];
    if (concurrent.has(creation) || sharesValues(creation, history.creations)) return [];
    const read = creation.reads.at(-1);
    if (read === undefined || !isAnswered(read.exchange) || read.isUnreadable) return [];
    const list = finalLists(history).find((candidate) => itemsOf(candidate, creation).length > 0);
    const shown = list && textOf(itemsOf(list, creation)[0]?.[listed ?? '']);
    if (list === undefined || shown === undefined) return [];
    if (!read.exchange.request.path.endsWith(`/${encodeURIComponent(shown)}`)) return [];
    const got = read.others.join(', ') || `${statusOf(read.exchange)} without the user`;
    const expected = `the user whom the list shows with the identifier ${shown}`;
    return [failed(expected, got, list.exchange, read.exchange)];
  });
}
