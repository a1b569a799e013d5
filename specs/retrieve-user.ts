import { type Creation, firstRead, isAccepted } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import { isReadable } from '../src/history/list.ts';
import { members, type Read, showsOnlyUser, showsUser } from '../src/history/record.ts';
import { isAnswered } from '../src/http/exchange.ts';
import { show } from '../src/http/value.ts';
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

/** Whether a read proves nothing, because there is no response or no JSON. */
export const isOpen = (read: Read): boolean =>
  !isAnswered(read.exchange) || (read.ok && read.isUnreadable);

/** Says why a read proves nothing. */
export const whyOpenRead = ({ exchange }: Read): Finding =>
  notVerified(exchange.failure ?? 'the response is not JSON', exchange);

/** Checks that each first user has an identifier that retrieves the user. */
function checkFirstUsersRetrieved(history: History): Finding[] {
  const users = firstUsersOf(history);
  if (users.length === 0) return whyNoUser(history);
  // A place of the identifier that is wrong for the first user is not tried for the second.
  const tried = users.filter(({ reads }, index) => index === 0 || reads.length > 0);
  return tried.map((user) => {
    const { identifier, reads, exchange } = user;
    if (identifier) return passed(exchange, reads[0]?.exchange);
    const read = reads.at(-1);
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
    const got = read ? describeRead(read) : 'no value that could be an identifier';
    return failed(IDENTIFIER, got, exchange, read?.exchange);
  });
}

/**
 * Checks that plain users who were created again, alone, are retrieved: a failure is not due to
 * concurrency then.
 */
function checkRetrievedAlone({ results }: History): Finding[] {
  return results.flatMap(({ control, creation, read }): Finding[] => {
    if (control === undefined || creation?.expected !== 'created' || !isAccepted(creation))
      return [];
    if (creation.identifier || read === undefined || isOpen(read) || read.others.length > 0)
      return [];
    return [failed(IDENTIFIER, describeRead(read), creation.exchange, read.exchange)];
  });
}

const IDENTIFIER =
  'an identifier (in the create response, its Location or the list) that retrieves the user with a 2xx status';
const HIDDEN =
  'no response shows the identifier: the create response lacks it, and the list is paginated';

/** Whether a list is paginated, so that it may not show the items of the run's users. */
const isHidden = ({ lists }: History): boolean =>
  lists.some((list) => isReadable(list) && list.size < list.total);

/** Describes a response that does not show the user. */
function describeRead({ ok, exchange, instead }: Read): string {
  const status = statusOf(exchange);
  if (ok) return `${status} with ${instead ?? 'no user'} instead of the user`;
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `${status} (a redirect is not followed)` : `${status}`;
}

/** Checks that no read shows another user. A read that shows no user fails another requirement. */
function checkExactUsers(history: History): Finding[] {
  const { rereads } = history;
  const users = firstUsersOf(history);
  if (users.length === 0) return whyNoUser(history);
  const firstReads = users.flatMap((user): Finding[] => {
    const read = user.reads[0] ?? users[0]?.reads[0];
    if (read === undefined) return whyNoUser(history);
    if (user.reads.length === 0) return [];
    if (user.identifier || read.others.length > 0) return [verifyExact(user, read)];
    return whyNoUser(history);
  });
  const laterReads = rereads
    .filter(({ why, read, user }) => {
      if (why === 'unlisted' || !showsOthers(read)) return false;
      return !sharesValues(user, history.creations) && !isRightForAnother(read, user, history);
    })
    .map(({ user, read }) => verifyExact(user, read));
  return [...firstReads, ...checkReadsOfCreations(history), ...laterReads];
}

/** Checks the reads that no other request was concurrent with. */
function checkReadsOfCreations(history: History): Finding[] {
  const { creations, results, rereads } = history;
  const concurrentCreations = new Set(
    results.flatMap(({ concurrent }) => concurrent?.creation ?? []),
  );
  const concurrentReads = new Set(rereads.map(({ concurrent }) => concurrent?.exchange));
  return creations.flatMap((creation): Finding[] => {
    if (concurrentCreations.has(creation) || creation.isConcurrent) return [];
    const wrong = creation.reads
      .filter((read) => showsOthers(read) && !concurrentReads.has(read.exchange))
      .filter((read) => !isRightForAnother(read, creation, history));
    if (wrong.length === 0 || sharesValues(creation, creations)) return [];
    return wrong.map((read) => verifyExact(creation, read));
  });
}

/**
 * Whether another user was retrieved by the same identifier, so that not the retrieval is wrong but
 * the identifier, which a creation has mixed up.
 */
const isRightForAnother = ({ exchange }: Read, user: Creation, { creations }: History): boolean =>
  creations.some((other) => {
    if (other === user) return false;
    return other.reads.some((read) => {
      return read.exchange.request.path === exchange.request.path && showsOnlyUser(read);
    });
  });

const showsOthers = ({ ok, others }: Read) => ok && others.length > 0;

/** Verifies that a response shows its user and no other. */
function verifyExact({ user }: Creation, read: Read): Finding {
  const { ok, record, others, exchange } = read;
  if (isOpen(read)) return whyOpenRead(read);
  const emails = [...(record ? [user.email] : []), ...others];
  const shown = emails.slice(0, 3).join(', ') || 'no user';
  const got = ok ? shown : `${statusOf(exchange)}`;
  return verify(showsOnlyUser(read), `one user, ${user.email}`, got, exchange);
}

/** Whether another creation has the same email or name. */
export function sharesValues({ user }: Creation, creations: readonly Creation[]): boolean {
  const same = creations.filter((candidate) => {
    if (candidate.expected === 'rejected') return false;
    const isSameEmail = candidate.user.email.toLowerCase() === user.email.toLowerCase();
    return isSameEmail || candidate.user.name === user.name;
  });
  return same.length > 1;
}

/** Checks that plain users are retrieved as they were sent. */
function checkSentValues(history: History): Finding[] {
  const users = history.creations.flatMap((creation) => {
    const read = firstRead(creation);
    return creation.expected === 'created' && read ? [{ creation, read }] : [];
  });
  if (users.length === 0) return whyNoUser(history);
  const values = users.flatMap(({ creation, read }) =>
    (['email', 'name'] as const).map((name) => {
      const sent = creation.user[name];
      const shown = members(read.record ?? {})[name];
      const expected = `${name} ${show(sent)}`;
      return verify(shown === sent, expected, show(shown), creation.exchange, read.exchange);
    }),
  );
  return [...values, ...history.creations.flatMap(checkNotReplaced)];
}

/**
 * Checks that an identifier does not retrieve a record with neither the email nor the name that
 * were sent.
 */
function checkNotReplaced(creation: Creation): Finding[] {
  const { expected, identifier, reads, user, exchange, isSought } = creation;
  const read = reads.at(-1);
  if (expected !== 'created' || identifier || !isSought || read === undefined) return [];
  if (!read.ok || read.isUnreadable || read.others.length > 0) return [];
  return [failed(show(user), 'no such user', exchange, read.exchange)];
}

/** Checks that users from before the run are retrieved by the identifiers that the list shows. */
function checkExistingUsers(history: History): Finding | Finding[] {
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
    const expected = `${show({ email, name })} by the identifier ${identifier}`;
    return verify(showsUser(record, { email, name }), expected, got, list.exchange, exchange);
  });
}

export const retrieveUser = chapter('Retrieve a user', [
  must('retrieve.created-user', rule('7.1'), {
    sentence: 'The identifier of a created user retrieves the user, with a 2xx status.',
    needs: ['users', 'plain users'],
    check: (history) => [...checkFirstUsersRetrieved(history), ...checkRetrievedAlone(history)],
  }),

  must('retrieve.exact-user', rule('7.1'), {
    sentence: 'An identifier retrieves exactly its user: not another one, not several.',
    needs: ['users', 'plain users', 'end'],
    check: checkExactUsers,
  }),

  must('retrieve.values', rule('7.1'), {
    sentence: 'Retrieving a user shows the email and name that were sent.',
    needs: ['users', 'plain users'],
    check: checkSentValues,
  }),

  must('retrieve.existing-users', rule('7.1'), {
    sentence:
      'The identifier of a user who existed before the run retrieves that user, with the email and name that the list shows.',
    needs: ['users', 'end'],
    check: checkExistingUsers,
  }),
]);
