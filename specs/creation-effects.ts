import { type Creation, firstRead, isAccepted } from '../src/history/creation.ts';
import type { CaseResult, History, LocationResult } from '../src/history/history.ts';
import { isReadable, itemsOf, type List } from '../src/history/list.ts';
import { type Item, members } from '../src/history/record.ts';
import { isAnswered } from '../src/http/exchange.ts';
import { show, textOf } from '../src/http/value.ts';
import {
  type Finding,
  failed,
  named,
  notApplicable,
  notVerified,
  passed,
  verify,
} from '../src/requirement/finding.ts';
import { wordCreations } from './create-user.ts';
import { statusOf, whyOpen } from './expectations.ts';
import { whyNoUser } from './first-users.ts';
import { effectOf } from './list-totals.ts';
import { finalLists, unreadable } from './lists.ts';
import { chapter, must, rfc, rule, should } from './requirement.ts';
import { letters, otherStrings } from './round-trip.ts';
import { chunkedCreation, mediaTypeCreation, rewrittenCreations } from './writings.ts';

export const creationEffects = chapter('Create a user', [
  must('create.accepted-exists', rule('6.1'), {
    sentence:
      'A user whose creation returned a 2xx status exists, whatever its values and however the request was written.',
    cases: [
      ...letters,
      ...otherStrings,
      ...rewrittenCreations,
      ...wordCreations,
      chunkedCreation,
      mediaTypeCreation,
    ],
    expect: expectExists,
    needs: 'everything',
    check: checkMistypedCreations,
  }),

  must('create.refused-creates-nothing', rule('6.1'), {
    sentence: 'A rejected create request creates nothing, not even later.',
    needs: 'everything',
    check: checkRejectedCreations,
  }),

  should('create.identifier-agrees', rfc(9110, '9.3.3'), {
    sentence:
      'If the create response shows the identifier in the same member as the retrieve response, they agree.',
    needs: ['users', 'plain users'],
    check: checkIdentifiersAgree,
  }),

  should('create.status-201', rfc(9110, '9.3.3'), {
    sentence: 'A create request returns 201, or 202 if the user appears later.',
    needs: ['users', 'end'],
    check: (history) =>
      checkCreateResponses(history, ({ created }) => {
        const status = statusOf(created);
        return verify(status === 201 || status === 202, 'status 201 or 202', `${status}`, created);
      }),
  }),

  should('create.location', rfc(9110, '9.3.3'), {
    sentence: 'The Location of a create response leads to the user; a 201 has one.',
    needs: ['users', 'end'],
    check: (history) => checkCreateResponses(history, expectLocation),
  }),
]);

/** Expects that a user whose creation was accepted exists. */
function expectExists({ creation, exchange }: CaseResult, history: History): Finding {
  if (creation === undefined) return whyOpen(exchange);
  // The requirement on the response itself reports that it is missing.
  if (creation.response === 'unknown') {
    return notApplicable('no response says that the creation was accepted');
  }
  if (!isAccepted(creation)) return notApplicable('the service rejects it');
  return verifyExists(creation, history);
}

/** Octets in a path that every server should support (RFC 9110 section 4.1). */
const LONGEST_PATH = 8000;

/** Verifies that a user whose creation was accepted is retrieved, whatever its values. */
function verifyExists(creation: Creation, history: History): Finding {
  const { identifier, reads, exchange, missingIn } = creation;
  const read = reads.at(-1);
  if (identifier) return passed(exchange, read?.exchange);
  if (read === undefined) {
    if (missingIn) return failed(RETRIEVABLE, NOT_LISTED, exchange, missingIn);
    const isListed = finalLists(history).some((list) => itemsOf(list, creation).length > 0);
    // If a service uses the name as identifier, for example, an empty one fits into no path.
    if (isListed) return notApplicable('no response shows an identifier that fits into a path');
    return notVerified('no response shows the identifier', exchange);
  }
  if (read.ok && !read.isUnreadable) return passed(exchange, read.exchange);
  if (!isAnswered(read.exchange) || read.isUnreadable) {
    return notVerified(read.exchange.failure ?? 'the response is not JSON', read.exchange);
  }
  if (read.exchange.request.path.length > LONGEST_PATH) {
    return notApplicable('the identifier is longer than the paths that every server supports');
  }
  const got = `${exchange && statusOf(exchange)}, and then ${statusOf(read.exchange)}`;
  return failed(RETRIEVABLE, got, exchange, read.exchange);
}

const RETRIEVABLE = 'a user who can be retrieved';
const NOT_LISTED = 'no such user in a list of all users';

/** Checks creations with values that are not strings, which a service may accept and convert. */
function checkMistypedCreations(history: History): Finding[] {
  const { creations, isReadOnly, results } = history;
  if (isReadOnly) return [notApplicable('read-only: nothing is created')];
  // If not even usual users can be retrieved, others prove nothing.
  if (!creations.some(({ identifier }) => identifier)) return whyNoUser(history);
  return results.flatMap(({ creation, slugs, name }) => {
    if (creation === undefined || !slugs.includes('create.strings-only')) return [];
    if (!isAccepted(creation) || !creation.isSought) return [];
    return named(name, verifyExists(creation, history));
  });
}

/** Checks that no rejected creation has created a user, neither at once nor later. */
function checkRejectedCreations(history: History): Finding | Finding[] {
  const { creations } = history;
  const rejected = creations.filter(
    (creation) => creation.response === 'rejected' && isMalformed(creation),
  );
  if (rejected.length === 0) {
    const isReadOnly = creations.every(({ exchange }) => exchange === undefined);
    return notApplicable(
      isReadOnly ? 'read-only: nothing is created' : 'no create request was rejected',
    );
  }
  const lists = finalLists(history);
  const [last] = lists;
  if (last === undefined) return [];
  if (!isReadable(last)) return unreadable(last);
  const failures = rejected.flatMap((creation): Finding[] => {
    const { name, expected, exchange } = creation;
    // A value that was stored with another type than a string fails another requirement.
    const isUser = (item: Item) => expected === 'rejected' || hasStrings(item);
    const list = lists.find((candidate) => itemsOf(candidate, creation).some(isUser));
    if (list === undefined) return [];
    const got = `a user created by the request with ${name}, which got ${exchange && statusOf(exchange)}`;
    return [failed('no user created by a rejected request', got, exchange, list.exchange)];
  });
  return [...failures, verifyTotalUnchanged(history, last)];
}

/** Whether a creation lacked email or name, or sent one of them with another type than a string. */
const isMalformed = ({ expected, traces }: Creation) =>
  expected === 'rejected' || Object.keys(traces).length === 1;

const hasStrings = (item: Item) =>
  Object.values(members(item)).every((value) => typeof value === 'string');

/** Verifies that the total did not grow when rejected creations were sent again. */
function verifyTotalUnchanged(history: History, last: List): Finding {
  const effect = effectOf(history, 'rejected creations') ?? 0;
  const burst = history.bursts.findLast(({ action }) => action === 'rejected creations');
  if (effect <= 0 || burst === undefined) return passed(burst?.before.exchange ?? last.exchange);
  const { before, after } = burst;
  return failed(
    'the total does not grow with rejected creations',
    `it grew by ${effect} when some were sent again, the last time from ${before.total} to ${after.total}`,
    before.exchange,
    after.exchange,
  );
}

/** Checks that create responses show the identifier that retrieves the user. */
function checkIdentifiersAgree(history: History): Finding[] {
  const { creations } = history;
  const users = creations.filter(({ exchange, identifier }) => exchange && identifier);
  if (users.length === 0) return whyNoUser(history);
  const { retrieved: member } = history.identifierMembers;
  if (member === undefined) return [notApplicable('no retrieve response shows the identifier')];
  const findings = users.flatMap((user): Finding[] => {
    const read = firstRead(user);
    const shown = textOf(user.shown?.[member]);
    const retrieved = textOf(read?.record?.[member]);
    if (shown === undefined || retrieved === undefined) return [];
    const expected = `the ${member} ${retrieved}, as retrieved`;
    return [verify(shown === retrieved, expected, shown, user.exchange, read?.exchange)];
  });
  if (findings.length > 0) return findings;
  return [notApplicable(`no create response has the member ${member}`)];
}

/** Checks the create responses of the first users. */
function checkCreateResponses(
  history: History,
  judge: (result: LocationResult) => Finding,
): Finding[] {
  const { locations, parts } = history;
  if (locations.length === 0 && parts.includes('end')) return whyNoUser(history);
  return locations.map(judge);
}

function expectLocation(result: LocationResult): Finding {
  const { created, location, isOwn, leadsToUser, followed } = result;
  const status = statusOf(created);
  if (location === undefined && status !== 201) {
    return notApplicable(`the create response has the status ${status} and no Location`);
  }
  return verify(
    isOwn && leadsToUser,
    'a Location that leads to the user',
    describeLocation(result),
    created,
    followed,
  );
}

function describeLocation({ location, followed }: LocationResult): string {
  if (location === undefined) return 'a 201 without one';
  if (followed === undefined) return show(location);
  return `${show(location)}, which returned ${followed.response?.status ?? 'nothing'}`;
}
