import { type Creation, firstRead, isAccepted } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import { isReadable } from '../src/history/list.ts';
import { members, type Read, showsOnlyUser, showsUser } from '../src/history/record.ts';
import { isAnswered } from '../src/http/exchange.ts';
import { shorten, show } from '../src/http/value.ts';
import {
  type Finding,
  failed,
  notApplicable,
  notVerified,
  passed,
  verify,
} from '../src/requirement/finding.ts';
import { statusOf } from './expectations.ts';
import { firstUsersOf, whyNoUser } from './first-users.ts';
import { finalLists, unreadable } from './lists.ts';
import { chapter, must, rule } from './requirement.ts';

/** Whether nothing can be told about a read: no response, or no JSON. */
export const isOpen = (read: Read): boolean =>
  !isAnswered(read.exchange) || (read.ok && read.isUnreadable);

/** Why nothing can be told about a read. */
export const whyOpenRead = ({ exchange }: Read): Finding =>
  notVerified(exchange.failure ?? 'the response is not JSON', exchange);

/** The identifier of each first user is found. */
function areRetrieved(history: History): Finding[] {
  const users = firstUsersOf(history);
  if (users.length === 0) return whyNoUser(history);
  return users.map((user) => {
    const { identifier, reads, exchange } = user;
    if (identifier) return passed(exchange, reads[0]?.exchange);
    // A place is not tried for the second user if it is wrong for the first.
    const read = reads.at(-1) ?? users[0]?.reads.at(-1);
    if (read && (isOpen(read) || read.others.length > 0))
      return notVerified('no user could be retrieved', read.exchange);
    if (history.isReadOnly)
      return notApplicable('read-only, and no value in the list retrieves its user');
    if (read === undefined && !users.some(({ isSought }) => isSought)) {
      return notVerified(history.stopped?.reason ?? 'no second user could be created', exchange);
    }
    if (read === undefined && exchange?.response?.cut) {
      return notVerified('the create response is longer than the suite reads', exchange);
    }
    if (read === undefined && isHidden(history)) return notVerified(HIDDEN, exchange);
    return failed(
      IDENTIFIER,
      read ? describe(read) : 'no value that could be one',
      exchange,
      read?.exchange,
    );
  });
}

/** Plain users who are not found even when they are created alone were not lost among others. */
function areRetrievedAlone({ results, creations }: History): Finding[] {
  return results.flatMap(({ control, creation: index, read }): Finding[] => {
    const creation = creations[index ?? -1];
    if (control === undefined || creation?.expected !== 'created' || !isAccepted(creation))
      return [];
    if (creation.identifier || read === undefined || isOpen(read) || read.others.length > 0)
      return [];
    return [failed(IDENTIFIER, describe(read), creation.exchange, read.exchange)];
  });
}

const IDENTIFIER =
  'an identifier (in the create response, its Location or the list) that retrieves the user with a 2xx status';
const HIDDEN =
  'no response shows the identifier: the create response lacks it, and the list is paginated';

/** Whether only a list that is paginated could show identifiers. */
const isHidden = ({ lists }: History): boolean =>
  lists.some((list) => isReadable(list) && list.size < list.total);

function describe(read: Read): string {
  const status = statusOf(read.exchange);
  const isRedirect = status >= 300 && status < 400;
  return `${status}${read.ok ? ' without the user in it' : isRedirect ? ' (a redirect is not followed)' : ''}`;
}

/** A response shows its user and nobody else. */
function showsExactly(creation: Creation, read: Read): Finding {
  const { email } = creation.user;
  const { ok, record, others, exchange } = read;
  if (isOpen(read)) return whyOpenRead(read);
  const shown = [...(record ? [email] : []), ...others].slice(0, 3).join(', ') || 'no user';
  return verify(
    showsOnlyUser(read),
    `one user, ${email}`,
    ok ? shown : `${statusOf(exchange)}`,
    exchange,
  );
}

/** Reads that show another user. One that shows nobody fails another requirement. */
function areExact(history: History): Finding[] {
  const { creations, results, rereads } = history;
  const users = firstUsersOf(history);
  if (users.length === 0) return whyNoUser(history);
  const concurrent = new Set(results.flatMap(({ concurrent: first }) => first?.creation ?? []));
  // Each of them has been repeated alone.
  const repeated = new Set(rereads.map(({ concurrent: first }) => first?.exchange));
  const own = users.flatMap((user): Finding[] => {
    const read = user.reads[0] ?? users[0]?.reads[0];
    if (read === undefined) return whyNoUser(history);
    if (user.reads.length === 0) return [];
    return user.identifier || read.others.length > 0
      ? [showsExactly(user, read)]
      : whyNoUser(history);
  });
  const mixed = creations.flatMap((creation, index): Finding[] => {
    if (concurrent.has(index) || creation.isConcurrent) return [];
    const isShared = sharesValues(creation, creations);
    const wrong = creation.reads.filter(
      (read) => read.ok && read.others.length > 0 && !repeated.has(read.exchange),
    );
    return isShared ? [] : wrong.map((read) => showsExactly(creation, read));
  });
  const again = rereads.filter(
    ({ why, read }) => why !== 'unlisted' && read.ok && read.others.length > 0,
  );
  return [
    ...own,
    ...mixed,
    ...again.map(({ of, read }) => showsExactly(creations[of] as Creation, read)),
  ];
}

/** Whether another creation has the same email or name. */
const sharesValues = ({ user }: Creation, creations: readonly Creation[]): boolean =>
  creations.filter((other) => {
    const isSameEmail = other.user.email.toLowerCase() === user.email.toLowerCase();
    return other.expected !== 'rejected' && (isSameEmail || other.user.name === user.name);
  }).length > 1;

/** A plain user is retrieved as it was sent. */
function showsSentValues(history: History): Finding[] {
  const users = history.creations.flatMap((creation) => {
    const read = firstRead(creation);
    return creation.expected === 'created' && read ? [{ creation, read }] : [];
  });
  if (users.length === 0) return whyNoUser(history);
  const values = users.flatMap(({ creation, read }) =>
    (['email', 'name'] as const).map((name) => {
      const [sent, shown] = [creation.user[name], members(read.record ?? {})[name]];
      return verify(
        shown === sent,
        `${name} ${show(sent)}`,
        show(shown),
        creation.exchange,
        read.exchange,
      );
    }),
  );
  return [...values, ...history.creations.flatMap(becameAnother)];
}

/** A user whose identifier retrieves a record with neither the email nor the name has become another one. */
function becameAnother({
  expected,
  identifier,
  reads,
  user,
  exchange,
  isSought,
}: Creation): Finding[] {
  const read = reads.at(-1);
  if (expected !== 'created' || identifier || !isSought || read === undefined) return [];
  if (!read.ok || read.isUnreadable || read.others.length > 0) return [];
  return [failed(show(user), 'no such user', exchange, read.exchange)];
}

/** Users from before the run are retrieved by the identifiers that the list shows. */
function existingUsers(history: History): Finding | Finding[] {
  const [last] = finalLists(history);
  if (last === undefined) return [];
  const hasData = last.ok && last.faults.data === undefined;
  if (hasData && last.others === 0)
    return notApplicable('the list shows no user from before the run');
  if (!isReadable(last)) return unreadable(last);
  if (history.existing.length === 0) {
    return notApplicable('the list shows no identifier of the users from before the run');
  }
  return history.existing.map(({ email, name, identifier, list, exchange, record }) => {
    if (!isAnswered(exchange)) return notVerified(`${exchange.failure}`, exchange);
    const got = record ? show(members(record)) : `${statusOf(exchange)} without a user`;
    const expected = `${show({ email, name })} by the identifier ${shorten(identifier, 40)}`;
    return verify(
      showsUser(record, { email, name }),
      expected,
      got,
      history.lists[list]?.exchange,
      exchange,
    );
  });
}

export const retrieveUser = chapter('Retrieve a user', [
  must('retrieve.created-user', rule('7.1'), {
    sentence: 'The identifier of a created user retrieves the user, with a 2xx status.',
    needs: ['users', 'plain users'],
    check: (history) => [...areRetrieved(history), ...areRetrievedAlone(history)],
  }),

  must('retrieve.exact-user', rule('7.1'), {
    sentence: 'An identifier retrieves exactly its user: not another one, not several.',
    needs: ['users', 'plain users', 'end'],
    check: areExact,
  }),

  must('retrieve.values', rule('7.1'), {
    sentence: 'Retrieving a user shows the email and name that were sent.',
    needs: ['users', 'plain users'],
    check: showsSentValues,
  }),

  must('retrieve.existing-users', rule('7.1'), {
    sentence:
      'The identifier of a user who existed before the run retrieves that user, with the email and name that the list shows.',
    needs: ['users', 'end'],
    check: existingUsers,
  }),
]);
