import { NoAnswer } from '../src/http/client.ts';
import { type Exchange, header, isSuccess } from '../src/http/exchange.ts';
import type { Check } from '../src/plan/check.ts';
import { baseline, createPlain, knownUser, secondUser } from '../src/plan/known-user.ts';
import { isOutcome } from '../src/requirement/outcome.ts';
import { chapter, interfaceDocument, must, rfc, should } from '../src/requirement/requirement.ts';
import { sendMalformed, sendRefused } from './bad-requests.ts';
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

/** Makes a result of what a check may end with; whether a second user can be had is another requirement's matter. */
function onlyOutcome(error: unknown): unknown {
  if (!isOutcome(error)) throw error;
  return error;
}

export const http = chapter('HTTP and JSON', [
  must('http.survives-bad-requests', {
    phase: 'first',
    source: bodies,
    sentence: 'After refused and malformed requests the service still answers the next valid one.',
    check: async (check) => {
      // Proven to be answered before: a user where there is one, else the list.
      const user = await knownUser(check).catch(() => undefined);
      if (user === undefined) await baseline(check);
      const valid = () =>
        check.settled(
          () => (user === undefined ? check.list() : check.retrieve(user.identifier.segment)),
          ({ ok }) => ok,
        );
      // A target that is gone after requests that are refused every day may have been stopped by somebody: that is not
      // verified.
      await sendRefused(check);
      // Writing is to go on, too: by the second user, who is needed anyway, and by one more at the end.
      const second = secondUser(check).catch(onlyOutcome);
      check.isSuccess(await valid());
      await sendMalformed(check);
      const write = check.session.settings.readOnly ? undefined : createPlain(check, check.session.newUser());
      const [answer] = await Promise.all([valid(), write]).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
        return check.fail({ expected: 'an answer, as before', got: error.message, exchanges: error.exchanges });
      });
      check.isSuccess(answer);
      const found = await second;
      if (found instanceof NoAnswer) throw found;
    },
  }),

  must('http.json', {
    phase: 'end',
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
    phase: 'end',
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
    phase: 'end',
    source: rfc(8259, '8.1'),
    sentence: 'A JSON body does not begin with a byte order mark.',
    check: async (check) => {
      for (const exchange of await successesWithBody(check)) {
        check.that(exchange.response?.byteOrderMark === false, 'JSON alone', 'a byte order mark before it', exchange);
      }
    },
  }),

  should('http.no-server-error', {
    phase: 'end',
    source: rfc(9110, '15.6'),
    sentence: 'No request is answered 5xx, whatever the suite sent.',
    check: async (check) => {
      for (const exchange of await wholeRecord(check)) {
        const status = exchange.response?.status ?? 0;
        check.that(status < 500, 'a status below 500', `${status}`, exchange);
      }
    },
  }),
]);
