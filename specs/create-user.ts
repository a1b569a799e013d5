import { show } from '../src/http/value.ts';
import { type OrMissing, part, present, wholeRun } from '../src/plan/evidence.ts';
import type { Creation } from '../src/plan/ledger.ts';
import type { Look } from '../src/plan/look.ts';
import { members } from '../src/plan/record.ts';
import { type BodyCase, type BodyResult, bodies, type MistypedCase, mistyped } from '../src/plan/steps/bodies.ts';
import { each, type Finding, notApplicable, notVerified, of, that } from '../src/requirement/finding.ts';
import { chapter, type DrawnPart, drawn, must, rfc, should } from '../src/requirement/requirement.ts';
import { createdInTurn, createdOfWords, isCreatedAsAlone, isNoError } from './creations-together.ts';
import { rule } from './interface.ts';
import { INVALID, INVALID_ELSEWHERE, MISTYPED } from './invalid-bodies.ts';
import { addressEvidence, meantInstead } from './versioning.ts';

const isRefused = ({ what, answered, exchange }: Creation): Finding[] =>
  of(what, that(answered !== 'created', 'a rejection: any non-2xx status', `${exchange?.response?.status}`, exchange));
const isClientError = ({ one, status, exchange, unanswered }: BodyResult): Finding[] =>
  of(
    one.what,
    unanswered
      ? notApplicable('it never got a response')
      : that(status >= 400 && status < 500, 'a 4xx status', `${status}`, exchange),
  );

/** The requirements whose bodies are all rejected, whichever step has sent them. */
const refused = (refusals: DrawnPart<BodyCase, BodyResult<BodyCase>>, ...all: BodyCase[]) => ({
  evidence: {
    refusals,
    created: part(({ creations }) =>
      creations.filter(({ what, answered }) => answered === 'created' && all.some((one) => one.what === what)),
    ),
  },
  check: ({ refusals, created }: { refusals: OrMissing<BodyResult>[]; created: Creation[] }) => {
    const judged = present(refusals).map(({ exchange }) => exchange.id);
    const others = created.filter(({ exchange }) => exchange && !judged.includes(exchange.id));
    return [...each(refusals, ({ creation }) => isRefused(creation)), ...others.flatMap(isRefused)];
  },
});

/** A user whose email or name was sent as something else than a string has a string there, if it exists at all. */
function isString({ one, exchange, creation, stored }: BodyResult<MistypedCase>, looks: readonly Look[]) {
  const listed = looks.findLast((look) => look.ours.has(creation));
  const item = listed?.ours.get(creation)?.[0];
  const record = item ?? stored?.record;
  const value = record && members(record)[one.member];
  const shown = item ? listed?.exchange : stored?.exchange;
  const isOne = record === undefined || typeof value === 'string';
  return of(one.what, that(isOne, `a string as ${one.member}, or no user`, show(value), exchange, shown));
}

/** What came of cases that a thorough run adds to. */
export const withoutEmail = drawn(bodies, ...INVALID.email);
export const withoutName = drawn(bodies, ...INVALID.name);
export const withoutMembers = drawn(bodies, ...INVALID.members);
export const withoutObject = drawn(bodies, ...INVALID.object);
export const withoutBody = drawn(bodies, ...INVALID.empty);
export const cutShortBodies = drawn(bodies, ...INVALID.cut);
export const refusedBodies = drawn(bodies, ...Object.values(INVALID).flat());
export const mistypedSent = drawn(mistyped, ...MISTYPED);

export const createUsers = chapter('Create a user', [
  must('create.answers', {
    source: rule('6.1'),
    sentence: 'POST /users with a plain email and name returns a 2xx status.',
    evidence: { run: wholeRun, inTurn: createdInTurn, ofWords: createdOfWords, ...addressEvidence },
    check: ({ run, inTurn, ofWords, ...address }) => {
      const meant = meantInstead(address);
      const plain = run.creations.flatMap(({ fate, inCompany, what, exchange, answered }) =>
        fate === 'must' && !inCompany && exchange ? [{ what, exchange, answered }] : [],
      );
      if (plain.length === 0) return notApplicable('read-only: nothing is created');
      if (meant) return notVerified('the list is at another address', meant.first);
      const told = plain.filter(({ answered }) => answered !== 'unknown');
      if (told.length === 0) {
        return plain.map(({ exchange }) => notVerified(exchange.failure ?? `${exchange.response?.status}`, exchange));
      }
      return [
        ...told.flatMap(({ what, exchange, answered }) =>
          of(what, that(answered === 'created', 'a 2xx status', `${exchange.response?.status}`, exchange)),
        ),
        ...each(inTurn, isCreatedAsAlone),
        ...each(ofWords, isNoError),
      ];
    },
  }),

  must('create.email-required', {
    source: rule('4.1'),
    sentence: 'A create request without the member email is rejected.',
    ...refused(withoutEmail, ...INVALID_ELSEWHERE.email),
  }),

  must('create.name-required', {
    source: rule('4.1'),
    sentence: 'A create request without the member name is rejected.',
    ...refused(withoutName, ...INVALID_ELSEWHERE.name),
  }),

  must('create.members-required', {
    source: rule('4.1'),
    sentence: 'A create request with neither email nor name is rejected.',
    ...refused(withoutMembers),
  }),

  must('create.object-required', {
    source: rule('6.1'),
    sentence:
      'A create request whose body is JSON but not an object (array, string, number, boolean, null) is rejected.',
    ...refused(withoutObject, ...INVALID_ELSEWHERE.object),
  }),

  must('create.body-required', {
    source: rule('6.1'),
    sentence: 'A create request with an empty body is rejected.',
    ...refused(withoutBody, ...INVALID_ELSEWHERE.empty),
  }),

  must('create.complete-json', {
    source: rule('1.2'),
    sentence: 'A create request with truncated JSON is rejected.',
    ...refused(cutShortBodies, ...INVALID_ELSEWHERE.cut),
  }),

  must('create.strings-only', {
    source: rule('4.1'),
    sentence: "A user's email and name are strings, whatever type was sent.",
    evidence: { run: wholeRun, sent: mistypedSent },
    check: ({ run, sent }) => each(sent, (one) => isString(one, run.looks)),
  }),

  should('create.invalid-status', {
    source: rfc(9110, '15.5'),
    sentence: 'An invalid create request is rejected with a 4xx status.',
    evidence: { refusals: refusedBodies },
    check: ({ refusals }) =>
      each(refusals, (one) => (one.ok ? notApplicable('the request was not rejected') : isClientError(one))),
  }),

  should('create.answered', {
    source: rfc(9110, '3.4'),
    sentence: 'Every create request gets a response, even a malformed one.',
    evidence: { refusals: refusedBodies, mistyped: mistypedSent },
    check: ({ refusals, mistyped }) =>
      each([...refusals, ...mistyped], ({ one, unanswered = [] }) =>
        of(one.what, that(unanswered.length === 0, 'a response', `none, ${unanswered.length} times`, ...unanswered)),
      ),
  }),

  should('create.mistyped-status', {
    source: rfc(9110, '15.5'),
    sentence: 'A create request whose email or name is not a string is rejected with a 4xx status.',
    evidence: { refusals: mistypedSent },
    check: ({ refusals }) => each(refusals, isClientError),
  }),
]);
