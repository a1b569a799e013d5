import { PLAIN_USER } from '../src/history/creation.ts';
import type { CaseResult, History } from '../src/history/history.ts';
import { isServerError, isSuccess, isTelling } from '../src/http/exchange.ts';
import { asUsual, type Case, CREATE, isResultOf, type UserKind } from '../src/requirement/case.ts';
import { type Finding, notApplicable, verify } from '../src/requirement/finding.ts';
import { plainCreations } from './concurrent-creations.ts';
import { statusOf, whyOpen } from './expectations.ts';
import { chapter, must, rule } from './requirement.ts';
import { sameEmail, sameName } from './same-values.ts';

/** A user whom an earlier run, or somebody else, may have created as well. */
const mayBeThere = (name: string, user: UserKind): Case => ({
  name,
  operation: CREATE,
  change: asUsual,
  phase: 'valid',
  expected: 'either',
  user,
});

/** Plain users with an address or a name that another run may have used as well. */
export const wordCreations: Case[] = [
  mayBeThere('admin before the at sign', { email: ({ domain }) => `admin${domain}` }),
  mayBeThere('the name Union Select', { name: () => 'Union Select' }),
];

export const createUsers = chapter('Create a user', [
  must('create.answers', rule('6.1'), {
    sentence: 'POST /users with a plain email and name returns a 2xx status.',
    cases: [...plainCreations, ...wordCreations],
    expect: expectCreated,
    check: checkUsualCreations,
    needs: ['list', 'users', 'plain users', 'end'],
  }),
]);

/** Checks the plain creations besides the cases: the first users, usual requests, and the last. */
function checkUsualCreations(history: History): Finding[] {
  const { creations, isReadOnly } = history;
  if (isReadOnly) return [notApplicable('read-only: nothing is created')];
  const plain = creations.filter(({ name, isAfterNegative, isConcurrent, exchange }) => {
    return name === PLAIN_USER && exchange && !isAfterNegative && !isConcurrent;
  });
  const isAnyAccepted = plain.some(({ response }) => response === 'accepted');
  return plain.flatMap(({ exchange, response, name }) => {
    // After a 503 another user is created, and nothing is asserted about the first.
    if (response === 'unknown' && exchange) return isAnyAccepted ? [] : whyOpen(exchange);
    // A sporadic 500 fails `http.no-sporadic-error`.
    if (isAnyAccepted && exchange && isServerError(exchange)) return [];
    const got = `${exchange?.response?.status}`;
    return { ...verify(response === 'accepted', 'a 2xx status', got, exchange), caseName: name };
  });
}

/** Expects a 2xx. If the user may exist already, the same rejection as of a second user is fine. */
function expectCreated({ exchange, creation }: CaseResult, history: History): Finding {
  if (creation === undefined || creation.response === 'unknown') return whyOpen(exchange);
  const finding = verify(
    creation.response === 'accepted',
    'a 2xx status',
    `${statusOf(exchange)}`,
    exchange,
  );
  if (finding.outcome === 'passed' || creation.expected === 'created') return finding;
  const twins = history.results.filter((result) =>
    [sameName, sameEmail].some((twin) => isResultOf(result, twin)),
  );
  const decided = twins.filter((twin) => isTelling(twin.exchange));
  const statuses = decided
    .filter((twin) => !isSuccess(twin.exchange))
    .map((twin) => statusOf(twin.exchange));
  const isLikeSecond = decided.length < 2 || statuses.includes(statusOf(exchange));
  if (isLikeSecond) return notApplicable('the service rejects it like a second user');
  const others = statuses[0] ?? 'a 2xx status';
  const got = `${statusOf(exchange)}; a second user with the same name or email gets ${others}`;
  return verify(false, 'a 2xx status', got, exchange);
}
