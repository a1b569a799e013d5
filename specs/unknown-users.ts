import type { CaseResult, History } from '../src/history/history.ts';
import { type Exchange, isAnswered } from '../src/http/exchange.ts';
import { isClosed } from '../src/http/failure.ts';
import {
  type Finding,
  named,
  notApplicable,
  notVerified,
  verify,
} from '../src/requirement/finding.ts';
import { expectClientError, statusOf } from './expectations.ts';
import { chapter, must, rfc, rule, should } from './requirement.ts';
import { aroundTheRun, odd, patterns, sameForm } from './unknown-identifiers.ts';

const mayBelong = (whom: string): Finding =>
  notApplicable(`it may belong to ${whom}, whom the list shows without an identifier`);

const isRedirect = (status: number) => status >= 300 && status < 400;

/** Expects that a response shows no user. */
function expectNoUser(result: CaseResult, { results }: History): Finding | Finding[] {
  const { exchange, holds, name, isList, unanswered } = result;
  // Some servers close the connection if a path is odd, which shows no user.
  if (!isAnswered(exchange) && !isClosed(exchange.failure) && !unanswered)
    return notVerified(`${exchange.failure}`, exchange);
  const { path } = exchange.request;
  if (isDelimiter(path) && isList) return notApplicable(DECODED);
  const owner = holds?.mayBe;
  // A user who is returned for two identifiers can't own both.
  const candidates = owner === undefined ? [] : results;
  const sameOwner = candidates.find(
    (candidate) =>
      candidate !== result &&
      candidate.holds?.mayBe === owner &&
      candidate.exchange.request.path !== path,
  );
  if (owner !== undefined && sameOwner === undefined) return mayBelong(owner);
  const got = holds?.text === 'the list' ? holds.text : `${statusOf(exchange)} with ${holds?.text}`;
  const segment = path.slice(path.lastIndexOf('/') + 1);
  return named(
    `${name}: ${segment}`,
    verify(holds === undefined, 'no user', got, exchange, sameOwner?.exchange),
  );
}

/** Whether an identifier is an encoded slash or question mark, which ends the path of the list. */
const isDelimiter = (path: string): boolean => /\/users\/%(2F|3F)$/i.test(path);

const DECODED = 'a proxy or a router may have decoded the delimiter, which makes it the list';

/** Fails for a request that got no response (RFC 9110 section 3.4). */
const failUnanswered = (unanswered: readonly Exchange[]): Finding =>
  verify(false, 'a response', `none, ${unanswered.length} times`, ...unanswered);

/** Applies an expectation on the status if no user was shown. */
const expectUnknownStatus =
  (expect: (result: CaseResult) => Finding) =>
  (result: CaseResult): Finding => {
    const { holds, exchange } = result;
    if (holds?.mayBe !== undefined) return mayBelong(holds.mayBe);
    if (result.unanswered) return failUnanswered(result.unanswered);
    if (!isAnswered(exchange)) return notVerified(`${exchange.failure}`, exchange);
    // The routers of some frameworks redirect a path with a slash at its end to the one without it.
    if (isDelimiter(exchange.request.path) && isRedirect(statusOf(exchange)))
      return notApplicable(DECODED);
    return expect(result);
  };

export const unknownUsers = chapter('Retrieve a user', [
  must('retrieve.unknown', rule('7.1'), {
    sentence: 'A request for an unknown identifier returns no user.',
    cases: [...sameForm, ...aroundTheRun],
    expect: expectNoUser,
  }),

  must('retrieve.odd', rule('7.1'), {
    sentence:
      'An odd identifier (null, undefined, a quote, a percent sign, NUL, a slash, 4,000 letters) returns no user.',
    cases: odd,
    expect: expectNoUser,
    unless: ['retrieve.unknown'],
  }),

  must('retrieve.pattern', rule('7.1'), {
    sentence:
      'An identifier that a lookup may read as a pattern, an index or a query returns no user.',
    cases: patterns,
    expect: expectNoUser,
    unless: ['retrieve.unknown', 'retrieve.odd'],
  }),

  should('retrieve.unknown-status', rfc(9110, '15.5.5'), {
    sentence: 'A request for an unknown identifier gets a 404.',
    cases: sameForm,
    expect: expectUnknownStatus(({ exchange }) => {
      const status = statusOf(exchange);
      return verify(status === 404, 'status 404', `${status}`, exchange);
    }),
  }),

  should('retrieve.odd-status', rfc(9110, '15.5'), {
    sentence: 'A request for an odd identifier gets a 4xx status.',
    cases: [...odd, ...patterns],
    expect: expectUnknownStatus(expectClientError),
    unless: ['retrieve.unknown'],
  }),
]);
