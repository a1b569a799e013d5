import { type Creation, firstRead } from '../src/history/creation.ts';
import type { Attempt, CaseResult, History } from '../src/history/history.ts';
import { identifierMember } from '../src/history/identifier-member.ts';
import { type Read, showsOnlyUser } from '../src/history/record.ts';
import { isServerError, isTelling } from '../src/http/exchange.ts';
import { textOf } from '../src/http/value.ts';
import { asUsual, type Case, CREATE, type UserKind } from '../src/requirement/case.ts';
import { type Finding, failed, passed, verify } from '../src/requirement/finding.ts';
import { statusOf, whyOpen } from './expectations.ts';
import { whyUnproven } from './first-users.ts';
import { PLAIN_KINDS } from './plain-users.ts';
import { chapter, must, rule } from './requirement.ts';

/** The name of the usual creation. */
export const PLAIN = 'a plain user';

/** A creation that is sent at the same moment as others. */
export const together = (name: string, user: UserKind): Case => ({
  name,
  operation: CREATE,
  change: asUsual,
  phase: 'together',
  expected: 'created',
  user,
});

/** As many users at the same moment as a busy minute has, each of another kind. */
export const plainCreations: Case[] = PLAIN_KINDS.map(({ name, user }) => together(name, user));

/** The creation of an attempt. */
export const creationOf = ({ creation }: Attempt, { creations }: History): Creation | undefined =>
  creations[creation ?? -1];

/** Why a creation among others is not as it must be; undefined if it is. */
export function faultOf(attempt: Attempt, history: History): Finding | undefined {
  const creation = creationOf(attempt, history);
  if (creation === undefined) return undefined;
  const { exchange, read } = attempt;
  if (creation.response === 'rejected')
    return failed('a 2xx status', `${statusOf(exchange)}`, exchange);
  if (creation.response !== 'accepted') return undefined;
  const expected = `the user ${creation.user.email}`;
  if (creation.missingIn) {
    return failed(expected, 'none in a list of all users', creation.exchange, creation.missingIn);
  }
  if (read === undefined) return undefined;
  if (!isTelling(read.exchange) || (read.ok && read.isUnreadable)) return undefined;
  if (showsOnlyUser(read)) return undefined;
  return failed(expected, describeRead(read), creation.exchange, read.exchange);
}

/** Describes a response that does not show its user. */
export const describeRead = ({ others, exchange }: Read) =>
  others.length > 0 ? `another user, ${others.join(', ')}` : `no such user (${statusOf(exchange)})`;

/** Expects that a user who was created among others is there, as one created alone is. */
function expectKept(result: CaseResult, history: History): Finding[] {
  const unproven = whyUnproven(history);
  if (unproven) return [unproven];
  const { concurrent, control, exchange } = result;
  if (concurrent) {
    const fault = faultOf(concurrent, history);
    return fault?.outcome === 'failed'
      ? [{ ...fault, got: `${fault.got}, and the right one when created alone` }]
      : [];
  }
  // It is no different alone.
  if (control) return [];
  return [faultOf(result, history) ?? (isTelling(exchange) ? passed(exchange) : whyOpen(exchange))];
}

/** Other creations that went wrong while other requests were in flight, and are right alone. */
function areKeptAmongOthers(history: History): Finding[] {
  return history.results.flatMap((result): Finding[] => {
    const { concurrent, slugs, operation, name } = result;
    const isOwn =
      slugs.includes('create.concurrent') || slugs.some((slug) => slug.startsWith('create.same-'));
    if (concurrent === undefined || operation !== CREATE || isOwn) return [];
    const fault = faultOf(concurrent, history);
    if (fault?.outcome !== 'failed' || isServerError(concurrent.exchange)) return [];
    return [
      { ...fault, got: `${fault.got}, and the right one when created alone`, caseName: name },
    ];
  });
}

/** A plain creation in the mixed burst is accepted, as the same one is alone. */
function areAcceptedAmongOthers({ creations }: History): Finding[] {
  const plain = creations.filter(({ name, exchange }) => name === PLAIN && exchange);
  const last = plain.findLast(
    ({ response, isConcurrent }) => response === 'accepted' && !isConcurrent,
  );
  return plain.flatMap(({ isConcurrent, response, exchange }): Finding[] => {
    const isDecided =
      isConcurrent && exchange && response !== 'unknown' && !isServerError(exchange);
    if (!isDecided || last === undefined || (last.exchange?.id ?? 0) < exchange.id) return [];
    const got = `${statusOf(exchange)} while other requests were in flight, and a 2xx status alone`;
    return [verify(response === 'accepted', 'a 2xx status', got, exchange, last.exchange)];
  });
}

/** The identifiers of users who were created at the same moment are all different. */
function areDistinct({ creations }: History): Finding[] {
  const users = creations.filter(({ isConcurrent, identifier }) => isConcurrent && identifier);
  const texts = users.map(({ identifier }) => identifier?.text);
  const second = users.find((_, index) => texts.indexOf(texts[index]) < index);
  const got = `twice ${second?.identifier?.text}`;
  return users.length < 2 ? [] : [verify(!second, 'an identifier for each', got, second?.exchange)];
}

/**
 * A create response does not show the identifier of another user, if the service shows identifiers in that member:
 * the client would take the other user for its own.
 */
function showOwnIdentifiers({ creations }: History): Finding[] {
  const member = identifierMember(creations.map((one) => [one.identifier?.text, one.shown]));
  const name = member ?? identifierMemberOf(creations);
  if (name === undefined) return [];
  const shown = creations.flatMap((creation) => {
    // A negative request that is carried out fails another requirement; a POST to a user's path is free.
    const isCreation =
      creation.expected !== 'rejected' && creation.exchange?.request.path.endsWith('/users');
    const text = isCreation ? textOf(creation.shown?.[name]) : undefined;
    return text === undefined ? [] : [{ creation, text }];
  });
  const right = shown.filter(({ creation, text }) => creation.identifier?.text === text);
  if (right.length < 2) return [];
  const wrong = shown.flatMap(({ creation, text }, index): Finding[] => {
    const before = shown.slice(0, index).find((other) => other.text === text)?.creation;
    if (before && !mayBeSame(creation, before)) {
      const got = `${name} ${text}, which ${before.user.email} got as well`;
      const expected = `an identifier of its own for ${creation.user.email}`;
      return [failed(expected, got, before.exchange, creation.exchange)];
    }
    if (
      !creation.isConcurrent ||
      creation.identifier === undefined ||
      creation.identifier.text === text
    )
      return [];
    const other = creations.find(
      ({ identifier, isConcurrent }) => isConcurrent && identifier?.text === text,
    );
    if (other === undefined) return [];
    const got = `${name} ${text}, which is that of ${other.user.email}, who was created concurrently`;
    return [
      failed(`the identifier of ${creation.user.email}`, got, creation.exchange, other.exchange),
    ];
  });
  return wrong.slice(0, 1);
}

const identifierMemberOf = (creations: readonly Creation[]) =>
  identifierMember(
    creations.map((creation) => [creation.identifier?.text, firstRead(creation)?.record]),
  );

/** Whether a service may take the second of two creations for the first. */
function mayBeSame(
  { user, isConcurrent }: Creation,
  { user: other, isConcurrent: isOther }: Creation,
): boolean {
  const isLater = !(isConcurrent && isOther);
  const isSameEmail = user.email.toLowerCase() === other.email.toLowerCase();
  return isSameEmail || (isLater && user.name === other.name);
}

/** A shorter text may be the same by chance. */
const TELLING_CHARACTERS = 5;

/** No user shows an email or a name that was sent for another one. */
function showOwnValues({ creations }: History): Finding[] {
  const names = ['email', 'name'] as const;
  const sentFor = new Map(
    creations.flatMap((one) => names.map((name) => [one.user[name], one] as const)),
  );
  return creations.flatMap((creation) =>
    names.flatMap((name): Finding[] => {
      const read = firstRead(creation);
      const shown = textOf(read?.record?.[name]) ?? '';
      const sent = creation.user[name];
      const other = sentFor.get(shown);
      if (shown.toLowerCase() === sent.toLowerCase() || shown.length < TELLING_CHARACTERS)
        return [];
      if (other?.exchange === undefined || other.user[name] !== shown) return [];
      const got = `${shown}, which was sent for another user`;
      return [failed(`the ${name} ${sent}`, got, other.exchange, read?.exchange)];
    }),
  );
}

export const concurrentCreations = chapter('Create a user', [
  must('create.concurrent', rule('6.1'), {
    sentence:
      'Concurrent creations are all kept, each with an identifier, an email and a name of its own.',
    cases: plainCreations,
    expect: expectKept,
    check: (history) => [
      ...areKeptAmongOthers(history),
      ...areAcceptedAmongOthers(history),
      ...areDistinct(history),
      ...showOwnIdentifiers(history),
      ...showOwnValues(history),
    ],
    needs: ['list', 'users', 'plain users'],
  }),
]);
