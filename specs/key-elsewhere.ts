import type { Request } from '../src/http/exchange.ts';
import { type OrMissing, wholeRun } from '../src/plan/evidence.ts';
import { asBrowser } from '../src/plan/requests.ts';
import { type Attempt, attempted, type CredentialCase } from '../src/plan/steps/credentials.ts';
import { type FreeCase, freeRequests } from '../src/plan/steps/refusals.ts';
import { waysIn } from '../src/plan/steps/several-places.ts';
import { each, notApplicable, that } from '../src/requirement/finding.ts';
import { chapter, type DrawnPart, drawn, must } from '../src/requirement/requirement.ts';
import { isRefused } from './authentication.ts';
import { rule } from './interface.ts';
import { everywhere, inProxyHeader } from './ways-in.ts';

/** What came of cases that a thorough run adds. */
export const keysInQuery = drawn(attempted);
export const keysInOtherHeader = drawn(attempted, ...inProxyHeader);
export const keysInCookie = drawn(attempted);
export const keysInBody = drawn(attempted);

/** The key in a kind of place, on the operations that have room for it. */
const refusedIn = (kind: string, further: DrawnPart<CredentialCase, Attempt>) => ({
  evidence: { ways: waysIn(everywhere, kind), further },
  check: ({ ways, further }: Record<'ways' | 'further', OrMissing<Attempt>[]>) =>
    each([...ways, ...further], isRefused),
});

/** Rejected for their Accept, their media type, or their length: a response to any of them may repeat the request. */
const inShort = (what: string, change: (request: Request) => Request, further = {}): FreeCase => ({
  what,
  make: (run) => {
    const { email } = run.factory.make();
    const draft = { what, fate: 'may' as const, user: { email, name: '' }, traces: { email } };
    return { request: change(run.creating({ email, ...further })), draft };
  },
});
const withHeader = (request: Request, name: string, value: string): Request => {
  return { ...request, headers: { ...request.headers, [name]: value } };
};
export const asText = inShort('a text/plain creation', (one) => withHeader(one, 'content-type', 'text/plain'));
const LONG = 1_100_000;
const listBy = (what: string, change: (request: Request) => Request): FreeCase => ({
  what,
  make: (run) => ({ request: change(run.listing()) }),
});
const openRequests = [
  listBy('a list with an Accept that allows no JSON', (one) => withHeader(one, 'accept', 'text/html')),
  asText,
  inShort('a creation of 1.1 MB', asBrowser, { padding: 'x'.repeat(LONG) }),
  // Of nobody, and with nothing to change.
  inShort('a POST to the path of a user', (one) => ({ ...asBrowser(one), path: `${one.path}/null`, body: '{ }' })),
  listBy('a list request with a query', (one) => ({
    ...one,
    path: `${one.path}?page=1&limit=1&per_page=1&page_size=1`,
  })),
];

/** What came of them, and of others that a thorough run sends. */
export const freelyAnswered = drawn(freeRequests, ...openRequests);

/** A key with something joined to it, or another form of it: what is sent so is another token, which a refusal may repeat. */
const OTHER_TOKEN = /\S<API_KEY>|<API_KEY>\S|<[^<>]+ API_KEY|<API_KEY [^<>]+>/;

export const keyElsewhere = chapter('Authentication', [
  must('authentication.key-in-query', {
    source: rule('3.2'),
    sentence: 'A request with the key in the query instead of the Authorization header is rejected.',
    ...refusedIn('query', keysInQuery),
  }),

  must('authentication.key-in-other-header', {
    source: rule('3.1'),
    sentence: 'A request with the key in a header other than Authorization is rejected.',
    ...refusedIn('header', keysInOtherHeader),
  }),

  must('authentication.key-in-cookie', {
    source: rule('3.1'),
    sentence: 'A request with the key in a cookie instead of the Authorization header is rejected.',
    ...refusedIn('cookie', keysInCookie),
  }),

  must('authentication.key-in-body', {
    source: rule('3.2'),
    sentence: 'A create request with the key in its body instead of the Authorization header is rejected.',
    ...refusedIn('body', keysInBody),
  }),

  must('authentication.key-not-in-answers', {
    source: rule('3.2'),
    sentence: "The key never appears in a response's body, not even in that of an error.",
    evidence: { run: wholeRun, free: freelyAnswered },
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
        const got = `the key in the body of a ${shownBy}`;
        return that(shownBy === undefined, 'a response without the key', got, exchange);
      });
    },
  }),
]);
