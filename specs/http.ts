import { isAccepted } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import { foreignNamesIn } from '../src/http/content-coding.ts';
import {
  type Exchange,
  header,
  isAnswered,
  isServerError,
  isSuccess,
  type Response,
} from '../src/http/exchange.ts';
import { isAuthorized } from '../src/requirement/case.ts';
import { type Finding, verify } from '../src/requirement/finding.ts';
import { statusOf } from './expectations.ts';
import { freeRequests } from './free-requests.ts';
import { chapter, must, rfc, rule, should } from './requirement.ts';

export const http = chapter('HTTP and JSON', [
  must('http.json', rule('1.2'), {
    sentence: 'The body of a 2xx response is JSON in UTF-8.',
    needs: 'everything',
    check: (history) =>
      successesWithBody(history).map((exchange) => {
        const fault = exchange.response?.jsonFault;
        return verify(fault === undefined, 'a JSON body', `not JSON: ${fault}`, exchange);
      }),
  }),

  must('http.no-sporadic-error', rule('1.1'), {
    sentence:
      'A valid request never gets a 500, not even once: alone or among others, the first or the hundredth.',
    needs: 'everything',
    check: (history) =>
      validRequests(history).map((exchange) =>
        expectNoServerError(exchange, '; the same request succeeds at other times'),
      ),
  }),

  should('http.content-type', rfc(9110, '8.3'), {
    sentence: 'A JSON body has the Content-Type application/json, or one that ends in +json.',
    needs: 'everything',
    check: (history) =>
      successesWithBody(history).map((exchange) => {
        const type = header(exchange, 'content-type') ?? 'none';
        const isJson = /^application\/([^;\s]+\+)?json\s*(;|$)/i.test(type);
        return verify(isJson, 'the Content-Type application/json', type, exchange);
      }),
  }),

  should('http.content-coding', rfc(9110, '8.4.1'), {
    sentence:
      'A Content-Encoding names a content coding (gzip, br), not a charset or a word such as none.',
    needs: 'everything',
    check: (history) =>
      exchangesBeforeStop(history)
        .filter(isAnswered)
        .map((exchange) => {
          const value = header(exchange, 'content-encoding') ?? '';
          const isCoding = foreignNamesIn(value).length === 0;
          return verify(isCoding, 'a registered content coding, or none', value, exchange);
        }),
  }),

  should('http.no-byte-order-mark', rfc(8259, '8.1'), {
    sentence: 'A JSON body does not begin with a byte order mark.',
    needs: 'everything',
    check: (history) =>
      successesWithBody(history).map((exchange) => {
        const isClean = exchange.response?.byteOrderMark === false;
        return verify(isClean, 'a body without a byte order mark', 'one at its start', exchange);
      }),
  }),

  should('http.no-server-error', rfc(9110, '15.6'), {
    sentence: 'No request gets a 5xx status, whatever was sent.',
    cases: freeRequests,
    needs: 'everything',
    check: (history) =>
      exchangesBeforeStop(history)
        .filter(isAnswered)
        .map((exchange) => expectNoServerError(exchange)),
  }),
]);

/** Returns the 2xx responses with a body to requests of the three operations with the right key. */
function successesWithBody(history: History): Exchange[] {
  const usersPath = `${new URL(history.baseUrl).pathname.replace(/\/$/, '')}/users`;
  const invalidCreations = history.creations.filter(({ expected }) => expected === 'rejected');
  const invalidIds = new Set(invalidCreations.map(({ exchange }) => exchange?.id));
  return exchangesBeforeStop(history).filter((exchange) => {
    const { id, request, response } = exchange;
    if (!request.path.startsWith(usersPath) || !isAuthorized(request)) return false;
    if (invalidIds.has(id)) return false;
    const acceptsJson = /json|\*\//.test(request.headers.accept ?? '*/*');
    return acceptsJson && isSuccess(exchange) && hasWholeBody(response);
  });
}

/** Returns the exchanges before the service stopped responding to valid requests. */
function exchangesBeforeStop({ exchanges, stopped }: History): Exchange[] {
  const lastId = stopped?.lastId ?? Number.POSITIVE_INFINITY;
  return exchanges.filter(({ id, attempts }) => attempts > 0 && id <= lastId);
}

function hasWholeBody(response: Response | undefined): boolean {
  if (response === undefined || response.cut) return false;
  return response.bodyBytes > 0 || response.jsonFault !== undefined;
}

/**
 * Returns the valid requests of each kind that succeeded at least once, so that a 500 is sporadic;
 * without those for whose response another request is to blame.
 */
function validRequests(history: History): Exchange[] {
  const { creations } = history;
  const validCreations = creations.filter(({ expected }) => expected !== 'rejected');
  const creationIds = new Set(validCreations.map(({ exchange }) => exchange?.id));
  const followUps = history.results.flatMap((result) => result.followUps ?? []);
  const blamed = followUps.filter(({ earlier }) => earlier);
  const blamedIds = new Set(
    blamed.flatMap(({ exchange, earlier = [] }) => [exchange, ...earlier].map(({ id }) => id)),
  );
  const valid = exchangesBeforeStop(history).filter(
    ({ isValid, id }) => (isValid || creationIds.has(id)) && !blamedIds.has(id),
  );
  const successfulKinds = new Set(valid.filter(isSuccess).map(kindOf));
  const creationNames = new Map(creations.map(({ exchange, name }) => [exchange?.id, name]));
  const acceptedNames = new Set(creations.filter(isAccepted).map(({ name }) => name));
  return valid.filter(isAnswered).filter((exchange) => {
    const creationName = creationNames.get(exchange.id);
    if (creationName === undefined) return successfulKinds.has(kindOf(exchange));
    return acceptedNames.has(creationName);
  });
}

/** Returns the same text for two requests if both should succeed when one does. */
function kindOf({ request }: Exchange): string {
  if (request.method === 'POST') return 'POST';
  return /\/users$/.test(request.path) ? 'list' : request.path;
}

const expectNoServerError = (exchange: Exchange, remark = ''): Finding =>
  verify(
    !isServerError(exchange),
    'a status below 500',
    `${statusOf(exchange)}${remark}`,
    exchange,
  );
