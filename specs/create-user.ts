import type { Exchange } from '../src/http/exchange.ts';
import { show } from '../src/http/value.ts';
import { type OrMissing, part, present, wholeRun } from '../src/plan/evidence.ts';
import type { Creation } from '../src/plan/ledger.ts';
import type { Look } from '../src/plan/look.ts';
import { members } from '../src/plan/record.ts';
import { type BodyCase, bodies, type MistypedCase, mistyped, type Refusal } from '../src/plan/steps/bodies.ts';
import { inTurns } from '../src/plan/turns.ts';
import type { NewUser } from '../src/plan/users.ts';
import { each, type Finding, notApplicable, notVerified, of, that } from '../src/requirement/finding.ts';
import { chapter, type DrawnPart, drawn, must, rfc, should } from '../src/requirement/requirement.ts';
import { createdInTurn, createdOfWords, isCreatedAsAlone, isNoError } from './creations-together.ts';
import { rule } from './interface.ts';
import { addressEvidence, meantInstead } from './versioning.ts';

/** Bodies that no user can be made of, and what of the user would show in one that is made all the same. */
const body = (what: string, make: BodyCase['make']): BodyCase => ({ what, make });
const fixed = (text: string) => () => ({ body: text, traces: {} });
const noEmail = body('no member email', ({ name }) => ({ body: JSON.stringify({ name }), traces: { name } }));
const noName = body('no member name', ({ email }) => ({ body: JSON.stringify({ email }), traces: { email } }));
const noMembers = body('neither email nor name', fixed('{}'));
const notAnObject = body('null', fixed('null'));
/** JSON of other types, in each run some of these. */
const arrays = [
  body('an empty array', fixed('[]')),
  body('an array in an array', (user) => ({ body: JSON.stringify([[user.email, user.name]]), traces: user })),
  body('an array of two users', (user) => ({ body: JSON.stringify([user, user]), traces: user })),
  body('an array with null in it', fixed('[null]')),
  body('an array with an empty object in it', fixed('[{}]')),
];
const strings = [
  body('a string', ({ email }) => ({ body: JSON.stringify(email), traces: { email } })),
  body('an empty string', fixed('""')),
  body('a string with the JSON of a user', (user) => ({ body: JSON.stringify(JSON.stringify(user)), traces: user })),
  body('a string with JSON', fixed('"{}"')),
];
const numbers = ['42', '0', '-1', '1.5'].map((text) => body(`the number ${text}`, fixed(text)));
const truths = ['true', 'false'].map((text) => body(text, fixed(text)));
const ofUser = [
  body('an array with a user in it', (user) => ({ body: JSON.stringify([user]), traces: user })),
  body('an array of the two strings', (user) => ({ body: JSON.stringify([user.email, user.name]), traces: user })),
];
const noObject = [
  ...ofUser,
  ...inTurns([body('another array', fixed('[]')), body('one more array', fixed('[]'))], arrays),
  ...inTurns([body('one string', fixed('""')), body('another string', fixed('""'))], strings),
  ...inTurns([body('a number', fixed('0'))], numbers),
  ...inTurns([body('true or false', fixed('true'))], truths),
  notAnObject,
];
const noBody = body('an empty body', fixed(''));
const white = body('white space alone', fixed(' \n'));
const cutBy = (user: NewUser, characters: number) => ({
  body: JSON.stringify(user).slice(0, -characters),
  traces: user,
});
const cutShort = body('truncated JSON', (user) => cutBy(user, 1));
/** Wherever a service may look for an email and a name besides: each of these is wrong by itself. */
const likeEmail = ({ email }: NewUser) => ({ mail: email, e_mail: email, email_address: email, ' email': email });
const likeName = ({ name }: NewUser) => ({ username: name, full_name: name, ' name': name });
const within = (user: Partial<NewUser>) => ({ user, data: user, attributes: user });
const elsewhere = body('a user under other names, in other members and in the query', (user) => {
  const others = JSON.stringify({ ...within(user), ...likeEmail(user), ...likeName(user) });
  // Written by hand: JSON.stringify would set a prototype.
  const text = `{"__proto__":${JSON.stringify(user)},"constructor":{"prototype":${JSON.stringify(user)}},${others.slice(1)}`;
  return { body: text, traces: user, query: `?${new URLSearchParams({ ...user })}` };
});
const emailElsewhere = body('no member email, but others like it and one in the query', (user) => {
  const { email, name } = user;
  const text = JSON.stringify({ name, ...within({ email }), ...likeEmail(user) });
  return { body: text, traces: user, query: `?${new URLSearchParams({ email })}` };
});
const nameElsewhere = body('no member name, but others like it and one in the query', (user) => {
  const { email, name } = user;
  const text = JSON.stringify({ email, ...within({ name }), ...likeName(user) });
  return { body: text, traces: user, query: `?${new URLSearchParams({ name })}` };
});
const cutInString = body('JSON truncated inside a string', (user) => cutBy(user, 2));
const cutElsewhere = [
  body('JSON truncated before a value', ({ email, name }) => ({
    body: JSON.stringify({ email, name }).slice(0, -JSON.stringify(name).length - 1),
    traces: { email },
  })),
  body('JSON truncated after a member', (user) => ({
    body: `{"email":"${user.email}"`,
    traces: { email: user.email },
  })),
  body('JSON truncated after a comma', (user) => ({ body: `${cutBy(user, 1).body},`, traces: user })),
  body('an opening brace', fixed('{')),
];
const allCut = [cutShort, cutInString];
const allEmpty = inTurns([body('an empty body', fixed(''))], [noBody, white]);
const allBodies = [noEmail, noName, noMembers, elsewhere, ...noObject, ...allEmpty, ...allCut];

/** Values that are no strings, in each run one of each type as email and another one as name. Some numbers are beyond 64 bits, which a database may not take. */
const VALUES: unknown[][] = [
  [42, 0, 2 ** 66, -1, 1.5],
  [true, false],
  [['Ada', 'Grace'], [], [['Ada']], [null]],
  [{ first: 'Ada' }, {}, { $ne: '' }],
];
const mistypedAs = (member: MistypedCase['member'], value: unknown): MistypedCase => {
  return { what: `${JSON.stringify(value)} as ${member}`, member, value };
};
const MEMBERS = ['email', 'name'] as const;
/** Of each type two, of objects one. */
const SLOTS = [2, 2, 2, 1];
const allMistyped = [
  ...MEMBERS.map((member) => mistypedAs(member, null)),
  ...VALUES.flatMap((values, type) =>
    MEMBERS.flatMap((member, place) =>
      inTurns(
        Array.from({ length: SLOTS[type] as number }, (_, slot) => mistypedAs(member, values[slot])),
        values.map((value) => mistypedAs(member, value)),
      ).map((one, slot) => ({ ...one, turn: place * (SLOTS[type] as number) + slot })),
    ),
  ),
];
const everyMistyped = MEMBERS.flatMap((member) => [null, ...VALUES.flat()].map((value) => mistypedAs(member, value)));
const otherJson = [...ofUser, ...arrays, ...strings, ...numbers, ...truths, notAnObject];

/** The same for other steps to send, by kind. */
export const INVALID = {
  members: [emailElsewhere, nameElsewhere],
  json: otherJson,
  empty: [noBody, white],
  cut: [...allCut, ...cutElsewhere],
  mistyped: everyMistyped,
};

const isRefused = ({ what, ok, status, exchange }: Pick<Refusal, 'what' | 'ok' | 'status' | 'exchange'>): Finding[] =>
  of(what, that(!ok, 'a rejection: any non-2xx status', `${status}`, exchange));
const isClientError = ({ what, status, exchange, unanswered }: Refusal): Finding[] =>
  of(
    what,
    unanswered
      ? notApplicable('it never got a response')
      : that(status >= 400 && status < 500, 'a 4xx status', `${status}`, exchange),
  );

/** The requirements whose bodies are all rejected, whichever step has sent them. */
const refused = (refusals: DrawnPart<BodyCase, Refusal<BodyCase>>, ...all: BodyCase[]) => ({
  evidence: {
    refusals,
    created: part(({ creations }) =>
      creations.filter(({ what, answered }) => answered === 'created' && all.some((one) => one.what === what)),
    ),
  },
  check: ({ refusals, created }: { refusals: OrMissing<Refusal>[]; created: Creation[] }) => [
    ...each(refusals, isRefused),
    ...created.flatMap(({ what, exchange }) =>
      exchange === undefined || isIn(refusals, exchange)
        ? []
        : isRefused({ what, ok: true, status: exchange.response?.status ?? 0, exchange }),
    ),
  ],
});
const isIn = (refusals: OrMissing<Refusal>[], { id }: Exchange) =>
  present(refusals).some(({ exchange }) => exchange.id === id);

/** A user whose email or name was sent as something else than a string has a string there, if it exists at all. */
function isString({ one, exchange, creation, stored }: Refusal<MistypedCase>, looks: readonly Look[]) {
  const listed = looks.findLast((look) => look.ours.has(creation));
  const item = listed?.ours.get(creation)?.[0];
  const record = item ?? stored?.record;
  const value = record && members(record)[one.member];
  const shown = item ? listed?.exchange : stored?.exchange;
  const isOne = record === undefined || typeof value === 'string';
  return of(one.what, that(isOne, `a string as ${one.member}, or no user`, show(value), exchange, shown));
}

/** What came of cases that a thorough run adds to. */
export const withoutEmail = drawn(bodies, noEmail);
export const withoutName = drawn(bodies, noName);
export const withoutMembers = drawn(bodies, noMembers, elsewhere);
export const withoutObject = drawn(bodies, ...noObject);
export const withoutBody = drawn(bodies, ...allEmpty);
export const cutShortBodies = drawn(bodies, ...allCut);
export const refusedBodies = drawn(bodies, ...allBodies);
export const mistypedSent = drawn(mistyped, ...allMistyped);

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
    ...refused(withoutEmail, emailElsewhere),
  }),

  must('create.name-required', {
    source: rule('4.1'),
    sentence: 'A create request without the member name is rejected.',
    ...refused(withoutName, nameElsewhere),
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
    ...refused(withoutObject, ...otherJson),
  }),

  must('create.body-required', {
    source: rule('6.1'),
    sentence: 'A create request with an empty body is rejected.',
    ...refused(withoutBody, noBody, white),
  }),

  must('create.complete-json', {
    source: rule('1.2'),
    sentence: 'A create request with truncated JSON is rejected.',
    ...refused(cutShortBodies, ...INVALID.cut),
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
      each([...refusals, ...mistyped], ({ what, unanswered = [] }) =>
        of(what, that(unanswered.length === 0, 'a response', `none, ${unanswered.length} times`, ...unanswered)),
      ),
  }),

  should('create.mistyped-status', {
    source: rfc(9110, '15.5'),
    sentence: 'A create request whose email or name is not a string is rejected with a 4xx status.',
    evidence: { refusals: mistypedSent },
    check: ({ refusals }) => each(refusals, isClientError),
  }),
]);
