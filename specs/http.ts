import { type Exchange, header, isAnswered, isSuccess, type Response } from '../src/http/exchange.ts';
import { BEARER } from '../src/http/key.ts';
import { show } from '../src/http/value.ts';
import { cases, wholeRun, type Yields } from '../src/plan/evidence.ts';
import { isReadable } from '../src/plan/look.ts';
import { isOf, type Read } from '../src/plan/record.ts';
import type { CreateResult } from '../src/plan/requests.ts';
import { isHidden, type KnownRead, type UserSearch } from '../src/plan/seek.ts';
import { faultOf, isFailure, settled, type Tried } from '../src/plan/step.ts';
import { isAsBefore, isComplete, listWrittenLate, type WrittenList } from '../src/plan/steps/reads.ts';
import { groups, kept, type UserTrial } from '../src/plan/steps/users.ts';
import { each, type Finding, notVerified, of, PASSED, that } from '../src/requirement/finding.ts';
import { together } from './creations-together.ts';
import { freelyAnswered, headersOf } from './refusals.ts';
import { chapter, must, ofEach, rfc, rule, should } from './requirement.ts';
import { changedList, inCapitalLetters, inChunks, listWritings, otherMediaType, rewritten } from './writings.ts';

/** Whether a request carries just the documented credentials. */
export const isAuthorised = ({ request }: Exchange) => headersOf(request).authorization === BEARER.authorization;

const hasBody = (response: Response | undefined) =>
  response !== undefined && (response.bodyBytes > 0 || response.jsonFault !== undefined) && response.cut !== true;

/** The answers of 2xx that carry a body, of all documented operations with the right key. */
function successesWithBody(run: Yields): Exchange[] {
  const users = `${new URL(run.baseUrl).pathname.replace(/\/$/, '')}/users`;
  const forbidden = run.creations.filter(({ fate }) => fate === 'must-not').map(({ exchange }) => exchange);
  return run.record.filter((exchange) => {
    const { path, headers } = exchange.request;
    const isOperation = path.startsWith(users) && isAuthorised(exchange) && !forbidden.includes(exchange);
    const asksForJson = /json|\*\//.test(headers.accept ?? '*/*');
    return isOperation && asksForJson && hasBody(exchange.response) && isSuccess(exchange);
  });
}

/**
 * Requests as usual that were carried out at least once: for the list, a user who was retrieved, and plain creations.
 */
function validRequests(run: Yields): Exchange[] {
  const usual = run.looks.filter(({ written }) => !written).map(({ exchange }) => exchange);
  const lists = usual.some(isSuccess) ? usual : [];
  const users = new Set(run.creations.flatMap(({ read }) => (read ? [read.exchange.request.path] : [])));
  const reads = run.record.filter((one) => users.has(one.request.path) && isAuthorised(one) && !run.bad.has(one.id));
  const made = new Set(run.creations.filter(({ answered }) => answered === 'created').map(({ what }) => what));
  const creations = run.creations.filter(({ fate, what }) => fate !== 'must-not' && made.has(what));
  return [...lists, ...reads, ...creations.flatMap(({ exchange }) => exchange ?? [])].filter(isAnswered);
}

function isNoError(exchange: Exchange, when = ''): Finding {
  const status = exchange.response?.status ?? 0;
  return that(!isFailure({ status }), 'a status below 500', `${status}${when}`, exchange);
}

/** What must hold of each of these bodies. */
const ofBodies = (judge: (exchange: Exchange) => Finding) => ({
  evidence: { run: wholeRun },
  check: ({ run }: { run: Yields }) => successesWithBody(run).map(judge),
});

/**
 * A writing as such is not answered as the usual request is: not for its company, and not where that one fails, too.
 */
function isAnsweredTheSame<T>(
  tried: Tried<T>,
  isRight: (one: T) => boolean,
  exchangeOf: (one: T) => Exchange,
  more = (_one: T) => '',
): Finding[] {
  const exchange = exchangeOf(tried.first);
  const fault = faultOf(tried, isRight);
  if (fault === 'none' || fault === 'company') return [PASSED];
  const isTold = [tried.first, tried.again ?? tried.first].every((one) => isAnswered(exchangeOf(one)));
  if (fault !== 'case' || !isTold) {
    const usual = tried.usual && exchangeOf(tried.usual);
    return [notVerified(exchange.failure ?? 'the request written as usual fails as well', exchange, usual)];
  }
  const got = `${exchange.response?.status}${more(tried.first)}`;
  return of(tried.one.what, that(false, 'the same response as to the usual request', got, exchange));
}

const isCreated = (mayBe?: number) => (one: Tried<CreateResult>) => {
  const isAllowed = ({ creation }: CreateResult) =>
    creation.answered === 'created' || creation.exchange?.response?.status === mayBe;
  return isAnsweredTheSame(one, isAllowed, ({ creation }) => creation.exchange as Exchange);
};

/** Where the usual list counts as few, somebody deletes users. */
const isListed = (one: Tried<WrittenList>) => {
  const { usual } = one;
  const isFewer = usual !== undefined && isReadable(usual.look) && !isComplete(usual);
  const isRight = isFewer ? ({ look }: WrittenList) => isReadable(look) : isComplete;
  const more = ({ look, least }: WrittenList) =>
    isReadable(look) && look.total < least ? ` with a total of ${look.total} instead of at least ${least}` : '';
  return isAnsweredTheSame(one, isRight, ({ look }) => look.exchange, more);
};

const isRetrieved = (one: Tried<KnownRead>) => isAnsweredTheSame(one, isAsBefore, ({ read }) => read.exchange);

/** A user who was created by a request in another writing is there, where users who were created as usual are. */
function isThere({ one, first, again }: UserTrial): Finding {
  // An identifier that leads to another user is of no use.
  const isNot = ({ exchange, ok, others }: Read) => isAnswered(exchange) && (!ok || others.length > 0);
  const isLost = ({ creation, read }: UserSearch) =>
    creation.answered === 'created' && (read === undefined || (read.record === undefined && isNot(read)));
  if (again === undefined || [first, again].some((sought) => isHidden(sought) || !isLost(sought))) return PASSED;
  const exchanges = [again.creation.exchange, again.read?.exchange];
  return that(false, show(again.creation.user), `no such user, each time (${one.what})`, ...exchanges);
}

/** A user who was created by a request in another writing is what was sent. */
export function isStoredAsSent(one: UserTrial): Finding[] {
  const { creation, read } = settled(one);
  // Users who are created as usual were found: what is found of none, alone too, has become another user.
  const isAnother = one.again !== undefined && read?.ok && !read.unreadable;
  if (isHidden(settled(one)) || (read?.record === undefined && !isAnother)) return [];
  const shown = read?.record && { email: read.record.email, name: read.record.name };
  const got = shown ? show(shown) : 'no such user';
  const isSame = isOf(shown, creation.user);
  return of(one.one.what, that(isSame, show(creation.user), got, creation.exchange, read?.exchange));
}

export const http = chapter('HTTP and JSON', [
  must('http.json', rule('1.2'), {
    sentence: 'The body of a 2xx response is JSON in UTF-8.',
    ...ofBodies((exchange) => {
      const fault = exchange.response?.jsonFault;
      return that(fault === undefined, 'a JSON body', `not JSON: ${fault}`, exchange);
    }),
  }),

  must('http.no-sporadic-error', rule('1.1'), {
    sentence: 'A valid request never gets a 500, not even once: alone or among others, the first or the hundredth.',
    evidence: { run: wholeRun },
    check: ({ run }) =>
      validRequests(run).map((exchange) => isNoError(exchange, '; the same request succeeds at other times')),
  }),

  should('http.content-type', rfc(9110, '8.3'), {
    sentence: 'A JSON body has the Content-Type application/json, or one that ends in +json.',
    ...ofBodies((exchange) => {
      const type = header(exchange, 'content-type') ?? 'none';
      const isJson = /^application\/([^;\s]+\+)?json\s*(;|$)/i.test(type);
      return that(isJson, 'the Content-Type application/json', type, exchange);
    }),
  }),

  should('http.no-byte-order-mark', rfc(8259, '8.1'), {
    sentence: 'A JSON body does not begin with a byte order mark.',
    ...ofBodies((exchange) => {
      return that(exchange.response?.byteOrderMark === false, 'JSON alone', 'a byte order mark before it', exchange);
    }),
  }),

  should('http.no-server-error', rfc(9110, '15.6'), {
    sentence: 'No request gets a 5xx status, whatever was sent.',
    evidence: { run: wholeRun, free: freelyAnswered },
    check: ({ run }) => run.record.filter(isAnswered).map((exchange) => isNoError(exchange)),
  }),

  must('http.equivalent-requests', rule('1.1'), {
    sentence:
      'Equivalent requests get the same response: Accept, further headers, case of header names, packets, connection, and the white space, order and escapes of the JSON may vary.',
    evidence: {
      listed: rewritten.lists,
      late: cases(listWrittenLate, ...listWritings.slice(1), changedList),
      retrieved: rewritten.retrievals,
      together: cases(groups.together.creations, ...together),
      created: cases(groups.written.creations, inCapitalLetters),
      createdLater: rewritten.created,
      kept: rewritten.bodies,
      keptTogether: kept(groups.together)(...together.filter(({ write }) => write)),
    },
    check: ({ listed, late, retrieved, together, created, createdLater, kept, keptTogether }) => [
      ...each([...listed, ...late], isListed),
      ...each(retrieved, isRetrieved),
      ...each([...together, ...created, ...createdLater], isCreated()),
      ...each(kept, isStoredAsSent),
      ...each(keptTogether, isThere),
    ],
  }),

  should('http.chunked-body', rfc(9112, '7.1'), {
    sentence: 'A create request with a chunked body is accepted, or rejected with 411.',
    // A server may insist on a Content-Length (RFC 9110, section 15.5.12).
    ...ofEach({ created: cases(groups.written.creations, inChunks), later: rewritten.chunks }, isCreated(411)),
  }),

  should('http.media-type', rfc(9110, '8.3.1'), {
    sentence: 'A create request is accepted with its media type in any case, and with a charset parameter.',
    ...ofEach({ created: cases(groups.written.creations, otherMediaType), later: rewritten.mediaTypes }, isCreated()),
  }),
]);
