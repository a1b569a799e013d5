import { type Answer, header } from '../src/http/exchange.ts';
import { KEY } from '../src/http/key.ts';
import { BEARER, type Check } from '../src/plan/check.ts';
import { knownUser } from '../src/plan/known-user.ts';
import { chapter, interfaceDocument, must, rfc, should } from '../src/requirement/requirement.ts';
import {
  attempt,
  bare,
  type CredentialCase,
  canBeMade,
  caseSwapped,
  cutShort,
  empty,
  extended,
  inBody,
  inCookie,
  inOtherHeader,
  inQuery,
  malformed,
  missing,
  type Operation,
  operations,
  otherScheme,
  positiveControl,
  worthSending,
  wrong,
} from './credentials.ts';
import { wholeRecord } from './run.ts';

const rule1 = interfaceDocument('Authentication, rule 1');
const rule2 = interfaceDocument('Authentication, rule 2');
const challenges = rfc(6750, '3.1');

const needsKey = {
  'GET /users': 'authentication.list-needs-key',
  'POST /users': 'authentication.create-needs-key',
  'GET /users/:id': 'authentication.retrieve-needs-key',
};

/** An operation with these credentials is not carried out. */
async function isRefused(check: Check, one: CredentialCase, operation: Operation): Promise<void> {
  const { exchange, ok, status } = await attempt(check, one, operation);
  check.that(!ok, 'a refusal: no 2xx status', `${status} for ${operation} with ${one.what}`, exchange);
}

/** Ends the check where one that it stands on has failed, so that one missing guard is not reported many times. */
async function standsOn(check: Check, one: CredentialCase, operation: Operation, slug: string): Promise<void> {
  const answer = await attempt(check, one, operation);
  if (answer.ok) check.needs(slug, answer.exchange);
}

/**
 * All cases are refused on all operations. Operations that ask for no key at all, or (for variations of the key and of
 * the scheme) take any, are left to the requirements that say just that.
 */
function refused(cases: CredentialCase[], standingOn: 'a key is asked for' | 'a wrong key is refused') {
  return async (check: Check) => {
    const made = cases.flatMap((one) =>
      operations.filter((operation) => canBeMade(check, one, operation)).map((operation) => ({ one, operation })),
    );
    if (made.length === 0) check.notApplicable('this key allows no such variation');
    await check.each(
      made,
      () => '',
      async ({ one, operation }) => {
        await standsOn(check, missing, operation, needsKey[operation]);
        if (standingOn === 'a wrong key is refused') {
          await standsOn(check, wrong, operation, 'authentication.wrong-key');
        }
        await isRefused(check, one, operation);
      },
    );
  };
}

/** Every refusal of these cases has one of these statuses; what was carried out is another requirement's matter. */
function refusedWith(cases: CredentialCase[], statuses: number[]) {
  return async (check: Check) => {
    const made = cases.flatMap((one) => operations.map((operation) => ({ one, operation })));
    await check.each(
      made,
      ({ one, operation }) => `${operation}, ${one.what}`,
      async ({ one, operation }) => {
        if (!(await worthSending(check, operation)).includes(one)) check.notApplicable('any credentials are taken');
        const answer = await attempt(check, one, operation);
        if (answer.ok) check.notApplicable('it was not refused');
        check.session.observe(`refusal of ${one.what}`, `${answer.status}`);
        check.hasStatus(answer, statuses);
      },
    );
  };
}

/** The refusals of all cases that could be sent; unanswered ones are their own requirements' matter. */
async function refusals(check: Check): Promise<Answer[]> {
  const attempts = operations.map(async (operation) => {
    const cases = await worthSending(check, operation);
    return Promise.allSettled(cases.map((one) => attempt(check, one, operation)));
  });
  const ends = await Promise.allSettled(attempts);
  const answers = ends
    .flatMap((end) => (end.status === 'fulfilled' ? end.value : []))
    .flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const [rejected] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (answers.length === 0) throw rejected;
  return answers.filter(({ ok }) => !ok);
}

export const authentication = chapter('Authentication', [
  ...operations.map((operation) =>
    must(needsKey[operation], {
      source: rule1,
      sentence: `${operation} is not carried out without an Authorization header.`,
      check: (check) => isRefused(check, missing, operation),
    }),
  ),

  must('authentication.wrong-key', {
    source: rule1,
    sentence: 'No operation is carried out with a wrong key.',
    check: refused([wrong], 'a key is asked for'),
  }),

  must('authentication.no-token', {
    source: rule1,
    sentence: 'No operation is carried out with an empty Authorization header or with the scheme alone.',
    check: refused(empty, 'a wrong key is refused'),
  }),

  must('authentication.key-cut-short', {
    source: rule1,
    sentence: 'No operation is carried out with a key that lacks one character at its beginning or end.',
    check: refused(cutShort, 'a wrong key is refused'),
  }),

  must('authentication.key-extended', {
    source: rule1,
    sentence: 'No operation is carried out with a key that has one character added.',
    check: refused(extended, 'a wrong key is refused'),
  }),

  must('authentication.key-case', {
    source: rule1,
    sentence: 'No operation is carried out with a key whose letters are in the other case.',
    check: refused(caseSwapped, 'a wrong key is refused'),
  }),

  must('authentication.other-scheme', {
    source: rule1,
    sentence: 'No operation is carried out when the key comes with another scheme than Bearer (Basic, Token).',
    check: refused(otherScheme, 'a wrong key is refused'),
  }),

  must('authentication.no-scheme', {
    source: rule1,
    sentence: 'No operation is carried out when the Authorization header holds the key without a scheme.',
    check: refused(bare, 'a wrong key is refused'),
  }),

  must('authentication.key-in-query', {
    source: rule2,
    sentence: 'No operation is carried out when the key is in the query and not in the Authorization header.',
    check: refused(inQuery, 'a key is asked for'),
  }),

  must('authentication.key-in-other-header', {
    source: rule1,
    sentence: 'No operation is carried out when the key is in another header than Authorization.',
    check: refused(inOtherHeader, 'a key is asked for'),
  }),

  must('authentication.key-in-cookie', {
    source: rule1,
    sentence: 'No operation is carried out when the key is in a cookie and not in the Authorization header.',
    check: refused(inCookie, 'a key is asked for'),
  }),

  must('authentication.key-in-body', {
    source: rule2,
    sentence: 'No user is created when the key is in the request body and not in the Authorization header.',
    check: refused(inBody, 'a key is asked for'),
  }),

  must('authentication.refusal-shows-no-user', {
    source: rule1,
    sentence: "A refused request's answer shows no user's data.",
    check: async (check) => {
      const user = await knownUser(check);
      const answers = await refusals(check);
      if (answers.length === 0) check.needs('authentication.list-needs-key');
      for (const answer of answers) {
        // A refusal may repeat what was sent, and the path may hold an email that is the identifier.
        const path = decodeURIComponent(answer.exchange.request.path);
        const shown = [user.email, user.name].find((value) => answer.refusal.includes(value) && !path.includes(value));
        check.that(shown === undefined, "a refusal without any user's data", `"${shown}" in its body`, answer.exchange);
      }
    },
  }),

  must('authentication.key-not-in-answers', {
    phase: 'end',
    source: rule2,
    sentence: "The key never appears in an answer's body.",
    check: async (check) => {
      const judged = (await wholeRecord(check)).filter(({ request }) => {
        const { authorization = '', ...others } = request.headers;
        const elsewhere = [request.path, request.body ?? '', ...Object.values(others)].some((text) =>
          text.includes(KEY),
        );
        return !elsewhere && !authorization.includes(`${KEY}x`);
      });
      for (const exchange of judged) {
        const { keyInBody = false, keyInHeader = false } = exchange.response ?? {};
        if (keyInHeader) check.session.observe('key in an answer', 'in a header');
        check.that(
          !keyInBody,
          'an answer without the key',
          `the key in the body of a ${exchange.response?.status}`,
          exchange,
        );
      }
    },
  }),

  should('authentication.status-without-credentials', {
    source: challenges,
    sentence: 'A request without credentials is answered 401.',
    check: refusedWith([missing], [401]),
  }),

  should('authentication.status-wrong-key', {
    source: challenges,
    sentence: 'A request with a wrong key is answered 401 or 403.',
    check: refusedWith([wrong], [401, 403]),
  }),

  should('authentication.status-malformed', {
    source: challenges,
    sentence: 'A request with malformed credentials or another scheme is answered 400, 401 or 403.',
    check: refusedWith(malformed, [400, 401, 403]),
  }),

  should('authentication.challenge', {
    source: rfc(9110, '15.5.2'),
    sentence: 'A 401 carries a WWW-Authenticate header.',
    check: async (check) => {
      const answers = (await refusals(check)).filter(({ status }) => status === 401);
      if (answers.length === 0) check.notApplicable('no request was answered 401');
      for (const { exchange } of answers) {
        const challenge = header(exchange, 'www-authenticate');
        check.that(challenge !== undefined, 'a WWW-Authenticate header', 'a 401 without one', exchange);
      }
    },
  }),

  should('authentication.scheme-case', {
    source: rfc(9110, '11.1'),
    sentence: 'The name of the scheme is matched whatever its case (bearer).',
    check: async (check) => {
      const headers = { authorization: BEARER.authorization.replace('Bearer', 'bearer') };
      await check.each(
        operations,
        (operation) => operation,
        async (operation) => {
          await positiveControl(check, operation);
          if (operation === 'GET /users') check.isSuccess(await check.list(headers));
          else if (operation === 'GET /users/:id') {
            const { identifier } = await knownUser(check);
            check.isSuccess(await check.retrieve(identifier.segment, headers));
          } else check.isSuccess(await check.create(check.session.newUser(), headers));
        },
      );
    },
  }),

  should('authentication.before-all-else', {
    source: challenges,
    sentence: 'A wrong key is refused before anything else is looked at: the status does not depend on the request.',
    check: async (check) => {
      const { authorization } = (await attempt(check, wrong, 'GET /users')).exchange.request.headers;
      const headers = { authorization: authorization as string };
      await check.each(
        ['an unknown identifier', 'an invalid body'],
        (what) => what,
        async (what) => {
          const toUser = what === 'an unknown identifier';
          const operation = toUser ? 'GET /users/:id' : 'POST /users';
          await standsOn(check, missing, operation, needsKey[operation]);
          await standsOn(check, wrong, operation, 'authentication.wrong-key');
          const known = await attempt(check, wrong, operation);
          const other = toUser ? await check.retrieve('null', headers) : await check.create('{', headers);
          const same = other.status === known.status;
          check.that(same, `${known.status}, as with a wrong key elsewhere`, `${other.status}`, other.exchange);
        },
      );
    },
  }),
]);
