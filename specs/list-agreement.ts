import { type Creation, firstRead, isAccepted } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import { identifierMember } from '../src/history/identifier-member.ts';
import { isReadable, itemsOf } from '../src/history/list.ts';
import { type Item, showsUser } from '../src/history/record.ts';
import { isAnswered } from '../src/http/exchange.ts';
import { shorten, show, textOf } from '../src/http/value.ts';
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

const CHANGED = 'the user is retrieved with other values than were sent';

/** Whether retrieving shows other values than were sent of a user that must be kept as sent. */
const isChanged = (creation: Creation): boolean => {
  const read = firstRead(creation);
  return (
    read !== undefined && creation.expected === 'created' && !showsUser(read.record, creation.user)
  );
};

/** The list shows a user as retrieving does. */
function agrees(history: History): Finding[] {
  const { creations, lists } = history;
  const users = creations.flatMap((creation, index) => {
    const read = firstRead(creation);
    return read ? [{ creation, index, read }] : [];
  });
  if (users.length === 0) return whyNoUser(history);
  const plain = users.filter(({ creation }) => creation.expected === 'created');
  // If retrieving shows no plain user as it was sent, it proves nothing about others.
  if (plain.length > 0 && plain.every(({ creation }) => isChanged(creation))) {
    return plain.map(({ read }) => notVerified(CHANGED, read.exchange));
  }
  const member = identifierMember(
    users.map(({ creation, read }) => [creation.identifier?.text, read.record]),
  );
  const found = lists.filter(isReadable).flatMap((list) =>
    users.flatMap(({ creation, index, read }): Finding[] => {
      const items = itemsOf(list, index);
      if (items.length > 0 && isChanged(creation)) return [notVerified(CHANGED, read.exchange)];
      const identifier = member ?? list.identifierMember;
      const compared = ['email', 'name', ...(identifier ? [identifier] : [])];
      return ofSameUser(items, read.record, identifier).flatMap((item) =>
        compared.map((name) => {
          const [listed, retrieved] = [item[name], read.record?.[name]];
          const isComparable = listed !== undefined && retrieved !== undefined;
          const isSame = !isComparable || asText(listed) === asText(retrieved);
          const expected = `${name} ${show(retrieved)} in the list, as retrieved`;
          return verify(isSame, expected, show(listed), list.exchange, read.exchange);
        }),
      );
    }),
  );
  const all = [...found, ...checkListedIdentifiers(history)];
  const open = finalLists(history).find((list) => !isReadable(list));
  if (all.length === 0 && open) return [unreadable(open)];
  return all.length > 0
    ? all
    : [notApplicable('the list shows none of the users that were retrieved')];
}

/** Returns the items with the identifier of a user: a creation that was tried again may have the same values. */
function ofSameUser(
  items: readonly Item[],
  record: Item | undefined,
  identifier: string | undefined,
): readonly Item[] {
  if (identifier === undefined || record === undefined) return items;
  const same = items.filter((item) => asText(item[identifier]) === asText(record[identifier]));
  return same.length > 0 ? same : items;
}

const asText = (value: unknown) => textOf(value) ?? show(value);

/** A listed user is retrieved by the identifier that the list shows. */
function checkListedIdentifiers(history: History): Finding[] {
  // A fault among concurrent requests fails another requirement.
  const concurrent = new Set(
    history.results.flatMap((result) => result.concurrent?.creation ?? []),
  );
  return history.creations.flatMap((creation, index): Finding[] => {
    if (concurrent.has(index)) return [];
    const read = creation.reads.at(-1);
    const isTold = read !== undefined && isAnswered(read.exchange) && !read.isUnreadable;
    if (!isAccepted(creation) || creation.identifier !== undefined || !isTold) return [];
    const list = finalLists(history).find(
      (one) => one.identifierMember && itemsOf(one, index).length > 0,
    );
    const shown = list && textOf(itemsOf(list, index)[0]?.[list.identifierMember ?? '']);
    if (list === undefined || shown === undefined) return [];
    if (!read.exchange.request.path.endsWith(`/${encodeURIComponent(shown)}`)) return [];
    const got = read.others.join(', ') || `${statusOf(read.exchange)} without the user`;
    const expected = `the user whom the list shows with the identifier ${shorten(shown, 60)}`;
    return [failed(expected, got, list.exchange, read.exchange)];
  });
}

export const listAgreement = chapter('List users', [
  must('list.agrees-with-retrieve', rule('5.1'), {
    sentence:
      'The list shows a user with the same identifier, email and name as retrieving the user does.',
    needs: LIST_PARTS,
    check: agrees,
  }),
]);
