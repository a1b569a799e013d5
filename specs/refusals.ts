import { header, type Request } from '../src/http/exchange.ts';
import { KEY } from '../src/http/key.ts';
import { excluded, known, wholeRun } from '../src/plan/evidence.ts';
import { asBrowser, tagsOf } from '../src/plan/requests.ts';
import { inTurns } from '../src/plan/step.ts';
import { type Attempt, attempted, MARK, type Operation } from '../src/plan/steps/credentials.ts';
import { type FreeCase, freeRequests } from '../src/plan/steps/refusals.ts';
import { waysIn } from '../src/plan/steps/several-places.ts';
import { each, type Finding, notApplicable, notVerified, of, that } from '../src/requirement/finding.ts';
import { allWrong, CREATE, casesOf, MALFORMED, noHeader, RETRIEVE, withHeader, wrongKey } from './authentication.ts';
import { everywhere, inProxyHeader } from './guard.ts';
import { chapter, drawn, must, ofEach, rfc, rule, should } from './requirement.ts';
import { type Write, withHeaders } from './writings.ts';

const withWrongKey = (operation: Operation, what: string) => withHeader(operation, what, `Bearer ${MARK.wrongKey}`);
const invalidBodies = [
  { what: 'a truncated body', body: '{' },
  { what: 'a body without email and name', body: '{}' },
];
/** A wrong key, and something else that is wrong: of bodies in each run another one. */
const wrongTwice = [
  { ...withWrongKey(RETRIEVE, 'an unknown identifier'), spelling: () => '/users/null' },
  ...inTurns([withWrongKey(CREATE, 'an invalid body')], invalidBodies),
  { ...withWrongKey(CREATE, 'the email of a user who exists'), ofKnown: true as const },
];

/** What came of cases that a thorough run adds to. */
export const rejectedAttempts = drawn(attempted, ...allWrong, ...inProxyHeader, ...wrongTwice);

/** What is rejected on its own, and what tries several at once. */
const all = {
  attempts: rejectedAttempts,
  ways: waysIn(everywhere, 'query', 'header', 'cookie', 'body'),
};

/** Rejected for their Accept, their media type, or their length: a response to any of them may repeat the request. */
const inShort = (what: string, change: Write, further = {}): FreeCase => ({
  what,
  make: (run) => {
    const { email } = run.factory.make();
    const draft = { what, fate: 'may' as const, user: { email, name: '' }, traces: { email } };
    return { request: change(run.creating({ email, ...further })), draft };
  },
});
export const asText = inShort('a text/plain creation', withHeaders({ 'content-type': 'text/plain' }));
const listBy = (what: string, change: Write): FreeCase => {
  return { what, make: (run) => ({ request: change(run.listing()) }) };
};
const QUERY = '?page=1&limit=1&per_page=1&page_size=1';
/** The response is for this request alone: the next retrieval has no such header. */
const withEtag: FreeCase = {
  what: 'a retrieval with the ETag of the user',
  make: (run) => {
    const [{ identifier, read } = {}] = run.ledger.proven;
    const [etag] = tagsOf(read ? [read.exchange] : [], run);
    if (etag === undefined || identifier === undefined) throw excluded('no response has an ETag that can be sent back');
    return { request: withHeaders({ 'if-none-match': etag })(run.retrieval(identifier.segment)) };
  },
};
const openRequests = [
  listBy('a list with an Accept that allows no JSON', withHeaders({ accept: 'text/html' })),
  asText,
  inShort('a creation of 1.1 MB', asBrowser, { padding: 'x'.repeat(1_100_000) }),
  // Of nobody, and with nothing to change. What hides the key where it repeats a header may look for one writing alone.
  inShort('a POST to the path of a user', (one) => ({
    ...withHeaders({ authorization: undefined, AUTHORIZATION: `bearer ${KEY}` })(asBrowser(one)),
    ...{ path: `${one.path}/null`, body: '{ }' },
  })),
  listBy('a list request with a query', (one) => ({ ...one, path: one.path + QUERY })),
  withEtag,
];

/** What came of them, and of others that a thorough run sends. */
export const freelyAnswered = drawn(freeRequests, ...openRequests);

/**
 * A key with something joined to it, or another form of it: what is sent so is another token, which a refusal may
 * repeat. One with an inner character changed holds no such part of the key that it could be taken for it: who repeats
 * that one does not show the key.
 */
const OTHER_TOKEN = /\S<API_KEY>|<API_KEY>\S|<[^<>]+ API_KEY|<API_KEY (?!with character (0|-?[2-7]) changed)[^<>]+>/;

/** The headers of a request, with their names in lower case. */
export const headersOf = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** What was refused has one of these statuses; what was carried out is another requirement's matter. */
function hasStatus(...statuses: number[]) {
  return ({ one, ok, status, exchange }: Attempt): Finding[] => {
    if (ok) return [notApplicable('the request was not rejected')];
    const expected = `status ${statuses.join(', ').replace(/, (\d+)$/, ' or $1')}`;
    return of(`${one.operation}, ${one.what}`, that(statuses.includes(status), expected, `${status}`, exchange));
  };
}

export const refusals = chapter('Authentication', [
  must('authentication.key-not-in-answers', rule('3.2'), {
    sentence: "The key never appears in a response's body, not even in that of an error.",
    evidence: { run: wholeRun, free: freelyAnswered },
    check: ({ run }) => {
      if (run.keyIsEveryday)
        return notApplicable('API_KEY is short or a plain word, which responses may contain anyway');
      const judged = run.record.filter(({ request, response }) => {
        const { authorization = '', ...others } = headersOf(request);
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

  must('authentication.refusal-shows-no-user', rule('3.1'), {
    sentence: "The response to a rejected request shows no user's data.",
    ...ofEach(all, ({ ok, shows, exchange }) => {
      if (ok) return notApplicable('no request was rejected');
      return that(shows === undefined, "a rejection without any user's data", `"${shows}" in the response`, exchange);
    }),
  }),

  should('authentication.status-without-credentials', rfc(6750, '3.1'), {
    sentence: 'A request without credentials gets a 401.',
    ...ofEach({ attempts: attempted(...noHeader) }, hasStatus(401)),
  }),

  should('authentication.status-wrong-key', rfc(6750, '3.1'), {
    sentence: 'A request with a wrong key gets a 401 or 403.',
    ...ofEach({ attempts: attempted(...wrongKey) }, hasStatus(401, 403)),
  }),

  should('authentication.status-malformed', rfc(6750, '3.1'), {
    sentence: 'A request with malformed credentials or another scheme gets a 400, 401 or 403.',
    ...ofEach({ attempts: attempted(...casesOf(...MALFORMED)) }, hasStatus(400, 401, 403)),
  }),

  should('authentication.challenge', rfc(9110, '15.5.2'), {
    sentence: 'A 401 carries a WWW-Authenticate header.',
    ...ofEach(all, ({ status, exchange }) => {
      if (status !== 401) return notApplicable('no request was rejected with 401');
      const challenge = header(exchange, 'www-authenticate');
      return that(challenge !== undefined, 'a WWW-Authenticate header', 'a 401 without one', exchange);
    }),
  }),

  should('authentication.scheme-case', rfc(9110, '11.1'), {
    sentence: 'The name of the scheme is case-insensitive (bearer, BEARER).',
    // Not of a creation: it would make a user whom nobody looks for.
    ...ofEach({ attempts: attempted(...casesOf('scheme in another case')) }, ({ one, ok, status, exchange }) => {
      const isRefused = [400, 401, 403].includes(status);
      if (!ok && !isRefused) return notVerified(`the request is rejected with ${status} for another reason`, exchange);
      return of(one.operation, that(ok, 'a 2xx status', `${status}`, exchange));
    }),
  }),

  should('authentication.before-all-else', rfc(6750, '3.1'), {
    sentence: 'A wrong key is rejected first: the status does not depend on the rest of the request.',
    evidence: { twice: attempted(...wrongTwice), once: attempted(...wrongKey) },
    check: ({ twice, once }) =>
      each(twice, ({ one, status, exchange }) => {
        const other = once.map(known).find((attempt) => attempt.one.operation === one.operation);
        const expected = `${other?.status}, as with a wrong key alone`;
        return of(one.what, that(status === other?.status, expected, `${status}`, exchange));
      }),
  }),
]);
