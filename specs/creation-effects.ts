import { type Creation, firstRead, isAccepted } from '../src/history/creation.ts';
import type { CaseResult, History, LocationResult } from '../src/history/history.ts';
import { identifierMember } from '../src/history/identifier-member.ts';
import { isReadable, itemsOf } from '../src/history/list.ts';
import { members } from '../src/history/record.ts';
import { isAnswered } from '../src/http/exchange.ts';
import { shorten, show, textOf } from '../src/http/value.ts';
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

/** Octets of a path that every server should take (RFC 9110 section 4.1). */
const LONGEST_PATH = 8000;

/** A user whose creation was accepted is retrieved, whatever its values. */
function exists(creation: Creation, index: number, history: History): Finding {
  const { identifier, reads, exchange, missingIn } = creation;
  const read = reads.at(-1);
  if (identifier) return passed(exchange, read?.exchange);
  const isListed = finalLists(history).some((list) => itemsOf(list, index).length > 0);
  if (read === undefined) {
    if (missingIn)
      return failed(
        'a user who can be retrieved',
        'none in a list of all users',
        exchange,
        missingIn,
      );
    // A name that is empty, for example, fits into no path.
    if (isListed) return notApplicable('no response shows an identifier that fits into a path');
    return notVerified('no response shows the identifier', exchange);
  }
  if (read.ok && !read.isUnreadable) return passed(exchange, read.exchange);
  if (!isAnswered(read.exchange) || read.isUnreadable) {
    return notVerified(read.exchange.failure ?? 'the response is not JSON', read.exchange);
  }
  if (read.exchange.request.path.length > LONGEST_PATH) {
    return notApplicable('the identifier is longer than the paths that every server takes');
  }
  const got = `${exchange && statusOf(exchange)}, and then ${statusOf(read.exchange)}`;
  return failed('a user who can be retrieved', got, exchange, read.exchange);
}

/** Expects that a user whose creation was accepted exists. */
function expectExists({ creation: index = -1, exchange }: CaseResult, history: History): Finding {
  const creation = history.creations[index];
  if (creation === undefined) return whyOpen(exchange);
  // Another requirement says that the response is missing.
  if (creation.response === 'unknown')
    return notApplicable('no response says that it was accepted');
  if (!isAccepted(creation)) return notApplicable('the service rejects it');
  return exists(creation, index, history);
}

/** Malformed creations that a service may accept and convert. */
function acceptedExist(history: History): Finding[] {
  const { creations, isReadOnly, results } = history;
  if (isReadOnly) return [notApplicable('read-only: nothing is created')];
  // If even usual users can't be retrieved, nothing is told about others.
  if (!creations.some(({ identifier }) => identifier)) return whyNoUser(history);
  return results.flatMap(({ creation: index = -1, slugs, name }) => {
    const creation = creations[index];
    const isMistyped = slugs.includes('create.strings-only');
    if (creation === undefined || !isMistyped || !isAccepted(creation) || !creation.isSought)
      return [];
    return named(name, exists(creation, index, history));
  });
}

/** A rejected creation made no user, neither at once nor later. */
function createNothing(history: History): Finding | Finding[] {
  const { creations } = history;
  const rejected = creations.flatMap((creation, index) => {
    const { expected, response, traces } = creation;
    // With one trace alone, the other member was not sent as a string.
    const isMalformed = expected === 'rejected' || Object.keys(traces).length === 1;
    return response === 'rejected' && isMalformed ? [{ creation, index }] : [];
  });
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
  const guilty = rejected.flatMap(({ creation, index }): Finding[] => {
    const { name, expected, exchange } = creation;
    // A value that is kept as it was sent, and is no string, fails another requirement.
    const isUser = (item: Record<string, unknown>) =>
      expected === 'rejected' ||
      Object.values(members(item)).every((value) => typeof value === 'string');
    const list = lists.find((one) => itemsOf(one, index).some(isUser));
    if (list === undefined) return [];
    const got = `a user created by the request with ${name}, which got ${exchange && statusOf(exchange)}`;
    return [failed('no user created by a rejected request', got, exchange, list.exchange)];
  });
  const effect = effectOf(history, 'rejected creations') ?? 0;
  const burst = history.bursts.findLast(({ action }) => action === 'rejected creations');
  const [before, after] = [history.lists[burst?.before ?? -1], history.lists[burst?.after ?? -1]];
  const expected = 'the total does not grow with rejected creations';
  const got = `it grew by ${effect} when some were sent again`;
  return [
    ...guilty,
    verify(effect <= 0, expected, got, before?.exchange ?? last.exchange, after?.exchange),
  ];
}

/** The create response shows the identifier that retrieves the user. */
function identifiersAgree(history: History): Finding[] {
  const { creations } = history;
  const users = creations.filter(({ exchange, identifier }) => exchange && identifier);
  if (users.length === 0) return whyNoUser(history);
  const member = identifierMember(
    users.map((user) => [user.identifier?.text, firstRead(user)?.record]),
  );
  if (member === undefined) return [notApplicable('no retrieve response shows the identifier')];
  const found = users.flatMap((user): Finding[] => {
    const text = textOf(user.shown?.[member]);
    if (text === undefined) return [];
    const known = user.identifier?.text ?? '';
    const expected = `the ${member} ${shorten(known, 40)}, as retrieved`;
    return [
      verify(text === known, expected, shorten(text, 40), user.exchange, firstRead(user)?.exchange),
    ];
  });
  return found.length > 0 ? found : [notApplicable(`no create response has the member ${member}`)];
}

/** Judges the create responses of the first users. */
const ofLocations = (judge: (result: LocationResult) => Finding) => (history: History) =>
  history.locations.length === 0 && history.parts.includes('end')
    ? whyNoUser(history)
    : history.locations.map(judge);

function leadsToUser({
  created,
  location,
  isOwn,
  leadsToUser: isRight,
  followed,
}: LocationResult): Finding {
  const status = statusOf(created);
  if (location === undefined && status !== 201) {
    return notApplicable(`the create response has the status ${status} and no Location`);
  }
  const answer = followed ? `, which returned ${followed.response?.status ?? 'nothing'}` : '';
  const got = location === undefined ? 'a 201 without one' : `${show(location)}${answer}`;
  return verify(isOwn && isRight, 'a Location that leads to the user', got, created, followed);
}

export const creationEffects = chapter('Create a user', [
  must('create.accepted-exists', rule('6.1'), {
    sentence:
      'A user whose creation returned a 2xx status exists, whatever its values and however the request was written.',
    cases: [
      ...[...letters, ...otherStrings, ...rewrittenCreations, ...wordCreations],
      ...[chunkedCreation, mediaTypeCreation],
    ],
    expect: expectExists,
    needs: 'everything',
    check: acceptedExist,
  }),

  must('create.refused-creates-nothing', rule('6.1'), {
    sentence: 'A rejected create request creates nothing, not even later.',
    needs: 'everything',
    check: createNothing,
  }),

  should('create.identifier-agrees', rfc(9110, '9.3.3'), {
    sentence:
      'If the create response shows the identifier in the same member as the retrieve response, they agree.',
    needs: ['users', 'plain users'],
    check: identifiersAgree,
  }),

  should('create.status-201', rfc(9110, '9.3.3'), {
    sentence: 'A create request returns 201, or 202 if the user appears later.',
    needs: ['users', 'end'],
    check: ofLocations(({ created }) => {
      const status = statusOf(created);
      return verify(status === 201 || status === 202, 'status 201 or 202', `${status}`, created);
    }),
  }),

  should('create.location', rfc(9110, '9.3.3'), {
    sentence: 'The Location of a create response leads to the user; a 201 has one.',
    needs: ['users', 'end'],
    check: ofLocations(leadsToUser),
  }),
]);
