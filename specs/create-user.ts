import { type Answer, type Exchange, header, isSuccess, show } from '../src/http/exchange.ts';
import { KEY } from '../src/http/key.ts';
import { BEARER, type Check } from '../src/plan/check.ts';
import {
  anotherUser,
  baseline,
  candidatesOf,
  createUser,
  knownUser,
  recordOf,
  usersCreatedTogether,
} from '../src/plan/known-user.ts';
import { type FoundRecord, isObject, recordsIn } from '../src/plan/record.ts';
import type { KnownUser } from '../src/plan/session.ts';
import type { UserList } from '../src/plan/user-list.ts';
import { chapter, interfaceDocument, must, rfc, should } from '../src/requirement/requirement.ts';
import { isClientError, sendForbiddenCreations, sendInvalid, sendMistyped } from './bad-requests.ts';
import { createSome, movement } from './counting.ts';
import { invalidBodies, type Mistyped, mistypedBodies } from './request-bodies.ts';
import { creationsBetween, finalList } from './run.ts';
import { rightBase } from './versioning.ts';

const operation = interfaceDocument('POST /users');
const user = interfaceDocument('User');
const clientError = rfc(9110, '15.5');

/** Bodies that are invalid in this way are not carried out. */
function isNotCarriedOut(slug: string) {
  return (check: Check) =>
    check.each(
      invalidBodies.filter((invalid) => invalid.slug === slug),
      ({ what }) => what,
      async (invalid) => {
        const { ok, status, exchange } = await sendInvalid(check, invalid);
        check.that(!ok, 'a refusal: no 2xx status', `${status}`, exchange);
      },
    );
}

/** The record of a user who was sent with a member that is no string, found by the other member; undefined without. */
async function storedMistyped(check: Check, created: Answer, { member }: Mistyped) {
  const sent = JSON.parse(created.exchange.request.body as string) as Record<string, string>;
  const other = member === 'email' ? 'name' : 'email';
  const list = await finalList(check);
  const listed = list.data.find((item) => isObject(item) && item[other] === sent[other]);
  if (listed !== undefined) return { record: listed as Record<string, unknown>, exchange: list.exchange };
  if (!list.pages || !created.ok) return undefined;
  for (const identifier of candidatesOf(check, created).slice(0, 2)) {
    const { json, exchange } = await check.retrieve(identifier.segment);
    const found = recordsIn(json).find(({ record }) => record[other] === sent[other]);
    if (found) return { record: found.record, exchange };
  }
  return undefined;
}

/** Fails when a value by which a refused creation would be found is in the list. */
async function noneIsListed(check: Check, list: UserList): Promise<void> {
  const refused = check.session.forbidden.filter(({ exchange }) => !isSuccess(exchange));
  const guilty = new Map(refused.flatMap((creation) => creation.traces.map((trace) => [trace, creation] as const)));
  for (const item of list.data) {
    const values = isObject(item) ? [item.email, item.name] : [];
    const creation = values.map((value) => guilty.get(String(value))).find((found) => found !== undefined);
    if (creation === undefined) continue;
    const { what, exchange } = creation;
    const got = `a user of ${what}, answered ${exchange.response?.status}`;
    check.fail({ expected: 'no user of a refused creation', got, exchanges: [exchange, list.exchange] });
  }
  check.judged += refused.length;
}

/** The creation whose answer the recommendations for statuses and Location look at. */
async function firstCreation(check: Check): Promise<{ user: KnownUser; created: Exchange; status: number }> {
  check.mayCreate();
  const known = await knownUser(check);
  const created = known.created as Exchange;
  return { user: known, created, status: created.response?.status as number };
}

export const createUsers = chapter('Create a user', [
  must('create.answers', {
    phase: 'end',
    source: operation,
    sentence: 'POST /users with a plain email and name is answered with a 2xx status.',
    check: async (check) => {
      check.mayCreate();
      if (await rightBase(check)) check.needs('versioning.base-address');
      const end = await knownUser(check).catch((error) => error);
      if (check.session.plainCreations.length === 0) throw end;
      for (const exchange of check.session.plainCreations) {
        const status = exchange.response?.status as number;
        check.session.observe('create status', `${status}`);
        check.that(isSuccess(exchange), 'a 2xx status', `${status}`, exchange);
      }
    },
  }),

  ...(
    [
      ['create.email-required', 'A request without the member email creates no user and is not answered 2xx.'],
      ['create.name-required', 'A request without the member name creates no user and is not answered 2xx.'],
      ['create.members-required', 'A request with neither email nor name creates no user and is not answered 2xx.'],
      ['create.object-required', 'A body that is JSON but no object creates no user and is not answered 2xx.'],
      ['create.body-required', 'An empty body creates no user and is not answered 2xx.'],
      ['create.complete-json', 'A body whose JSON is cut short creates no user and is not answered 2xx.'],
    ] as const
  ).map(([slug, sentence]) =>
    must(slug, {
      source: slug.endsWith('-required') && !slug.startsWith('create.body') ? user : operation,
      sentence,
      check: isNotCarriedOut(slug),
    }),
  ),

  must('create.strings-only', {
    phase: 'alone',
    source: user,
    sentence: "No value that is not a string ends up as a user's email or name.",
    check: async (check) => {
      check.mayCreate();
      await check.each(
        mistypedBodies,
        ({ what }) => what,
        async (mistyped) => {
          const created = await sendMistyped(check, mistyped);
          const stored = await storedMistyped(check, created, mistyped);
          const value = stored?.record[mistyped.member];
          check.that(
            stored === undefined || typeof value === 'string',
            `a string as ${mistyped.member}, or no user`,
            show(value),
            created.exchange,
            ...(stored ? [stored.exchange] : []),
          );
        },
      );
    },
  }),

  must('create.refused-creates-nothing', {
    needs: ['list.total-counts-creations', 'list.contains-created'],
    phase: 'alone',
    source: operation,
    sentence: 'A creation that is refused creates nothing, not even later.',
    check: async (check) => {
      check.mayCreate();
      const before = await baseline(check);
      await sendForbiddenCreations(check);
      const after = await finalList(check);
      await noneIsListed(check, after);
      const { most } = creationsBetween(check, before, after);
      if (after.total - before.total <= most) return;
      const refused = check.session.forbidden.filter(({ exchange }) => !isSuccess(exchange));
      const run = async (creations: number) => {
        await Promise.all(refused.map(({ request }) => check.send(request)));
        await createSome(check, creations);
      };
      const moved = await movement(check, { run, creates: true, offWithEach: 'try' });
      if (moved.kind === 'others write')
        check.notVerified('others create users all the time: the total is never at rest');
      if (moved.kind === 'always off' && moved.by > 0) {
        const expected = `a total that does not grow with ${refused.length} refused creations`;
        check.fail({ expected, got: `by ${moved.by}`, exchanges: moved.exchanges });
      }
    },
  }),

  must('create.concurrent', {
    needs: ['retrieve.exact-user', 'retrieve.values'],
    source: operation,
    sentence: 'Creations at the same time are all kept, each with an identifier, an email and a name of its own.',
    check: async (check) => {
      const users = await usersCreatedTogether(check);
      const identifiers = new Set(users.map(({ identifier }) => identifier.text));
      const got = `${identifiers.size} identifiers`;
      check.that(identifiers.size === users.length, `${users.length} users with an identifier each`, got);
      for (const one of users) {
        const { record } = recordOf(check, one.retrieved, one) as FoundRecord;
        const own = record.email === one.email && record.name === one.name;
        check.that(own, show({ email: one.email, name: one.name }), show(record), one.retrieved.exchange);
      }
    },
  }),

  must('create.same-name', {
    needs: ['create.concurrent'],
    source: operation,
    sentence: 'Two users of one name, where the service takes them, stay two.',
    check: async (check) => {
      check.mayCreate();
      const first = await anotherUser(check);
      const { email } = check.session.newUser();
      const second = await createUser(check, { email, name: first.name }, 'unusual');
      const distinct = second.identifier.text !== first.identifier.text;
      check.that(distinct, 'two identifiers', `twice ${show(first.identifier.text)}`, second.created as Exchange);
      const again = await check.retrieve(first.identifier.segment);
      const record = recordOf(check, again, first)?.record;
      check.that(
        record?.email === first.email,
        `the first user, ${first.email}`,
        show(record ?? again.status),
        again.exchange,
      );
    },
  }),

  should('create.status-201', {
    source: rfc(9110, '9.3.3'),
    sentence: 'A creation is answered 201, or 202 where the user appears later.',
    check: async (check) => {
      const { created, status } = await firstCreation(check);
      check.that(status === 201 || status === 202, 'status 201 or 202', `${status}`, created);
    },
  }),

  should('create.location', {
    source: rfc(9110, '9.3.3'),
    sentence: 'The answer to a creation names the created user by a Location that leads to it.',
    check: async (check) => {
      const { user, created, status } = await firstCreation(check);
      const location = header(created, 'location');
      check.session.observe('Location of the create answer', location === undefined ? 'absent' : 'present');
      if (location === undefined && status !== 201) check.notApplicable(`none is sent with a ${status}`);
      check.that(location !== undefined, 'a Location', 'a 201 without one', created);
      const base = `${check.session.client.origin}${created.request.path}`;
      const expected = `a Location at ${check.session.client.origin} that leads to the user`;
      const url = URL.canParse(location as string, base) ? new URL(location as string, base) : undefined;
      // A Location with the key in it was redacted, and is not followed.
      const withKey = location?.includes(KEY) === true;
      check.that(url?.origin === check.session.client.origin && !withKey, expected, show(location), created);
      const path = `${url?.pathname}${url?.search}`;
      if (path === user.retrieved.exchange.request.path) return;
      const answer = await check.send({ method: 'GET', path, headers: { accept: 'application/json', ...BEARER } });
      const leads = answer.ok && recordOf(check, answer, user) !== undefined;
      check.that(leads, expected, `${show(location)}, answered ${answer.status}`, created, answer.exchange);
    },
  }),

  should('create.invalid-status', {
    source: clientError,
    sentence: 'A body that no user can be made of is refused with a 4xx status.',
    check: (check) =>
      check.each(
        invalidBodies,
        ({ what }) => what,
        async (invalid) => {
          const answer = await sendInvalid(check, invalid);
          if (answer.ok) check.notApplicable('it was not refused');
          check.session.observe('refusal of an invalid body', `${answer.status}`);
          isClientError(check, answer);
        },
      ),
  }),

  should('create.mistyped-status', {
    source: clientError,
    sentence: 'A body in which email or name is no string is refused with a 4xx status.',
    check: (check) =>
      check.each(
        mistypedBodies,
        ({ what }) => what,
        async (mistyped) => isClientError(check, await sendMistyped(check, mistyped)),
      ),
  }),
]);
