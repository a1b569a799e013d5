import { header, isSuccess, isTelling } from '../src/http/exchange.ts';
import { isResultOf } from '../src/requirement/case.ts';
import { notApplicable, notVerified, verify } from '../src/requirement/finding.ts';
import { CHECKS_KEY, NEEDS_KEY } from './authentication.ts';
import { noKey, noToken, wrongKey } from './credentials.ts';
import { expectStatus, statusOf, whyOpen } from './expectations.ts';
import { rejectedCredentials, wrongTwice } from './rejected-credentials.ts';
import { chapter, rfc, should } from './requirement.ts';
import { noScheme, otherScheme, schemeInOtherCase } from './schemes.ts';

export const authenticationStatuses = chapter('Authentication', [
  should('authentication.status-without-credentials', rfc(6750, '3.1'), {
    sentence: 'A request without credentials gets a 401.',
    cases: noKey,
    expect: expectStatus(401),
  }),

  should('authentication.status-wrong-key', rfc(6750, '3.1'), {
    sentence: 'A request with a wrong key gets a 401 or 403.',
    cases: wrongKey,
    expect: expectStatus(401, 403),
    unless: NEEDS_KEY,
  }),

  should('authentication.status-malformed', rfc(6750, '3.1'), {
    sentence: 'A request with malformed credentials or another scheme gets a 400, 401 or 403.',
    cases: [...noToken, ...otherScheme, ...noScheme],
    expect: expectStatus(400, 401, 403),
    unless: CHECKS_KEY,
  }),

  should('authentication.challenge', rfc(9110, '15.5.2'), {
    sentence: 'A 401 carries a WWW-Authenticate header.',
    cases: rejectedCredentials,
    expect: ({ exchange }) => {
      if (!isTelling(exchange)) return whyOpen(exchange);
      if (statusOf(exchange) !== 401) return notApplicable('no request was rejected with 401');
      const challenge = header(exchange, 'www-authenticate');
      return verify(
        challenge !== undefined,
        'a WWW-Authenticate header',
        'a 401 without one',
        exchange,
      );
    },
  }),

  should('authentication.scheme-case', rfc(9110, '11.1'), {
    sentence: 'The name of the scheme is case-insensitive (bearer, BEARER).',
    // A creation is not among the cases: it would leave a user that no check reads.
    cases: schemeInOtherCase,
    expect: ({ exchange, operation }) => {
      if (!isTelling(exchange)) return whyOpen(exchange);
      const status = statusOf(exchange);
      const isAboutKey = [400, 401, 403].includes(status);
      if (!isSuccess(exchange) && !isAboutKey) {
        return notVerified(`the request is rejected with ${status} for another reason`, exchange);
      }
      return {
        ...verify(isSuccess(exchange), 'a 2xx status', `${status}`, exchange),
        caseName: operation,
      };
    },
  }),

  should('authentication.before-all-else', rfc(6750, '3.1'), {
    sentence:
      'A wrong key is rejected first: the status does not depend on the rest of the request.',
    cases: [...wrongTwice, ...wrongKey],
    expect: (result, { results }) => {
      const { exchange, operation } = result;
      const alone = wrongKey.find((testCase) => testCase.operation === operation);
      const wrongKeyOnly = alone && results.find((candidate) => isResultOf(candidate, alone));
      if (wrongKeyOnly === undefined || wrongKeyOnly === result) return [];
      if (!isTelling(exchange) || !isTelling(wrongKeyOnly.exchange)) return whyOpen(exchange);
      const status = statusOf(exchange);
      const expectedStatus = statusOf(wrongKeyOnly.exchange);
      const expected = `${expectedStatus}, as with a wrong key alone`;
      return verify(status === expectedStatus, expected, `${status}`, exchange);
    },
    unless: CHECKS_KEY,
  }),
]);
