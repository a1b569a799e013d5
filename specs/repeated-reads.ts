import { type Creation, firstRead } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import { identifierMember } from '../src/history/identifier-member.ts';
import { type Read, showsOnlyUser } from '../src/history/record.ts';
import { type Exchange, isAnswered, isServerError } from '../src/http/exchange.ts';
import { show, textOf } from '../src/http/value.ts';
import { type Finding, failed, notVerified, passed, verify } from '../src/requirement/finding.ts';
import { statusOf } from './expectations.ts';
import { firstUsersOf, whyNoUser } from './first-users.ts';
import { chapter, must, rule } from './requirement.ts';
import { isOpen, whyOpenRead } from './retrieve-user.ts';

/** Compares two reads of one user: identifier, email and name. */
function agree(before: Read, read: Read, member: string | undefined): Finding[] {
  const { ok, record, exchange } = read;
  if (!isAnswered(exchange)) return [notVerified(`${exchange.failure}`, exchange)];
  if (ok && read.others.length > 0)
    return [notVerified('the identifier retrieves another user', exchange)];
  if (isServerError(exchange)) return [notVerified(`a ${statusOf(exchange)}`, exchange)];
  if (!ok || record === undefined)
    return [failed('the user again', `${statusOf(exchange)}`, exchange)];
  return ['email', 'name', ...(member ? [member] : [])].map((name) => {
    const [was, is] = [before.record?.[name], record[name]].map(
      (value) => textOf(value) ?? show(value),
    );
    return verify(was === is, `${name} ${show(was)} again`, show(is), exchange);
  });
}

function areRepeatable(history: History): Finding[] {
  const { creations, rereads } = history;
  const member = identifierMember(
    creations.map((creation) => [creation.identifier?.text, firstRead(creation)?.record]),
  );
  const users = firstUsersOf(history);
  if (!users.some(({ identifier }) => identifier)) return whyNoUser(history);
  return rereads.flatMap(({ of, read, why, concurrent }): Finding[] => {
    const before = firstRead(creations[of] as Creation);
    if (why === 'unlisted' || before === undefined) return [];
    // A response that is right alone was mixed up with another one.
    if (concurrent && showsOnlyUser(read)) return [];
    return agree(before, read, member);
  });
}

/** Whether a read in company was wrong, and is right alone. */
function areNotMixedUp(history: History): Finding[] {
  const { creations, rereads, results } = history;
  if (!firstUsersOf(history).some(({ identifier }) => identifier)) return whyNoUser(history);
  const expected = (creation: Creation) =>
    `the user ${creation.user.email}, as when no other request is in progress`;
  const judge = (creation: Creation, concurrent: Read, alone: Read | undefined): Finding[] => {
    if (alone === undefined || !showsOnlyUser(alone)) return [];
    if (isOpen(concurrent)) return [whyOpenRead(concurrent)];
    const got = concurrent.others.join(', ') || `${statusOf(concurrent.exchange)}`;
    return [verify(showsOnlyUser(concurrent), expected(creation), got, concurrent.exchange)];
  };
  const reread = rereads.flatMap(({ of, read, concurrent }) =>
    concurrent ? judge(creations[of] as Creation, concurrent, read) : [],
  );
  const ofCases = results.flatMap(({ concurrent, of, read }): Finding[] => {
    const creation = creations[concurrent?.creation ?? of ?? -1];
    if (concurrent?.read === undefined || creation === undefined) return [];
    // A user who is not there at all was lost when it was created.
    const isMixedUp = concurrent.creation === undefined || concurrent.read.others.length > 0;
    return isMixedUp && read ? judge(creation, concurrent.read, read) : [];
  });
  const shown: Exchange[] = creations.flatMap(({ isConcurrent, reads }) =>
    isConcurrent && reads[0] ? [reads[0].exchange] : [],
  );
  return [...reread, ...ofCases, ...shown.slice(0, 1).map((exchange) => passed(exchange))];
}

export const repeatedReads = chapter('Retrieve a user', [
  must('retrieve.repeatable', rule('7.1'), {
    sentence:
      'Two reads of an unchanged user, however far apart, agree on identifier, email and name.',
    needs: ['users', 'concurrency', 'end'],
    check: areRepeatable,
  }),

  must('retrieve.concurrent', rule('7.1'), {
    sentence: 'Concurrent reads are not mixed up: each shows its own user.',
    needs: ['users', 'plain users', 'concurrency'],
    check: areNotMixedUp,
  }),
]);
