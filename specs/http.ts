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

/** The exchanges that tell about the service: before it stopped answering valid requests. */
const telling = ({ exchanges, stopped }: History): Exchange[] =>
  exchanges.filter(
    ({ id, attempts }) => attempts > 0 && id <= (stopped?.lastId ?? Number.POSITIVE_INFINITY),
  );

const hasBody = (response: Response | undefined): boolean =>
  response !== undefined &&
  (response.bodyBytes > 0 || response.jsonFault !== undefined) &&
  response.cut !== true;

/** The 2xx responses with a body, of all operations with the right key. */
function successesWithBody(history: History): Exchange[] {
  const users = `${new URL(history.baseUrl).pathname.replace(/\/$/, '')}/users`;
  const rejected = history.creations.filter(({ expected }) => expected === 'rejected');
  const ids = new Set(rejected.map(({ exchange }) => exchange?.id));
  return telling(history).filter((exchange) => {
    const { path, headers } = exchange.request;
    const isOperation =
      path.startsWith(users) && isAuthorized(exchange.request) && !ids.has(exchange.id);
    const isForJson = /json|\*\//.test(headers.accept ?? '*/*');
    return isOperation && isForJson && hasBody(exchange.response) && isSuccess(exchange);
  });
}

/** Judges each of these bodies. */
const ofBodies = (judge: (exchange: Exchange) => Finding) => ({
  needs: 'everything' as const,
  check: (history: History) => successesWithBody(history).map(judge),
});

/** Valid requests that succeeded at least once, so that a 500 is sporadic. */
function validRequests(history: History): Exchange[] {
  const creating = new Set(
    history.creations
      .filter(({ expected }) => expected !== 'rejected')
      .map(({ exchange }) => exchange?.id),
  );
  const all = telling(history).filter(({ isValid, id }) => isValid || creating.has(id));
  const kindOf = ({ request }: Exchange) =>
    request.method === 'POST' ? 'POST' : /\/users$/.test(request.path) ? 'list' : request.path;
  const successful = new Set(all.filter(isSuccess).map(kindOf));
  const creations = new Map(history.creations.map(({ exchange, name }) => [exchange?.id, name]));
  const accepted = new Set(history.creations.filter(isAccepted).map(({ name }) => name));
  return all.filter((exchange) => {
    const name = creations.get(exchange.id);
    return (
      isAnswered(exchange) &&
      (name === undefined ? successful.has(kindOf(exchange)) : accepted.has(name))
    );
  });
}

const expectNoServerError = (exchange: Exchange, when = ''): Finding =>
  verify(!isServerError(exchange), 'a status below 500', `${statusOf(exchange)}${when}`, exchange);

export const http = chapter('HTTP and JSON', [
  must('http.json', rule('1.2'), {
    sentence: 'The body of a 2xx response is JSON in UTF-8.',
    ...ofBodies((exchange) => {
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
    ...ofBodies((exchange) => {
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
      telling(history)
        .filter(isAnswered)
        .map((exchange) => {
          const value = header(exchange, 'content-encoding') ?? '';
          const isCoding = foreignNamesIn(value).length === 0;
          return verify(isCoding, 'a registered content coding, or none', value, exchange);
        }),
  }),

  should('http.no-byte-order-mark', rfc(8259, '8.1'), {
    sentence: 'A JSON body does not begin with a byte order mark.',
    ...ofBodies((exchange) =>
      verify(
        exchange.response?.byteOrderMark === false,
        'JSON alone',
        'a byte order mark before it',
        exchange,
      ),
    ),
  }),

  should('http.no-server-error', rfc(9110, '15.6'), {
    sentence: 'No request gets a 5xx status, whatever was sent.',
    cases: freeRequests,
    needs: 'everything',
    check: (history) =>
      telling(history)
        .filter(isAnswered)
        .map((exchange) => expectNoServerError(exchange)),
  }),
]);
