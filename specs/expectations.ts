import type { CaseResult } from '../src/history/history.ts';
import { type Exchange, isAnswered, isSuccess, isTelling } from '../src/http/exchange.ts';
import { type Finding, notApplicable, notVerified, verify } from '../src/requirement/finding.ts';

export const statusOf = ({ response }: Exchange): number => response?.status ?? 0;

/** Why a response tells nothing about a request. */
export const whyOpen = (exchange: Exchange): Finding =>
  notVerified(
    exchange.failure ?? `a ${statusOf(exchange)} does not say whether the request was carried out`,
    exchange,
  );

/** Expects that a request is not carried out. */
export function expectRejected(result: CaseResult): Finding {
  const { exchange, operation, name, usual, unanswered } = result;
  if (unanswered) return notApplicable('it never got a response');
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

/** Expects one of some statuses of a request that was rejected; one that was carried out fails another requirement. */
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
