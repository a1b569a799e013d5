import type { CaseResult } from '../src/history/history.ts';
import { isSuccess } from '../src/http/exchange.ts';
import { type Finding, notApplicable, verify } from '../src/requirement/finding.ts';
import { expectClientError, whyUnanswered } from './expectations.ts';
import { INVALID } from './invalid-bodies.ts';
import { mistypedCases } from './mistyped-values.ts';
import { chapter, rfc, should } from './requirement.ts';

const invalidCases = Object.values(INVALID).flat();

export const creationStatuses = chapter('Create a user', [
  should('create.invalid-status', rfc(9110, '15.5'), {
    sentence: 'An invalid create request is rejected with a 4xx status.',
    cases: invalidCases,
    expect: expectInvalidStatus,
  }),

  should('create.answered', rfc(9110, '3.4'), {
    sentence: 'Every create request gets a response, even a malformed one.',
    cases: [...invalidCases, ...mistypedCases],
    expect: ({ unanswered = [] }) =>
      verify(
        unanswered.length === 0,
        'a response',
        `none, ${unanswered.length} times`,
        ...unanswered,
      ),
  }),

  should('create.mistyped-status', rfc(9110, '15.5'), {
    sentence: 'A create request whose email or name is not a string is rejected with a 4xx status.',
    cases: mistypedCases,
    expect: (result) => (result.unanswered ? whyUnanswered() : expectClientError(result)),
  }),
]);

/**
 * Expects a 4xx. If a MUST requires the rejection, a creation that was accepted fails only that.
 */
function expectInvalidStatus(result: CaseResult): Finding {
  if (result.unanswered) return whyUnanswered();
  const hasMust = result.slugs.length > 1;
  if (hasMust && isSuccess(result.exchange)) return notApplicable('the request was not rejected');
  return expectClientError(result);
}
