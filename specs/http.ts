import { type Exchange, header, isAnswered, isSuccess, type Response } from '../src/http/exchange.ts';
import { BEARER } from '../src/http/key.ts';
import { wholeRun, type Yields } from '../src/plan/evidence.ts';
import { isFailure } from '../src/plan/step.ts';
import { type Finding, that } from '../src/requirement/finding.ts';
import { chapter, must, rfc, should } from '../src/requirement/requirement.ts';
import { rule } from './interface.ts';
import { freelyAnswered } from './refusals.ts';

/** Whether a request carries just the documented credentials. */
export function isAuthorised({ request }: Exchange): boolean {
  const [, value] = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return value === BEARER.authorization;
}

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

/** Requests as usual that were carried out at least once: for the list, a user who was retrieved, and plain creations. */
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
]);
