import type { History } from '../src/history/history.ts';
import { type Exchange, isSuccess, isTelling, type Request } from '../src/http/exchange.ts';
import { type Finding, notApplicable, verify } from '../src/requirement/finding.ts';
import { whyOpen } from './expectations.ts';
import { freeRequests } from './free-requests.ts';
import { rejectedCredentials } from './rejected-credentials.ts';
import { chapter, must, rule } from './requirement.ts';

export const authenticationLeaks = chapter('Authentication', [
  must('authentication.key-not-in-answers', rule('3.2'), {
    sentence: "The key never appears in a response's body, not even in that of an error.",
    cases: freeRequests,
    check: checkKeyIsAbsent,
    needs: 'everything',
  }),

  must('authentication.refusal-shows-no-user', rule('3.1'), {
    sentence: "The response to a rejected request shows no user's data.",
    cases: rejectedCredentials,
    expect: ({ exchange, leak }) => {
      if (!isTelling(exchange)) return whyOpen(exchange);
      if (isSuccess(exchange)) return notApplicable('no request was rejected');
      return verify(
        leak === undefined,
        "a rejection without any user's data",
        `"${leak}" in the response`,
        exchange,
      );
    },
  }),
]);

/** Checks that no response contains the key, unless the request itself may have caused that. */
function checkKeyIsAbsent({ exchanges, keyIsEveryday }: History): Finding | Finding[] {
  if (keyIsEveryday) {
    return notApplicable('API_KEY is short or a plain word, which responses may contain anyway');
  }
  return exchanges
    .filter(({ request, response }) => response && hasKeyOnlyInAuthorization(request))
    .map(verifyKeyIsAbsent);
}

/**
 * Tokens made from the key that a rejection may repeat: the key with text joined to it, or another
 * form of the key. A key with an inner character changed differs too much to be mistaken for the
 * key in a response.
 */
const OTHER_TOKEN =
  /\S<API_KEY>|<API_KEY>\S|<[^<>]+ API_KEY|<API_KEY (?!with character (0|-?[2-7]) changed)[^<>]+>/;

/** Whether Authorization alone carries the key, and carries no other token made from it. */
function hasKeyOnlyInAuthorization({ path, body = '', headers }: Request): boolean {
  const fields = Object.entries(headers);
  const authorization = fields.find(isAuthorizationField)?.[1] ?? '';
  const otherFields = fields.filter((field) => !isAuthorizationField(field));
  const otherTexts = [path, body, ...otherFields.map(([, value]) => value)];
  if (otherTexts.some((text) => text.includes('API_KEY'))) return false;
  return !OTHER_TOKEN.test(authorization);
}

const isAuthorizationField = ([name]: [string, string]) => name.toLowerCase() === 'authorization';

function verifyKeyIsAbsent(exchange: Exchange): Finding {
  const { response, keyBefore } = exchange;
  const status = response?.keyInBody ? response.status : keyBefore;
  const got = `the key in the body of a ${status}`;
  return verify(status === undefined, 'a response without the key', got, exchange);
}
