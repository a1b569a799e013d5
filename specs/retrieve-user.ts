import { schemaError } from '../schemas/validate.ts';
import { type Answer, show } from '../src/http/exchange.ts';
import type { Check } from '../src/plan/check.ts';
import { memberShowing, oddIdentifiers, segmentOf, unknownIdentifiers } from '../src/plan/identifier.ts';
import {
  anotherUser,
  firstUser,
  knownUser,
  recordOf,
  secondUser,
  standingOn,
  usersCreatedTogether,
} from '../src/plan/known-user.ts';
import { type FoundRecord, isObject, recordsIn } from '../src/plan/record.ts';
import type { KnownUser } from '../src/plan/session.ts';
import { chapter, interfaceDocument, must, rfc, should } from '../src/requirement/requirement.ts';
import { isClientError, sendOdd } from './bad-requests.ts';
import { lateReads } from './run.ts';

const operation = interfaceDocument('GET /users/:id');
const notFound = rfc(9110, '15.5.5');

/** The answer holds the user, nobody else and not several. Returns the user's record. */
function holdsExactly(check: Check, answer: Answer, user: KnownUser): FoundRecord {
  check.isSuccess(answer);
  const found = recordOf(check, answer, user);
  const records = recordsIn(answer.json);
  const others = records.filter(({ record }) => {
    const email = String(record.email).toLowerCase();
    const own = [user.email.toLowerCase(), user.name.toLowerCase()].includes(email);
    return !own && check.session.sent.has(email);
  });
  const got =
    records.length === 0
      ? 'no user'
      : `${records.length} with ${records
          .slice(0, 2)
          .map(({ record }) => show(record.email))
          .join(', ')}`;
  const alone = found !== undefined && found.siblings === 1 && others.length === 0;
  check.that(alone, `one user, ${user.email}`, got, answer.exchange);
  return found as FoundRecord;
}

/**
 * Retrieves identifiers that have the shape of the known ones and belong to nobody, once in a run. One that turns out
 * to be somebody's (the list shows it, or can't show all) is left out.
 */
async function unknown(check: Check): Promise<{ text: string; answer: Answer }[]> {
  const user = await knownUser(check);
  return check.fact('unknown identifiers', async (sender) => {
    const known = [user, ...sender.session.users].map(({ identifier }) => identifier.text);
    const asked: { text: string; answer: Answer }[] = [];
    for (const text of unknownIdentifiers(known)) {
      const answer = await sender.retrieve(segmentOf(text));
      if (await isSomebodys(sender, text, answer)) continue;
      asked.push({ text, answer });
      if (!/^-?\d+$/.test(text)) break;
    }
    return asked;
  });
}

/** Whether an identifier that was made up belongs to somebody after all: the list shows it so, or can't show all. */
async function isSomebodys(check: Check, text: string, answer: Answer): Promise<boolean> {
  const [found] = answer.ok ? recordsIn(answer.json) : [];
  if (found === undefined || memberShowing(found.record, text) === undefined) return false;
  const list = check.usersOf(await check.list());
  const isIt = (item: unknown) =>
    isObject(item) && item.email === found.record.email && memberShowing(item, text) !== undefined;
  return list.pages || list.data.some(isIt);
}

/** The answer to an identifier that is nobody's holds no user, whatever its status. */
async function holdsNoUser(check: Check, answer: Answer): Promise<void> {
  const user = await knownUser(check);
  const place = recordOf(check, user.retrieved, user)?.path;
  const records = recordsIn(answer.json).filter(({ record }) => typeof record.email === 'string');
  const isList = answer.ok && records.length > 0 && !schemaError('user-list.schema.json', answer.json, 'body');
  // A contact in an error's body is nobody's data; a record where this service shows its users, or a listed one, is.
  const found =
    records.find(({ path, record }) => (answer.ok && path === place) || check.session.sent.has(String(record.email))) ??
    (await listedAmong(check, records));
  const got = isList ? 'the list' : `${answer.status} with ${show(found?.record)}`;
  check.that(found === undefined && !isList, 'no user', got, answer.exchange);
}

/** One of the records that the list shows as well: only looked for where an answer has any. */
async function listedAmong(check: Check, records: FoundRecord[]): Promise<FoundRecord | undefined> {
  if (records.length === 0) return undefined;
  const emails = await check.fact('listed emails', async (finder) => {
    const { data } = finder.usersOf(await finder.list());
    return new Set(data.map((item) => (isObject(item) ? item.email : undefined)));
  });
  return records.find(({ record }) => emails.has(record.email));
}

export const retrieveUser = chapter('Retrieve a user', [
  must('retrieve.created-user', {
    source: operation,
    sentence: 'The identifier of a created user retrieves the user, with a 2xx status.',
    check: async (check) => {
      const { retrieved } = await firstUser(check);
      check.isSuccess(retrieved);
    },
  }),

  must('retrieve.exact-user', {
    source: operation,
    sentence: 'An identifier retrieves exactly its user: not another one, not several.',
    check: async (check) => {
      const first = await knownUser(check);
      const users = check.session.settings.readOnly ? [first] : [first, await secondUser(check)];
      const answers = await Promise.all(users.map(({ identifier }) => check.retrieve(identifier.segment)));
      users.forEach((user, index) => void holdsExactly(check, answers[index] as Answer, user));
    },
  }),

  must('retrieve.values', {
    source: operation,
    sentence: 'Retrieving a user shows the email and name that were sent.',
    check: async (check) => {
      check.mayCreate();
      for (const user of [await knownUser(check), await anotherUser(check)]) {
        const { record } = recordOf(check, user.retrieved, user) as FoundRecord;
        const exchanges = [...(user.created ? [user.created] : []), user.retrieved.exchange];
        for (const member of ['email', 'name'] as const) {
          const same = record[member] === user[member];
          check.that(same, `${member} ${show(user[member])}`, show(record[member]), ...exchanges);
        }
      }
    },
  }),

  must('retrieve.repeatable', {
    phase: 'alone',
    needs: ['retrieve.exact-user'],
    source: operation,
    sentence: 'Two reads of an unchanged user, however far apart, agree on identifier, email and name.',
    check: async (check) => {
      const user = await knownUser(check);
      const { record: before } = recordOf(check, user.retrieved, user) as FoundRecord;
      const { user: answer } = await lateReads(check);
      if (answer === undefined) return check.needs('retrieve.created-user');
      check.isSuccess(answer);
      const after = recordOf(check, answer, user)?.record;
      const identifier = memberShowing(before, user.identifier.text);
      for (const member of ['email', 'name', ...(identifier ? [identifier] : [])]) {
        const same = String(after?.[member]) === String(before[member]);
        check.that(same, `${member} ${show(before[member])} again`, show(after?.[member]), answer.exchange);
      }
    },
  }),

  must('retrieve.concurrent', {
    needs: ['retrieve.exact-user'],
    source: operation,
    sentence: 'Reads at the same time are not mixed up: each shows its own user.',
    check: async (check) => {
      const users = check.session.settings.readOnly
        ? await check.notApplicable('read-only: there is only one known user')
        : await standingOn(check, 'create.concurrent', usersCreatedTogether(check));
      await check.each(
        users,
        ({ email }) => email,
        async (user) => {
          const answer = await check.settled(
            () => check.retrieve(user.identifier.segment),
            ({ ok }) => ok,
          );
          holdsExactly(check, answer, user);
        },
      );
    },
  }),

  must('retrieve.unknown', {
    source: operation,
    sentence: 'An identifier that belongs to nobody yields no user.',
    check: async (check) => {
      const asked = await unknown(check);
      if (asked.length === 0) check.notVerified('every identifier that was tried belongs to somebody');
      await check.each(
        asked,
        ({ text }) => text,
        ({ answer }) => holdsNoUser(check, answer),
      );
    },
  }),

  must('retrieve.odd', {
    source: operation,
    sentence:
      'An odd identifier (null, undefined, a quote, a percent sign, NUL, a slash, 4,000 letters) yields no user.',
    check: (check) =>
      check.each(
        oddIdentifiers,
        ({ what }) => what,
        async (odd) => holdsNoUser(check, await sendOdd(check, odd)),
      ),
  }),

  should('retrieve.unknown-status', {
    source: notFound,
    sentence: 'An identifier that belongs to nobody is answered 404.',
    check: async (check) => {
      const asked = await unknown(check);
      await check.each(
        asked,
        ({ text }) => text,
        async ({ answer }) => {
          check.session.observe('answer to an unknown identifier', `${answer.status}`);
          check.hasStatus(answer, [404]);
        },
      );
    },
  }),

  should('retrieve.odd-status', {
    source: rfc(9110, '15.5'),
    sentence: 'An odd identifier is answered with a 4xx status.',
    check: (check) =>
      check.each(
        oddIdentifiers,
        ({ what }) => what,
        async (odd) => isClientError(check, await sendOdd(check, odd)),
      ),
  }),
]);
