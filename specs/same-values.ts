import type { CaseResult, History } from '../src/history/history.ts';
import { members, showsOnlyUser } from '../src/history/record.ts';
import { type Exchange, isServerError, isTelling } from '../src/http/exchange.ts';
import { show } from '../src/http/value.ts';
import { asUsual, type Case, CREATE, repeated, type UserKind } from '../src/requirement/case.ts';
import { type Finding, notVerified, passed, verify } from '../src/requirement/finding.ts';
import { concurrentCreation, describeWrongRead, faultOfCreation } from './concurrent-creations.ts';
import { whyOpen } from './expectations.ts';
import { whyUnproven } from './first-users.ts';
import { chapter, must, rule } from './requirement.ts';

/** A second user with the email or the name of an earlier one. */
const twin = (name: string, user: UserKind): Case => ({
  name,
  operation: CREATE,
  change: asUsual,
  phase: 'twins',
  expected: 'either',
  user,
  rereadsShared: true,
});

export const sameName = twin('the same name', { name: (_, other) => other.name });
export const sameEmail = repeated(twin('the same email', { email: (_, other) => other.email }));
const sameEmails = [
  sameEmail,
  twin('the same email in upper case', { email: (_, other) => other.email.toUpperCase() }),
];

/**
 * A user who is created concurrently with another of the same email or name: the service may reject
 * one of them.
 */
const rival = (name: string, user: UserKind): Case => ({
  ...concurrentCreation(name, user),
  expected: 'either',
});
const sharedEmail: UserKind['email'] = ({ tag, domain }) =>
  `both.${tag.replace(/\d+$/, '')}${domain}`;
const sharedName: UserKind['name'] = ({ tag }) => `Both ${tag.replace(/\d+$/, '')}`;
const firstRival = rival(
  'the first of three users who share an email or a name, created at the same moment',
  {
    email: sharedEmail,
    name: sharedName,
  },
);
const emailRival = rival(
  'the second of two users with the same email, created at the same moment',
  {
    email: sharedEmail,
  },
);
const nameRival = rival('the second of two users with the same name, created at the same moment', {
  name: sharedName,
});

export const sameValues = chapter('Create a user', [
  must('create.same-name', rule('6.1'), {
    sentence: 'If the service accepts two users with the same name, they remain two users.',
    cases: [sameName, firstRival, nameRival],
    expect: expectSeparateUsers,
  }),

  must('create.same-email', rule('6.1'), {
    sentence:
      'If the service accepts two users with the same email, they remain two users; if it rejects the second, the first is unchanged.',
    cases: [...sameEmails, firstRival, emailRival],
    expect: expectSeparateUsers,
  }),
]);

function expectSeparateUsers(result: CaseResult, history: History): Finding[] {
  const unproven = whyUnproven(history);
  if (unproven) return [unproven];
  // A user who is created at the same moment as the other has no first user.
  return result.user ? expectTwin(result) : expectRival(result);
}

/** Expects that both users exist; if the second was rejected, that the first is unchanged. */
function expectTwin({
  exchange,
  creation: second,
  read,
  usual,
  user: first,
}: CaseResult): Finding[] {
  if (second === undefined || usual === undefined || first === undefined) {
    return [notVerified('no user could be retrieved', exchange)];
  }
  if (second.response === 'unknown') return [whyOpen(exchange)];
  const exchanges = [second.exchange, usual.exchange];
  // A 500 fails `http.no-sporadic-error`.
  const isOpen = (sent: Exchange) => isServerError(sent) || !isTelling(sent);
  const open = [usual.exchange, read?.exchange].find((sent) => sent && isOpen(sent));
  if (open) return [whyOpen(open)];
  const shownFirst = usual.record ? show(members(usual.record)) : describeWrongRead(usual);
  const firstFinding = verify(
    showsOnlyUser(usual),
    `the first user, ${show(first.user)}`,
    shownFirst,
    ...exchanges,
  );
  if (second.response === 'rejected') return [firstFinding];
  if (read === undefined) {
    const reason = 'no response shows the identifier of the second user';
    return [firstFinding, notVerified(reason, exchange)];
  }
  const sharedIdentifier = first.identifier?.text;
  return [
    firstFinding,
    verify(
      second.identifier !== undefined && showsOnlyUser(read),
      `the second user, ${show(second.user)}`,
      describeWrongRead(read),
      ...exchanges,
      read.exchange,
    ),
    verify(
      second.identifier?.text !== sharedIdentifier,
      'two identifiers',
      `${sharedIdentifier} for both users`,
      ...exchanges,
    ),
  ];
}

/**
 * Expects that a concurrent user with the same email or name as another exists, if it was accepted.
 */
function expectRival(result: CaseResult): Finding[] {
  const { concurrent, exchange, read } = result;
  const attempt = concurrent ?? result;
  const { creation } = attempt;
  if (creation === undefined || creation.response === 'unknown') return [whyOpen(exchange)];
  // A 500 fails `http.no-server-error` alone.
  if (creation.response === 'rejected') return [passed(attempt.exchange)];
  const fault = faultOfCreation(attempt);
  if (fault) return [fault];
  if (read) return [passed(creation.exchange, read.exchange)];
  return [notVerified('no response shows the identifier of the user', exchange)];
}
