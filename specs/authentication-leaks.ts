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
    check: keyIsNowhere,
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

/**
 * A key with something joined to it, or another form of it, is another token, which a rejection may repeat. One with an
 * inner character changed is too far from the key to be taken for it.
 */
const OTHER_TOKEN =
  /\S<API_KEY>|<API_KEY>\S|<[^<>]+ API_KEY|<API_KEY (?!with character (0|-?[2-7]) changed)[^<>]+>/;

/** Whether a request carries the key in Authorization, or a key that is not close to it, and nowhere else. */
function isPlainlyAuthorized({ path, body = '', headers }: Request): boolean {
  const fields = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const authorization = fields.find(([name]) => name === 'authorization')?.[1] ?? '';
  const others = fields.filter(([name]) => name !== 'authorization').map(([, value]) => value);
  return (
    ![path, body, ...others].some((text) => text.includes('API_KEY')) &&
    !OTHER_TOKEN.test(authorization)
  );
}

function keyIsNowhere({ exchanges, keyIsEveryday }: History): Finding | Finding[] {
  if (keyIsEveryday) {
    return notApplicable('API_KEY is short or a plain word, which responses may contain anyway');
  }
  return exchanges
    .filter(({ request, response }) => response && isPlainlyAuthorized(request))
    .map(keyIsNotIn);
}

function keyIsNotIn(exchange: Exchange): Finding {
  const { response, keyBefore } = exchange;
  const shownBy = response?.keyInBody ? response.status : keyBefore;
  const got = `the key in the body of a ${shownBy}`;
  return verify(shownBy === undefined, 'a response without the key', got, exchange);
}
