import { isAccepted } from '../src/history/creation.ts';
import type { Attempt, CaseResult, History } from '../src/history/history.ts';
import { isReadable } from '../src/history/list.ts';
import { members, showsOnlyUser, showsUser } from '../src/history/record.ts';
import { type Exchange, isAnswered, isServerError, isSuccess } from '../src/http/exchange.ts';
import { show } from '../src/http/value.ts';
import { CREATE } from '../src/requirement/case.ts';
import {
  type Finding,
  failed,
  named,
  notVerified,
  passed,
  verify,
} from '../src/requirement/finding.ts';
import { faultOfCreation } from './concurrent-creations.ts';
import { statusOf, whyOpen } from './expectations.ts';
import { whyUnproven } from './first-users.ts';
import { totalWobbles } from './lists.ts';
import { chapter, must, rfc, rule, should } from './requirement.ts';
import {
  chunkedCreation,
  laterLists,
  mediaTypeCreation,
  rewrittenCreations,
  rewrittenReads,
} from './writings.ts';

const SAME = 'the same response as to the usual request';

export const equivalentRequests = chapter('HTTP and JSON', [
  must('http.equivalent-requests', rule('1.1'), {
    sentence:
      'Equivalent requests get the same response: Accept, further headers, case of header names, packets, connection, and the white space, order and escapes of the JSON may vary.',
    cases: [...rewrittenReads, ...rewrittenCreations, ...laterLists],
    expect: expectSame,
  }),

  must('http.concurrent-requests', rule('1.1'), {
    sentence: 'A valid request gets the same response whether or not other requests are in flight.',
    needs: 'everything',
    check: checkConcurrentRequests,
  }),

  should('http.chunked-body', rfc(9112, '7.1'), {
    sentence: 'A create request with a chunked body is accepted, or rejected with 411.',
    cases: [chunkedCreation],
    // A server may insist on a Content-Length (RFC 9110 section 15.5.12).
    expect: (result) => expectAccepted(result, 411),
  }),

  should('http.media-type', rfc(9110, '8.3.1'), {
    sentence:
      'A create request is accepted with its media type in any case, and with a charset parameter.',
    cases: [mediaTypeCreation],
    expect: (result) => expectAccepted(result),
  }),
]);

/**
 * Expects the response that the usual request gets. A fault that shows only concurrently fails
 * another requirement.
 */
function expectSame(result: CaseResult, history: History): Finding {
  return faultOf(result, history) ?? passed(result.exchange);
}

/** Returns what is wrong with the response to a valid request; undefined if nothing is. */
function faultOf(attempt: Attempt, history: History): Finding | undefined {
  const { exchange, list, creation } = attempt;
  if (!isAnswered(exchange)) return notVerified(`${exchange.failure}`, exchange);
  if (list !== undefined) return listFault(attempt, history);
  if (creation !== undefined) return creationFault(attempt, history);
  return readFault(attempt);
}

function readFault({ exchange, read, user }: Attempt): Finding | undefined {
  if (read === undefined || !showsOnlyUser(read)) {
    return failed(SAME, `${statusOf(exchange)}`, exchange);
  }
  const firstRecord = user?.reads[0]?.record;
  if (showsUser(read.record, members(firstRecord ?? {}))) return undefined;
  return failed(SAME, show(members(read.record ?? {})), exchange);
}

function listFault({ exchange, list }: Attempt, history: History): Finding | undefined {
  if (list === undefined) return undefined;
  if (!isReadable(list) || list.faults.users)
    return failed(SAME, `${statusOf(exchange)}`, exchange);
  const least = leastTotal(history, exchange);
  if (list.total >= least) return undefined;
  const got = `${statusOf(exchange)} with a total of ${list.total} instead of at least ${least}`;
  return failed(SAME, got, exchange);
}

/**
 * Returns the least total that a list may have: that of the usual list before it, unless the total
 * goes up and down.
 */
function leastTotal(history: History, { id }: Exchange): number {
  if (totalWobbles(history)) return 0;
  const earlier = history.lists.filter(
    (list) => !list.isRewritten && isReadable(list) && list.exchange.id < id,
  );
  return earlier.at(-1)?.total ?? 0;
}

function creationFault(attempt: Attempt, history: History): Finding | undefined {
  const { exchange, creation, read } = attempt;
  if (creation === undefined || creation.response === 'unknown') return whyOpen(exchange);
  const unproven = isAccepted(creation) ? whyUnproven(history) : undefined;
  if (unproven) return unproven;
  const fault = faultOfCreation(attempt);
  if (fault || read?.record === undefined || showsUser(read.record, creation.user)) return fault;
  return failed(show(creation.user), show(members(read.record)), exchange, read.exchange);
}

/**
 * Checks valid requests whose response was wrong while other requests were in flight, and right
 * alone.
 */
function checkConcurrentRequests(history: History): Finding[] {
  const { results } = history;
  const failures = results.flatMap((result): Finding[] => {
    const { concurrent, name, operation } = result;
    // Creations, and reads that show another user, have requirements of their own.
    if (concurrent === undefined || operation === CREATE || concurrent.read?.others.length)
      return [];
    if (!concurrent.exchange.isValid) return [];
    // A 500 fails `http.no-sporadic-error`.
    if (isServerError(concurrent.exchange)) return [];
    const fault = faultOf(concurrent, history);
    if (fault?.outcome !== 'failed') return [];
    const got = `${fault.got}; the right response when sent alone`;
    return named(`${operation}: ${name}`, { ...fault, got });
  });
  const valid = results.filter(({ exchange }) => exchange.isValid);
  return [...failures, ...valid.map(({ exchange }) => passed(exchange))];
}

/** Expects that a creation is accepted. Whether its user is stored as sent is a MUST of its own. */
function expectAccepted({ exchange, creation }: CaseResult, alternativeStatus?: number): Finding {
  if (!isAnswered(exchange) || creation?.response === 'unknown') return whyOpen(exchange);
  const status = statusOf(exchange);
  const isExpected = isSuccess(exchange) || status === alternativeStatus;
  return verify(isExpected, SAME, `${status}`, exchange);
}
