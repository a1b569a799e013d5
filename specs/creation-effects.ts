import { isAnswered } from '../src/http/exchange.ts';
import { shorten, show, textOf } from '../src/http/value.ts';
import { decided } from '../src/plan/count.ts';
import { orMissingOf, wholeRun, yieldOf } from '../src/plan/evidence.ts';
import { identifierMember } from '../src/plan/identifier.ts';
import { isReadable } from '../src/plan/look.ts';
import { members } from '../src/plan/record.ts';
import { isExpected, isHidden, isKnown, type UserSearch } from '../src/plan/seek.ts';
import { settled, type Tried } from '../src/plan/step.ts';
import { counting } from '../src/plan/steps/counting.ts';
import { firstUsers, locations, whyUnknown } from '../src/plan/steps/first.ts';
import { each, type Finding, missing, notApplicable, of, PASSED, that } from '../src/requirement/finding.ts';
import { isKept, keptInTurn } from './creations-together.ts';
import { looks, unreadList, whyNoUser } from './list-consistency.ts';
import { chapter, must, ofEach, rfc, rule, should } from './requirement.ts';
import { allParts, usersWithLetters, usersWithOthers } from './round-trip.ts';
import { rewritten } from './writings.ts';

/**
 * A user whose creation was accepted is retrieved, as whatever it is, and not only when created alone; whether it is
 * listed, the list's chapter says.
 */
function exists(one: Tried<UserSearch>): Finding[] {
  const sought = settled(one);
  const { creation, read, look } = sought;
  // Who is listed and shows no identifier has one that no path can have, such as an empty name.
  if (!isExpected(sought) && look?.ours.has(creation))
    return [notApplicable('the list shows the user, and no response an identifier that fits into a path')];
  if (isKnown(sought)) return isKept(one);
  if (read?.ok && !read.unreadable) return [PASSED];
  if (isHidden(sought) || (read && (read.unreadable || !isAnswered(read.exchange))))
    return [missing(whyUnknown(sought))];
  // Octets of a path that every server should take (RFC 9110, section 4.1).
  if (read && read.exchange.request.path.length > 8000)
    return [notApplicable('the identifier is longer than the paths that every server takes')];
  const status = creation.exchange?.response?.status;
  const got = read ? `${status}, and then ${read.exchange.response?.status}` : 'no identifier';
  return of(one.one.what, that(false, 'a user who can be retrieved', got, creation.exchange, read?.exchange));
}

export const creationEffects = chapter('Create a user', [
  must('create.accepted-exists', rule('6.1'), {
    sentence:
      'A user whose creation returned a 2xx status exists, whatever its values and however the request was written.',
    evidence: {
      ...{ letters: usersWithLetters, others: usersWithOthers, parts: allParts },
      ...{ written: rewritten.kept, later: rewritten.bodies, inPackets: rewritten.packets, inTurn: keptInTurn },
    },
    check: ({ letters, others, parts, written, later, inPackets, inTurn }) => [
      ...each([...letters, ...others, ...parts, ...written, ...later, ...inPackets], exists),
      ...each(inTurn, isKept),
    ],
  }),

  must('create.refused-creates-nothing', rule('6.1'), {
    sentence: 'A rejected create request creates nothing, not even later.',
    evidence: { run: wholeRun, looks, counting: yieldOf(counting) },
    check: ({ run, looks, counting }) => {
      // What has one trace alone was sent with something else than a string in the place of the other.
      const refused = run.creations.filter(({ fate, traces, answered }) => {
        return answered === 'refused' && (fate === 'must-not' || Object.keys(traces).length === 1);
      });
      if (refused.length === 0) {
        const isReadOnly = run.creations.every(({ exchange }) => exchange === undefined);
        return notApplicable(isReadOnly ? 'read-only: nothing is created' : 'no create request was rejected');
      }
      if (!isReadable(looks.last)) return unreadList(looks.last);
      const guilty = refused.flatMap((creation) => {
        const { fate, what, exchange } = creation;
        // What is kept as it was sent, and no string, is a matter of its own.
        const isUser = (item: Record<string, unknown>) =>
          fate === 'must-not' || Object.values(members(item)).every((value) => typeof value === 'string');
        const look = [looks.last, looks.later].find(({ ours }) => ours.get(creation)?.some(isUser));
        const got = `a user created by the request with ${what}, which got ${exchange?.response?.status}`;
        return look ? [that(false, 'no user created by a rejected request', got, exchange, look.exchange)] : [];
      });
      const effect = decided(counting.trials, 'rejected creations') ?? 0;
      const { before, after } = counting.trials.findLast(({ action }) => action === 'rejected creations') ?? {};
      const expected = `the total does not grow with ${refused.length} rejected creations`;
      const grows = that(effect <= 0, expected, `it grew by ${effect} each time`, before?.exchange, after?.exchange);
      return [...guilty, grows];
    },
  }),

  should('create.identifier-agrees', rfc(9110, '9.3.3'), {
    sentence: 'If the create response shows the identifier in the same member as the retrieve response, they agree.',
    evidence: { run: wholeRun, users: orMissingOf(firstUsers) },
    check: ({ run, users }) => {
      if (!run.creations.some(({ exchange, identifier }) => exchange && identifier)) return whyNoUser(users);
      const member = identifierMember(run.creations);
      if (member === undefined) return notApplicable('no retrieve response shows the identifier');
      const found = run.creations.flatMap(({ shown, identifier, exchange, read }) => {
        const text = textOf(shown?.[member]);
        if (text === undefined || identifier === undefined || !exchange || !read) return [];
        const expected = `the ${member} ${shorten(identifier.text, 40)}, as retrieved`;
        return [that(text === identifier.text, expected, shorten(text, 40), exchange, read.exchange)];
      });
      return found.length > 0 ? found : notApplicable(`no create response has the member ${member}`);
    },
  }),

  should('create.status-201', rfc(9110, '9.3.3'), {
    sentence: 'A create request returns 201, or 202 if the user appears later.',
    ...ofEach({ locations: yieldOf(locations) }, ({ status, created }) =>
      that(status === 201 || status === 202, 'status 201 or 202', `${status}`, created),
    ),
  }),

  should('create.location', rfc(9110, '9.3.3'), {
    sentence: 'The Location of a create response leads to the user; a 201 has one.',
    ...ofEach({ locations: yieldOf(locations) }, ({ status, location, isOwn, leadsToUser, created, followed }) => {
      if (location === undefined && status !== 201)
        return notApplicable(`the create response has the status ${status} and no Location`);
      const answer = followed ? `, which returned ${followed.response?.status ?? 'nothing'}` : '';
      const got = location === undefined ? 'a 201 without one' : `${show(location)}${answer}`;
      return that(isOwn && leadsToUser, 'a Location that leads to the user', got, created, followed);
    }),
  }),
]);
