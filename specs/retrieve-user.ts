import { isAnswered } from '../src/http/exchange.ts';
import { shorten, show, textOf } from '../src/http/value.ts';
import { Missing, part, present, yieldOf } from '../src/plan/evidence.ts';
import { identifierMember } from '../src/plan/identifier.ts';
import { isReadable } from '../src/plan/look.ts';
import { isFine, isOf, members } from '../src/plan/record.ts';
import { anotherFor, isHidden, isKnown, type KnownRead, type UserSearch } from '../src/plan/seek.ts';
import { faultOf, settled, type Tried } from '../src/plan/step.ts';
import { attempted } from '../src/plan/steps/credentials.ts';
import { firstUsers, whyUnknown } from '../src/plan/steps/first.ts';
import { isAsBefore, type RereadCase, rereads } from '../src/plan/steps/reads.ts';
import { each, type Finding, missing, notApplicable, notVerified, PASSED, that } from '../src/requirement/finding.ts';
import { onUsed } from './authentication.ts';
import { keptRivals, keptTogether } from './creations-together.ts';
import { isStoredAsSent } from './http.ts';
import { looks, unreadList } from './list-consistency.ts';
import { chapter, drawn, must, rule } from './requirement.ts';
import { keptUnusual } from './round-trip.ts';
import { retrievalsAfterBad } from './survival.ts';
import { rewritten } from './writings.ts';

/** The answer holds the user, nobody else and not several. */
function holdsExactly({ creation, read }: KnownRead): Finding {
  const { email } = creation.user;
  const { ok, record, others, exchange, unreadable } = read;
  if (!isAnswered(exchange) || (ok && unreadable)) return notVerified(exchange.failure ?? 'it is not JSON', exchange);
  const shown = [...(record ? [email] : []), ...others].slice(0, 3).join(', ') || 'no user';
  return that(isFine(read), `one user, ${email}`, ok ? shown : `${exchange.response?.status}`, exchange);
}

/** The identifier of a user is found; or there is none, which is judged where it belongs. */
function isRetrieved(sought: UserSearch): Finding {
  const { creation, read } = sought;
  if (isKnown(sought)) return PASSED;
  const isOthersMatter = read && (!isAnswered(read.exchange) || (read.ok && read.unreadable) || read.others.length > 0);
  if (isHidden(sought) || isOthersMatter) return missing(whyUnknown(sought));
  if (!read && creation.exchange?.response?.cut) {
    return notVerified('the create response is longer than the suite reads', creation.exchange);
  }
  const status = read?.exchange.response?.status ?? 0;
  const redirected = status >= 300 && status < 400 ? ' (a redirect is not followed)' : '';
  const expected =
    'an identifier (in the create response, its Location or the list) that retrieves the user with a 2xx status';
  const got = read ? `${status}${read.ok ? ' without the user in it' : redirected}` : 'no value that could be one';
  return that(false, expected, got, creation.exchange, read?.exchange);
}

/** An identifier retrieves its user and nobody else. */
function isExact(sought: UserSearch): Finding {
  const { creation, read } = sought;
  return read && !isHidden(sought) && (isKnown(sought) || read.others.length > 0)
    ? holdsExactly({ creation, read })
    : missing(whyUnknown(sought));
}

/** What stands in the place of others' identifiers leads to nobody else, with nothing else under way either. */
function isNotAnother({ first, usual = first }: Tried<UserSearch>): Finding[] {
  const read = anotherFor(usual);
  return read ? [holdsExactly({ creation: usual.creation, read })] : [];
}

/**
 * Plain users who were created alone, to find out about something else, and whose identifier retrieved somebody else:
 * nothing can be found out by them.
 */
const mixedUp = part(({ creations }) =>
  creations.flatMap((creation): KnownRead[] => {
    const { fate, inCompany, missed } = creation;
    return fate === 'must' && !inCompany && missed && missed.others.length > 0 ? [{ creation, read: missed }] : [];
  }),
);

/** A user is retrieved as it was sent. */
function showsWhatWasSent(sought: UserSearch): Finding[] {
  const { creation, read } = sought;
  if (read?.record === undefined) return [missing(whyUnknown(sought))];
  const { record, exchange } = read;
  return (['email', 'name'] as const).map((member) => {
    const [sent, shown] = [creation.user[member], members(record)[member]];
    return that(shown === sent, `${member} ${show(sent)}`, show(shown), creation.exchange, exchange);
  });
}

/** Known users, whom only a thorough run retrieves again. */
export const knownUsersAgain = drawn(rereads);

/** A user who is read again, later or in company, is the same as before. */
function isUnchanged({ creation, read }: KnownRead, identifier?: string): Finding[] {
  const { ok, record, exchange } = read;
  if (!isAnswered(exchange)) return [notVerified(`${exchange.failure}`, exchange)];
  if (!ok || !record) return [that(false, 'the user again', `${exchange.response?.status}`, exchange)];
  const old = creation.read?.record ?? {};
  return ['email', 'name', ...(identifier ? [identifier] : [])].map((member) => {
    const [was, is] = [old[member], record[member]].map((value) => textOf(value) ?? show(value));
    return that(was === is, `${member} ${show(was)} again`, show(is), exchange);
  });
}

/** A read shows no other user. */
const showsNoOther = (one: KnownRead) => (one.read.ok && one.read.others.length > 0 ? [holdsExactly(one)] : []);

/** A read in company shows the user. */
function isAsAlone(holds: boolean, { creation, read }: UserSearch | KnownRead): Finding {
  const got = read?.others.join(', ') || `${read?.exchange.response?.status}`;
  return that(holds, `the user ${creation.user.email}, as when no other request is in progress`, got, read?.exchange);
}

/** It shows no other user. Of one who was retrieved before, none at all is no lag, either. */
function isNotMixedUp<T>(tried: Tried<T>, isRight: (one: T) => boolean, one?: UserSearch | KnownRead): Finding[] {
  if (!one?.read?.ok || faultOf(tried, isRight) !== 'company') return [];
  const isWrong = 'tries' in one ? one.read.others.length > 0 : !one.read.unreadable && !isFine(one.read);
  return isWrong ? [isAsAlone(false, one)] : [];
}

/** Whether a read goes wrong by what else was sent, and is right alone. */
const isUpset = (one: Tried<KnownRead, RereadCase>): boolean =>
  faultOf(one, ({ read }) => isFine(read)) === 'company' && isAnswered(one.first.read.exchange);

const users = yieldOf(firstUsers);

export const retrieveUser = chapter('Retrieve a user', [
  must('retrieve.created-user', rule('7.1'), {
    sentence: 'The identifier of a created user retrieves the user, with a 2xx status.',
    evidence: { users, kept: keptTogether },
    check: ({ users: { first, second }, kept }) => [
      ...each([first, second], isRetrieved),
      // One that is not found even when it was created alone is not lost among others.
      ...each(kept, ({ again }) => (again ? isRetrieved(again) : [])),
    ],
  }),

  must('retrieve.exact-user', rule('7.1'), {
    sentence: 'An identifier retrieves exactly its user: not another one, not several.',
    evidence: {
      ...{ users, later: knownUsersAgain, keys: attempted(...onUsed), mixedUp },
      ...{ kept: keptTogether, unusual: keptUnusual, written: rewritten.kept, further: rewritten.keptFurther },
    },
    check: ({ users: { first, second, again }, later, kept, unusual, written, further, keys, mixedUp }) => [
      ...mixedUp.map(holdsExactly),
      ...present(keys).flatMap(({ usual }) => (usual ? showsNoOther(usual) : [])),
      ...each([...kept, ...unusual, ...written, ...further], isNotAnother),
      ...each([first, second, again], isExact),
      // One who is not there at all any more is not repeatable; one who is somebody else is not exact.
      ...each(later, (one) => showsNoOther(settled(one))),
    ],
  }),

  must('retrieve.values', rule('7.1'), {
    sentence: 'Retrieving a user shows the email and name that were sent.',
    evidence: { users, kept: keptTogether, written: rewritten.kept, later: rewritten.packets, rivals: keptRivals },
    check: ({ users: { first, second }, kept, written, later, rivals }) => [
      ...(first.creation.exchange ? showsWhatWasSent(first) : [notApplicable('read-only: no user is created')]),
      ...each([second], showsWhatWasSent),
      ...each(kept, (one) => (isKnown(settled(one)) ? showsWhatWasSent(settled(one)) : [])),
      ...each([...written, ...later, ...rivals], isStoredAsSent),
    ],
  }),

  must('retrieve.existing-users', rule('7.1'), {
    sentence:
      'The identifier of a user who existed before the run retrieves that user, with the email and name that the list shows.',
    evidence: { looks },
    check: ({ looks: { old, last } }) => {
      const hasData = last.ok && last.faults.data === undefined;
      if (hasData && last.others === 0) return notApplicable('the list shows no user from before the run');
      if (!isReadable(last)) return unreadList(last);
      if (old.length === 0) return notApplicable('the list shows no identifier of the users from before the run');
      return old.map((user) => {
        const { email, name, identifier, look, exchange, record } = user;
        if (!isAnswered(exchange)) return notVerified(`${exchange.failure}`, exchange);
        const got = record ? show(members(record)) : `${exchange.response?.status} without a user`;
        const expected = `${show({ email, name })} by the identifier ${shorten(identifier.text, 40)}`;
        return that(isOf(record, user), expected, got, look.exchange, exchange);
      });
    },
  }),

  must('retrieve.repeatable', rule('7.1'), {
    sentence: 'Two reads of an unchanged user, however far apart, agree on identifier, email and name.',
    evidence: { users, looks, later: knownUsersAgain, member: part(({ creations }) => identifierMember(creations)) },
    check: ({ users: { first, again }, looks: { firstUser, unread }, later, member }) => [
      ...each([firstUser], (one) => {
        const isLostAtOnce = !(again instanceof Missing) && !again.read?.record;
        if (isLostAtOnce) return notVerified('the second read did not find the user', again.read?.exchange);
        if (first.read?.record === undefined) return missing(whyUnknown(first));
        return isUnchanged(one, member);
      }),
      ...unread.flatMap((one) => isUnchanged(one, member)),
      ...each(later, (one) => isUnchanged(isUpset(one) && one.one.after ? one.first : settled(one), member)),
    ],
  }),

  must('retrieve.concurrent', rule('7.1'), {
    sentence: 'Concurrent reads are not mixed up: each shows its own user.',
    evidence: {
      ...{ kept: keptTogether, unusual: keptUnusual, written: rewritten.kept, later: rewritten.keptFurther },
      ...{ again: knownUsersAgain, rewritten: rewritten.retrievals, after: retrievalsAfterBad },
    },
    check: ({ kept, unusual, written, later, again, rewritten, after }) => [
      ...present([...unusual, ...written, ...later]).flatMap((one) => isNotMixedUp(one, isKnown, one.first)),
      ...present(rewritten).flatMap((one) => isNotMixedUp(one, isAsBefore, one.first)),
      ...present(after).flatMap((one) => isNotMixedUp(one, ({ isRight }) => isRight, one.first.retrieved)),
      ...each(again, (one) => isAsAlone(!isUpset(one) || one.one.after !== undefined, one.first)),
      ...each(kept, (one) => {
        const { first } = one;
        const fault = faultOf(one, isKnown);
        const isLost = first.read !== undefined && !isAnswered(first.read.exchange);
        if (isHidden(first) || (fault !== 'none' && (fault !== 'company' || isLost))) return missing(whyUnknown(first));
        return isAsAlone(fault === 'none', first);
      }),
    ],
  }),
]);
