import type { CaseResult } from '../src/history/history.ts';
import { type Exchange, isAnswered, isSuccess, isTelling } from '../src/http/exchange.ts';
import { type Finding, notApplicable, notVerified, verify } from '../src/requirement/finding.ts';

export const statusOf = ({ response }: Exchange): number => response?.status ?? 0;

/** Says why a response does not show whether the request was carried out. */
export const whyOpen = (exchange: Exchange): Finding =>
  notVerified(
    exchange.failure ?? `a ${statusOf(exchange)} does not say whether the request was carried out`,
    exchange,
  );

/** Says that a request got no response in any try, which leaves nothing to judge. */
export const whyUnanswered = (): Finding => notApplicable('the request never got a response');

/** Expects any status that is no 2xx. */
export function expectRejected(result: CaseResult): Finding {
  const { exchange, operation, name, usual, unanswered } = result;
  if (unanswered) return whyUnanswered();
  if (!isTelling(exchange)) return whyOpen(exchange);
  const got = `${statusOf(exchange)} for ${operation} with ${name}`;
  return verify(
    !isSuccess(exchange),
    'a rejection: any non-2xx status',
    got,
    usual?.exchange,
    exchange,
  );
}

/**
 * Expects one of some statuses if the request was rejected; if it was carried out, another
 * requirement fails.
 */
export const expectStatus =
  (...statuses: number[]) =>
  ({ exchange }: CaseResult): Finding => {
    if (!isTelling(exchange)) return whyOpen(exchange);
    if (isSuccess(exchange)) return notApplicable('the request was not rejected');
    const expected = `status ${statuses.join(', ').replace(/, (\d+)$/, ' or $1')}`;
    const status = statusOf(exchange);
    return verify(statuses.includes(status), expected, `${status}`, exchange);
  };

/** Expects a 4xx. */
export function expectClientError({ exchange }: CaseResult): Finding {
  if (!isAnswered(exchange)) return notVerified(`${exchange.failure}`, exchange);
  const status = statusOf(exchange);
  return verify(status >= 400 && status < 500, 'a 4xx status', `${status}`, exchange);
}
