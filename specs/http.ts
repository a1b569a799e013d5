import type { Check } from '../src/check.ts';
import { type Exchange, header, isSuccess } from '../src/exchange.ts';
import { baseline, knownUser } from '../src/known-user.ts';
import { NotVerified } from '../src/outcome.ts';
import { chapter, interfaceDocument, must, rfc, should } from '../src/requirement.ts';
import { sendBadRequests } from './bad-requests.ts';
import { authorised, wholeRecord } from './run.ts';

const bodies = interfaceDocument('What the service does');

/** The answers of 2xx that carry a body, of all documented operations with the right key. */
async function successesWithBody(check: Check): Promise<Exchange[]> {
  const { forbidden } = check.session;
  const all = [
    ...(await authorised(check, 'GET', /^\/users(\/[^?]*)?$/)),
    ...(await authorised(check, 'POST', /^\/users$/)),
  ];
  const judged = all.filter(
    (exchange) =>
      isSuccess(exchange) &&
      (exchange.response?.bodyBytes ?? 0) > 0 &&
      !forbidden.some((creation) => creation.exchange === exchange),
  );
  if (judged.length === 0) await baseline(check);
  return judged;
}

/** A request with the right key that is proven to be answered: the user where there is one, else the list. */
async function validRequest(check: Check) {
  const user = await knownUser(check).catch(() => undefined);
  if (user === undefined) await baseline(check);
  return () => (user === undefined ? check.list() : check.retrieve(user.identifier.segment));
}

export const http = chapter('HTTP and JSON', [
  must('http.survives-bad-requests', {
    phase: 'first',
    source: bodies,
    sentence: 'After refused and malformed requests the service still answers the next valid one.',
    check: async (check) => {
      const send = await validRequest(check);
      await sendBadRequests(check);
      const answer = await send().catch((error: NotVerified) => error);
      const got = answer instanceof NotVerified ? answer.message : `${answer.status}`;
      const exchanges = answer instanceof NotVerified ? answer.exchanges : [answer.exchange];
      const good = !(answer instanceof NotVerified) && answer.ok;
      check.that(good, 'a 2xx status for the request that was answered before', got, ...exchanges);
    },
  }),

  must('http.json', {
    phase: 'last',
    source: bodies,
    sentence: 'A body that a 2xx answer carries is JSON in UTF-8.',
    check: async (check) => {
      for (const exchange of await successesWithBody(check)) {
        const fault = exchange.response?.jsonFault;
        check.that(fault === undefined, 'a JSON body', `one that is not: ${fault}`, exchange);
      }
    },
  }),

  should('http.content-type', {
    phase: 'last',
    source: rfc(9110, '8.3'),
    sentence: 'A JSON body has the Content-Type application/json, or one that ends in +json.',
    check: async (check) => {
      for (const exchange of await successesWithBody(check)) {
        const type = header(exchange, 'content-type') ?? 'none';
        const isJson = /^application\/([^;\s]+\+)?json\s*(;|$)/i.test(type);
        check.that(isJson, 'the Content-Type application/json', type, exchange);
      }
    },
  }),

  should('http.no-byte-order-mark', {
    phase: 'last',
    source: rfc(8259, '8.1'),
    sentence: 'A JSON body does not begin with a byte order mark.',
    check: async (check) => {
      for (const exchange of await successesWithBody(check)) {
        check.that(exchange.response?.byteOrderMark === false, 'JSON alone', 'a byte order mark before it', exchange);
      }
    },
  }),

  should('http.no-server-error', {
    phase: 'last',
    source: rfc(9110, '15.6'),
    sentence: 'No request is answered 5xx, whatever the suite sent.',
    check: async (check) => {
      for (const exchange of await wholeRecord(check)) {
        const status = exchange.response?.status ?? 0;
        check.that(status < 500 || status === 503, 'a status below 500', `${status}`, exchange);
      }
    },
  }),
]);
