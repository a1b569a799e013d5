import type { History, Operation } from '../src/history/history.ts';
import { type Exchange, isSuccess, isTelling } from '../src/http/exchange.ts';
import { type Case, CREATE, LIST, RETRIEVE } from '../src/requirement/case.ts';
import { type Finding, verify } from '../src/requirement/finding.ts';
import {
  atEnd,
  beforeUsers,
  existingUser,
  noKey,
  noToken,
  ownCookies,
  wrongKey,
} from './credentials.ts';
import { expectRejected, statusOf } from './expectations.ts';
import { keyElsewhere } from './key-elsewhere.ts';
import {
  cutShort,
  extended,
  nearKeys,
  oneCharacter,
  otherCase,
  otherSignature,
} from './near-keys.ts';
import { chapter, must, rfc, rule, should } from './requirement.ts';
import { noScheme, otherScheme, otherSyntax } from './schemes.ts';

/**
 * An operation that needs no key accepts any key: that one fault must not fail further
 * requirements.
 */
export const NEEDS_KEY = [
  'authentication.list-needs-key',
  'authentication.create-needs-key',
  'authentication.retrieve-needs-key',
];

/** An operation that accepts a wrong key also accepts keys that are almost right. */
export const CHECKS_KEY = [...NEEDS_KEY, 'authentication.wrong-key'];

export const authentication = chapter('Authentication', [
  must('authentication.list-needs-key', rule('3.1'), {
    sentence: 'GET /users without an Authorization header is rejected.',
    cases: [...casesOn(LIST, noKey, ownCookies), ...beforeUsers.noKey],
    expect: expectRejected,
    check: (history) => checkConcurrentWithoutKey(history, LIST),
    needs: ['concurrency'],
  }),

  must('authentication.create-needs-key', rule('3.1'), {
    sentence: 'POST /users without an Authorization header is rejected.',
    cases: casesOn(CREATE, noKey, ownCookies),
    expect: expectRejected,
  }),

  must('authentication.retrieve-needs-key', rule('3.1'), {
    sentence: 'GET /users/:id without an Authorization header is rejected.',
    cases: casesOn(RETRIEVE, noKey, ownCookies, existingUser),
    expect: expectRejected,
    check: (history) => checkConcurrentWithoutKey(history, RETRIEVE),
    needs: ['concurrency'],
  }),

  must('authentication.wrong-key', rule('3.1'), {
    sentence: 'A request with a wrong key is rejected.',
    cases: [...wrongKey, ...beforeUsers.wrongKey, ...nearKeys, ...atEnd],
    expect: expectRejected,
    check: checkConcurrentWithWrongKey,
    needs: ['concurrency'],
    unless: NEEDS_KEY,
  }),

  must('authentication.no-token', rule('3.1'), {
    sentence:
      'A request with an empty Authorization header, or with the scheme alone, is rejected.',
    cases: noToken,
    expect: expectRejected,
    unless: CHECKS_KEY,
  }),

  must('authentication.key-cut-short', rule('3.1'), {
    sentence: 'A request with a key that lacks its first or last character is rejected.',
    cases: cutShort,
    expect: expectRejected,
    unless: CHECKS_KEY,
  }),

  must('authentication.key-extended', rule('3.1'), {
    sentence: 'A request with one character added to the key is rejected.',
    cases: extended,
    expect: expectRejected,
    unless: CHECKS_KEY,
  }),

  must('authentication.key-case', rule('3.1'), {
    sentence: 'A request with the key in different letter case is rejected.',
    cases: otherCase,
    expect: expectRejected,
    unless: CHECKS_KEY,
  }),

  must('authentication.key-one-character', rule('3.1'), {
    sentence: 'A request with a key that differs in one character is rejected.',
    cases: oneCharacter,
    expect: expectRejected,
    unless: CHECKS_KEY,
  }),

  must('authentication.other-scheme', rule('3.1'), {
    sentence:
      'A request that sends the key with another scheme (Basic, Token, MyBearer) is rejected.',
    cases: otherScheme,
    expect: expectRejected,
    unless: CHECKS_KEY,
  }),

  must('authentication.no-scheme', rule('3.1'), {
    sentence: 'A request that sends the key without a scheme is rejected.',
    cases: noScheme,
    expect: expectRejected,
    unless: CHECKS_KEY,
  }),

  should('authentication.header-syntax', rfc(6750, '2.1'), {
    sentence:
      'A request with the key in another syntax (no space, quotes, an extra word, a JWT in another base64 spelling) is rejected.',
    cases: [...otherSyntax, ...otherSignature],
    expect: expectRejected,
    unless: CHECKS_KEY,
  }),

  must('authentication.key-in-query', rule('3.2'), {
    sentence:
      'A request with the key in the query instead of the Authorization header is rejected.',
    cases: keyElsewhere.query,
    expect: expectRejected,
    unless: NEEDS_KEY,
  }),

  must('authentication.key-in-other-header', rule('3.1'), {
    sentence: 'A request with the key in a header other than Authorization is rejected.',
    cases: keyElsewhere.header,
    expect: expectRejected,
    unless: NEEDS_KEY,
  }),

  must('authentication.key-in-cookie', rule('3.1'), {
    sentence: 'A request with the key in a cookie instead of the Authorization header is rejected.',
    cases: keyElsewhere.cookie,
    expect: expectRejected,
    unless: NEEDS_KEY,
  }),

  must('authentication.key-in-body', rule('3.2'), {
    sentence:
      'A create request with the key in its body instead of the Authorization header is rejected.',
    cases: keyElsewhere.body,
    expect: expectRejected,
    unless: NEEDS_KEY,
  }),
]);

function casesOn(operation: Operation, ...groups: Case[][]): Case[] {
  return groups.flat().filter((candidate) => candidate.operation === operation);
}

/** Checks requests that were sent without the key at the same moment as valid ones. */
function checkConcurrentWithoutKey({ unauthorized }: History, operation: Operation): Finding[] {
  return unauthorized
    .filter((exchange) => !hasKey(exchange) && operationOf(exchange) === operation)
    .filter(isTelling)
    .map((exchange) => expectConcurrentRejected(exchange, `for ${operation} without a key`));
}

/** Checks the same with a wrong key, unless a request without a key is accepted as well. */
function checkConcurrentWithWrongKey({ unauthorized }: History): Finding[] {
  if (unauthorized.some((exchange) => !hasKey(exchange) && isSuccess(exchange))) return [];
  return unauthorized
    .filter((exchange) => hasKey(exchange) && isTelling(exchange))
    .map((exchange) => expectConcurrentRejected(exchange, 'with a wrong key'));
}

const hasKey = ({ request }: Exchange) => request.headers.authorization !== undefined;

const operationOf = ({ request }: Exchange) => (/\/users$/.test(request.path) ? LIST : RETRIEVE);

function expectConcurrentRejected(exchange: Exchange, description: string): Finding {
  const got = `${statusOf(exchange)} ${description}, at the same moment as valid requests`;
  return verify(!isSuccess(exchange), 'a rejection: any non-2xx status', got, exchange);
}
