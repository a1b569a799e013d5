import { KEY } from '../src/http/key.ts';
import { wholeRun } from '../src/plan/evidence.ts';
import { attempted, type CredentialCase } from '../src/plan/steps/credentials.ts';
import { drawn } from '../src/requirement/drawn.ts';
import { notApplicable, that } from '../src/requirement/finding.ts';
import { chapter, must } from '../src/requirement/requirement.ts';
import { CREATE, OPERATIONS, on, refused, withoutKey } from './authentication.ts';
import { rule } from './interface.ts';

/** The key elsewhere, and no Authorization header. Names of one kind go together: any of them may be the one that is looked at. */
const elsewhere = (what: string, parts: Partial<CredentialCase>, operations = OPERATIONS) =>
  operations.map((one) => on(one, what, { ...parts, unless: withoutKey(one) }));

export const inQuery = elsewhere('the key in the query as access_token and api_key', {
  query: `?access_token=${KEY}&api_key=${KEY}`,
});
export const inOtherHeader = [
  ...elsewhere('the key in X-Api-Key and X-Auth-Token', { headers: { 'x-api-key': KEY, 'x-auth-token': KEY } }),
  ...elsewhere('the key in Proxy-Authorization', { headers: { 'proxy-authorization': `Bearer ${KEY}` } }),
];
export const inCookie = elsewhere('the key in a cookie', { headers: { cookie: `access_token=${KEY}` } });
export const inBody = elsewhere(
  'the key in the body as access_token and api_key',
  { members: { access_token: KEY, api_key: KEY } },
  [CREATE],
);

/** What came of cases that a thorough run adds to. */
export const keysInQuery = drawn(attempted, ...inQuery);
export const keysInOtherHeader = drawn(attempted, ...inOtherHeader);
export const keysInCookie = drawn(attempted, ...inCookie);
export const keysInBody = drawn(attempted, ...inBody);

/** A key with something joined to it, or another form of it: what is sent so is another token, which a refusal may repeat. */
const OTHER_TOKEN = /\S<API_KEY>|<API_KEY>\S|<[^<>]+ API_KEY|<API_KEY [^<>]+>/;

export const keyElsewhere = chapter('Authentication', [
  must('authentication.key-in-query', {
    source: rule('3.2'),
    sentence: 'A request with the key in the query instead of the Authorization header is rejected.',
    evidence: { attempts: keysInQuery },
    ...refused,
  }),

  must('authentication.key-in-other-header', {
    source: rule('3.1'),
    sentence: 'A request with the key in another header than Authorization is rejected.',
    evidence: { attempts: keysInOtherHeader },
    ...refused,
  }),

  must('authentication.key-in-cookie', {
    source: rule('3.1'),
    sentence: 'A request with the key in a cookie instead of the Authorization header is rejected.',
    evidence: { attempts: keysInCookie },
    ...refused,
  }),

  must('authentication.key-in-body', {
    source: rule('3.2'),
    sentence: 'A create request with the key in its body instead of the Authorization header is rejected.',
    evidence: { attempts: keysInBody },
    ...refused,
  }),

  must('authentication.key-not-in-answers', {
    source: rule('3.2'),
    sentence: "The key never appears in a response's body, not even in that of an error.",
    evidence: { run: wholeRun },
    check: ({ run }) => {
      if (run.keyIsEveryday)
        return notApplicable('API_KEY is short or a plain word, which responses may contain anyway');
      const judged = run.record.filter(({ request, response }) => {
        const { authorization = '', ...others } = request.headers;
        const texts = [request.path, request.body ?? '', ...Object.values(others)];
        return response && !texts.some((text) => text.includes('API_KEY')) && !OTHER_TOKEN.test(authorization);
      });
      return judged.map((exchange) => {
        const { keyInBody, status } = exchange.response ?? {};
        const shownBy = keyInBody ? status : exchange.keyBefore;
        return that(
          shownBy === undefined,
          'a response without the key',
          `the key in the body of a ${shownBy}`,
          exchange,
        );
      });
    },
  }),
]);
