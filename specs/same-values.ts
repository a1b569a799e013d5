import type { CaseResult, History } from '../src/history/history.ts';
import { members, showsOnlyUser } from '../src/history/record.ts';
import { isServerError } from '../src/http/exchange.ts';
import { show } from '../src/http/value.ts';
import { asUsual, type Case, CREATE, type UserKind } from '../src/requirement/case.ts';
import { type Finding, notVerified, passed, verify } from '../src/requirement/finding.ts';
import { creationOf, describeRead, faultOf, together } from './concurrent-creations.ts';
import { statusOf, whyOpen } from './expectations.ts';
import { whyUnproven } from './first-users.ts';
import { chapter, must, rule } from './requirement.ts';

/** A second user who shares something with another one. */
const twin = (name: string, user: UserKind): Case => ({
  name,
  operation: CREATE,
  change: asUsual,
  phase: 'twins',
  expected: 'either',
  user,
  rereadsShared: true,
});

const sameName = twin('the same name', { name: (_, other) => other.name });
const sameEmails = [
  twin('the same email', { email: (_, other) => other.email }),
  twin('the same email in upper case', { email: (_, other) => other.email.toUpperCase() }),
];

/** Users who share an email or a name and are created at the same moment: the service may reject one of two. */
const rival = (name: string, user: UserKind): Case => ({
  ...together(name, user),
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
    expect: (result, history) =>
      isRival(result) ? expectRival(result, history) : expectTwo(result, history),
  }),

  must('create.same-email', rule('6.1'), {
    sentence:
      'If the service accepts two users with the same email, they remain two users; if it rejects the second, the first is unchanged.',
    cases: [...sameEmails, firstRival, emailRival],
    expect: (result, history) =>
      isRival(result) ? expectRival(result, history) : expectTwo(result, history),
  }),
]);

/** Expects that two users who share something are both there; if the second is rejected, the first is unchanged. */
function expectTwo(
  { exchange, creation: index = -1, read, usual, of = -1 }: CaseResult,
  history: History,
): Finding[] {
  const { creations } = history;
  const second = creations[index];
  const other = creations[of];
  const unproven = whyUnproven(history);
  if (unproven) return [unproven];
  if (second === undefined || usual === undefined || other === undefined) {
    return [notVerified('no user could be retrieved', exchange)];
  }
  if (second.response === 'unknown') return [whyOpen(exchange)];
  const exchanges = [second.exchange, usual.exchange];
  const isUnchanged = showsOnlyUser(usual);
  const shown = usual.record ? show(members(usual.record)) : describeRead(usual);
  const first = verify(isUnchanged, `the first user, ${show(other.user)}`, shown, ...exchanges);
  if (second.response === 'rejected') return [first];
  if (read === undefined)
    return [first, notVerified('no response shows the identifier of the second user', exchange)];
  const isThere = second.identifier !== undefined && showsOnlyUser(read);
  const isOther = second.identifier?.text !== other.identifier?.text;
  return [
    first,
    verify(
      isThere,
      `the second user, ${show(second.user)}`,
      describeRead(read),
      ...exchanges,
      read.exchange,
    ),
    verify(isOther, 'two identifiers', `twice ${other.identifier?.text}`, ...exchanges),
  ];
}

/** Expects that a user who was accepted at the same moment as one with the same email or name is there. */
function expectRival(result: CaseResult, history: History): Finding[] {
  const unproven = whyUnproven(history);
  if (unproven) return [unproven];
  const { concurrent, exchange, read } = result;
  const attempt = concurrent ?? result;
  const creation = creationOf(attempt, history);
  if (creation === undefined || creation.response === 'unknown') return [whyOpen(exchange)];
  if (creation.response === 'rejected') {
    const status = `${statusOf(attempt.exchange)}`;
    return [
      verify(
        !isServerError(attempt.exchange),
        'a rejection, or the user',
        status,
        attempt.exchange,
      ),
    ];
  }
  const fault = faultOf(attempt, history);
  return [fault ?? (read ? passed(creation.exchange, read.exchange) : whyOpenRead(exchange))];
}

const whyOpenRead = (exchange: CaseResult['exchange']) =>
  notVerified('no response shows the identifier of the user', exchange);

const isRival = ({ name }: CaseResult) => /created at the same moment$/.test(name);
