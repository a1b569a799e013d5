import { show } from '../src/http/value.ts';
import { type OrMissing, part, present, wholeRun, type Yields } from '../src/plan/evidence.ts';
import type { Creation } from '../src/plan/ledger.ts';
import { members } from '../src/plan/record.ts';
import { someOf } from '../src/plan/step.ts';
import { type BodyCase, type BodyResult, bodies, type MistypedCase, mistyped } from '../src/plan/steps/bodies.ts';
import { each, type Finding, notApplicable, notVerified, of, that } from '../src/requirement/finding.ts';
import { createdInTurn, createdOfWords, isCreatedAsAlone, isRefusedAsThere } from './creations-together.ts';
import { chapter, drawn, must, ofEach, rfc, rule, should } from './requirement.ts';
import { addressEvidence, meantInstead } from './versioning.ts';
import { named, ofKind } from './words.ts';

/**
 * A body of a creation: `$email` and `$name` stand for JSON strings, `$user` for the usual body, `$text` for that as a
 * string.
 */
export const body = (what: string, template: string): BodyCase => ({
  what,
  make: (user) => {
    const values: Record<string, unknown> = { ...user, user, text: JSON.stringify(user) };
    const isSent = (member: 'email' | 'name') => new RegExp(`\\$(${member}|user|text)\\b`).test(template);
    return {
      body: template.replace(/(?<!")\$(email|name|user|text)/g, (_, of) => JSON.stringify(values[of])),
      traces: { ...(isSent('email') && { email: user.email }), ...(isSent('name') && { name: user.name }) },
    };
  },
});

/** The bodies of a kind in `words/invalid-bodies.txt`. */
const bodiesOf = (kind: string) => ofKind('invalid-bodies', kind).map(([what, template]) => body(what, template));

const blank = [body('an empty body', ''), body('white space alone', ' \n')];
const cutInString: BodyCase = {
  what: 'JSON truncated inside a string',
  make: (user) => ({ body: JSON.stringify(user).slice(0, -2), traces: user }),
};
const cut = [...bodiesOf('cut'), cutInString];
const users = bodiesOf('user in an array');
/** JSON of other types than an object, in each run some of these. */
const noObjects = ['array', 'user in a string', 'string', 'number', 'boolean', 'null'].map(bodiesOf);

/** What is sent to be rejected, to which a thorough run adds; and bodies of the same kind that other steps send. */
const invalid = (sent: BodyCase[], elsewhere: BodyCase[] = []) => {
  return { sent, refusals: drawn(bodies, ...sent), elsewhere };
};

/**
 * Bodies that no user can be made of, by what they lack. What is like a missing member is wherever a service may look
 * for one besides. Stock frameworks may read the query as well, take a whole user from a member `user`, and find
 * members by their names in any case: none of these is sent.
 */
export const INVALID = {
  email: invalid(bodiesOf('email'), bodiesOf('like email')),
  name: invalid(bodiesOf('name'), bodiesOf('like name')),
  members: invalid(bodiesOf('members')),
  object: invalid([...users, ...noObjects.flatMap((all) => someOf(all))], [...users, ...noObjects.flat()]),
  empty: invalid(blank, blank),
  cut: invalid(cut, [...cut, ...bodiesOf('later cut')]),
};
export const refusedBodies = drawn(bodies, ...Object.values(INVALID).flatMap(({ sent }) => sent));

/**
 * Values that are no strings, by type, and how many of a type each run sends as email, and others as name. A number is
 * beyond 64 bits, which a database may not take.
 */
const VALUES = named('mistyped-values').map(([count, all]) => [Number(count), JSON.parse(all) as unknown[]] as const);
/** Such values as email, and as name. */
const asEachMember = (values: readonly unknown[]) =>
  (['email', 'name'] as const).map((member) =>
    values.map((value): MistypedCase => ({ what: `${JSON.stringify(value)} as ${member}`, member, value })),
  );
export const EVERY_MISTYPED = asEachMember(VALUES.flatMap(([, values]) => values)).flat();
const someMistyped = VALUES.flatMap(([count, values]) =>
  asEachMember(values).flatMap((all, place) => someOf(all, count, place * count)),
);
export const mistypedSent = drawn(mistyped, ...someMistyped);

const isRefused = ({ what, answered, exchange }: Creation): Finding[] =>
  of(what, that(answered !== 'created', 'a rejection: any non-2xx status', `${exchange?.response?.status}`, exchange));
const isClientError = ({ one, status, exchange, unanswered }: BodyResult): Finding[] =>
  unanswered
    ? [notApplicable('it never got a response')]
    : of(one.what, that(status >= 400 && status < 500, 'a 4xx status', `${status}`, exchange));

/** The requirements whose bodies are all rejected, whichever step has sent them. */
const refused = ({ refusals, elsewhere }: ReturnType<typeof invalid>) => ({
  evidence: {
    refusals,
    created: part(({ creations }) =>
      creations.filter(({ what, answered }) => answered === 'created' && elsewhere.some((one) => one.what === what)),
    ),
  },
  check: ({ refusals, created }: { refusals: OrMissing<BodyResult>[]; created: Creation[] }) => {
    const judged = present(refusals).map(({ exchange }) => exchange.id);
    const others = created.filter(({ exchange }) => exchange && !judged.includes(exchange.id));
    return [...each(refusals, ({ creation }) => isRefused(creation)), ...others.flatMap(isRefused)];
  },
});

/** A user whose email or name was sent as something else than a string has a string there, if it exists at all. */
function isString({ one, exchange, creation, stored }: BodyResult<MistypedCase>, { looks }: Yields) {
  const listed = looks.findLast((look) => look.ours.has(creation));
  const item = listed?.ours.get(creation)?.[0];
  const shown = item ? { record: item, exchange: listed?.exchange } : stored;
  const value = shown?.record && members(shown.record)[one.member];
  const isOne = shown?.record === undefined || typeof value === 'string';
  return of(one.what, that(isOne, `a string as ${one.member}, or no user`, show(value), exchange, shown?.exchange));
}

export const createUsers = chapter('Create a user', [
  must('create.answers', rule('6.1'), {
    sentence: 'POST /users with a plain email and name returns a 2xx status.',
    evidence: { run: wholeRun, inTurn: createdInTurn, ofWords: createdOfWords, ...addressEvidence },
    check: ({ run, inTurn, ofWords, ...address }) => {
      const meant = meantInstead(address);
      const plain = run.creations.filter((one) => one.fate === 'must' && !one.inCompany && one.exchange);
      if (plain.length === 0) return notApplicable('read-only: nothing is created');
      if (meant) return notVerified('the list is at another address', meant.first);
      const told = plain.filter(({ answered }) => answered !== 'unknown');
      if (told.length === 0)
        return plain.map(({ exchange }) => notVerified(exchange?.failure ?? `${exchange?.response?.status}`, exchange));
      /** The same beside other requests, for want of which other requirements could not be verified. */
      const inCompany = run.creations.filter((one) => one.inCompany && one.answered === 'refused');
      return [
        ...told.flatMap(({ what, exchange, answered }) => {
          const before = inCompany.find((one) => one.what === what)?.exchange;
          const got = `${exchange?.response?.status}`;
          return of(what, that(answered === 'created', 'a 2xx status', got, before, exchange));
        }),
        ...each(inTurn, isCreatedAsAlone),
        ...each(ofWords, (one) => isRefusedAsThere(one, run.creations)),
      ];
    },
  }),

  must('create.email-required', rule('4.1'), {
    sentence: 'A create request without the member email is rejected.',
    ...refused(INVALID.email),
  }),

  must('create.name-required', rule('4.1'), {
    sentence: 'A create request without the member name is rejected.',
    ...refused(INVALID.name),
  }),

  must('create.members-required', rule('4.1'), {
    sentence: 'A create request with neither email nor name is rejected.',
    ...refused(INVALID.members),
  }),

  must('create.object-required', rule('6.1'), {
    sentence:
      'A create request whose body is JSON but not an object (array, string, number, boolean, null) is rejected.',
    ...refused(INVALID.object),
  }),

  must('create.body-required', rule('6.1'), {
    sentence: 'A create request with an empty body is rejected.',
    ...refused(INVALID.empty),
  }),

  must('create.complete-json', rule('1.2'), {
    sentence: 'A create request with truncated JSON is rejected.',
    ...refused(INVALID.cut),
  }),

  must('create.strings-only', rule('4.1'), {
    sentence: "A user's email and name are strings, whatever type was sent.",
    evidence: { run: wholeRun, sent: mistypedSent },
    check: ({ run, sent }) => each(sent, (one) => isString(one, run)),
  }),

  should('create.invalid-status', rfc(9110, '15.5'), {
    sentence: 'An invalid create request is rejected with a 4xx status.',
    ...ofEach({ refusals: refusedBodies }, (one) =>
      one.ok ? notApplicable('the request was not rejected') : isClientError(one),
    ),
  }),

  should('create.answered', rfc(9110, '3.4'), {
    sentence: 'Every create request gets a response, even a malformed one.',
    ...ofEach<BodyResult>({ refusals: refusedBodies, mistyped: mistypedSent }, ({ one, unanswered = [] }) =>
      of(one.what, that(unanswered.length === 0, 'a response', `none, ${unanswered.length} times`, ...unanswered)),
    ),
  }),

  should('create.mistyped-status', rfc(9110, '15.5'), {
    sentence: 'A create request whose email or name is not a string is rejected with a 4xx status.',
    ...ofEach({ refusals: mistypedSent }, isClientError),
  }),
]);
