import { type Creation, firstRead } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import { type Read, showsOnlyUser } from '../src/history/record.ts';
import { isAnswered, isServerError } from '../src/http/exchange.ts';
import { show, textOf } from '../src/http/value.ts';
import { type Finding, failed, notVerified, passed, verify } from '../src/requirement/finding.ts';
import { statusOf } from './expectations.ts';
import { firstUsersOf, whyNoUser } from './first-users.ts';
import { chapter, must, rule } from './requirement.ts';
import { isOpen, whyOpenRead } from './retrieve-user.ts';

export const repeatedReads = chapter('Retrieve a user', [
  must('retrieve.repeatable', rule('7.1'), {
    sentence:
      'Two reads of an unchanged user, however far apart, agree on identifier, email and name.',
    needs: ['users', 'concurrency', 'end'],
    check: checkRepeatable,
  }),

  must('retrieve.concurrent', rule('7.1'), {
    sentence: 'Concurrent reads are not mixed up: each shows its own user.',
    needs: ['users', 'plain users', 'concurrency'],
    check: checkConcurrentReads,
  }),
]);

function checkRepeatable(history: History): Finding[] {
  const { rereads, identifierMembers } = history;
  const users = firstUsersOf(history);
  if (!users.some(({ identifier }) => identifier)) return whyNoUser(history);
  return rereads.flatMap(({ user, read, why, concurrent }): Finding[] => {
    const before = firstRead(user);
    if (why === 'unlisted' || before === undefined) return [];
    // A response that is right alone was mixed up with another one.
    if (concurrent && showsOnlyUser(read)) return [];
    return compareReads(before, read, identifierMembers.retrieved);
  });
}

/** Compares identifier, email and name in two reads of one user. */
function compareReads(before: Read, read: Read, member: string | undefined): Finding[] {
  const { ok, record, exchange } = read;
  if (!isAnswered(exchange)) return [notVerified(`${exchange.failure}`, exchange)];
  if (ok && read.others.length > 0)
    return [notVerified('the identifier retrieves another user', exchange)];
  if (isServerError(exchange)) return [notVerified(`a ${statusOf(exchange)}`, exchange)];
  if (!ok || record === undefined)
    return [failed('the user again', `${statusOf(exchange)}`, exchange)];
  return ['email', 'name', ...(member ? [member] : [])].map((name) => {
    const earlier = asText(before.record?.[name]);
    const later = asText(record[name]);
    return verify(earlier === later, `${name} ${show(earlier)} again`, show(later), exchange);
  });
}

const asText = (value: unknown) => textOf(value) ?? show(value);

/** Checks reads that were wrong while other requests were in flight, and right alone. */
function checkConcurrentReads(history: History): Finding[] {
  const { creations, rereads, results } = history;
  if (!firstUsersOf(history).some(({ identifier }) => identifier)) return whyNoUser(history);
  const ofRereads = rereads.flatMap(({ user, read, concurrent }) =>
    concurrent ? verifyConcurrent(user, concurrent, read) : [],
  );
  const ofCases = results.flatMap(({ concurrent, user, read }): Finding[] => {
    if (concurrent?.read === undefined || user === undefined || read === undefined) return [];
    return concurrent.creation ? [] : verifyConcurrent(user, concurrent.read, read);
  });
  const concurrentUser = creations.find(({ isConcurrent, reads }) => isConcurrent && reads[0]);
  const exchange = concurrentUser?.reads[0]?.exchange;
  return [...ofRereads, ...ofCases, ...(exchange ? [passed(exchange)] : [])];
}

/**
 * Verifies a read that was sent while other requests were in flight, if the same one is right
 * alone.
 */
function verifyConcurrent({ user }: Creation, concurrent: Read, alone: Read): Finding[] {
  if (!showsOnlyUser(alone)) return [];
  if (isOpen(concurrent)) return [whyOpenRead(concurrent)];
  const { others, exchange } = concurrent;
  const expected = `the user ${user.email}, as when no other request is in progress`;
  const got = others.join(', ') || `${statusOf(exchange)}`;
  return [verify(showsOnlyUser(concurrent), expected, got, exchange)];
}
