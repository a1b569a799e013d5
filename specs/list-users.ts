import { show } from '../src/http/exchange.ts';
import type { Check } from '../src/plan/check.ts';
import { memberShowing } from '../src/plan/identifier.ts';
import { anotherUser, baseline, firstList, itemsOf, knownUser, recordOf } from '../src/plan/known-user.ts';
import { isObject } from '../src/plan/record.ts';
import { type ListView, viewOf } from '../src/plan/user-list.ts';
import { chapter, interfaceDocument, must } from '../src/requirement/requirement.ts';
import { createSome, movement } from './counting.ts';
import { authorised, creationsBetween, finalList, lastList, lateReads } from './run.ts';
import { rightBase } from './versioning.ts';

const operation = interfaceDocument('GET /users');
const userList = interfaceDocument('User list');

const NEVER_AT_REST = 'others create users all the time: the total is never at rest';

/** The list answers that most requirements judge: the first of the run, and the last, which shows created users. */
async function judgedLists(check: Check): Promise<ListView[]> {
  const first = await firstList(check);
  if (!first.ok) check.needs('list.answers', first.exchange);
  const last = await lastList(check);
  // What a creation with a fault may have left behind is the matter of the requirement for that fault.
  const { mistyped, forbidden } = check.session;
  const faulty = new Set([...mistyped, ...forbidden.flatMap(({ traces }) => traces)]);
  const isJudged = (item: unknown) =>
    !(isObject(item) && [item.email, item.name].some((value) => faulty.has(String(value))));
  const views = await check.fact('judged lists', async () => [first, viewOf(last, isJudged)].filter(({ ok }) => ok));
  const broken = views.find(({ exchange }) => exchange.response?.jsonFault !== undefined);
  if (broken) check.needs('http.json', broken.exchange);
  return views;
}

/** A part of the user list's schema holds for the list answers. */
function matches(part: keyof ListView['faults'], expected: string) {
  return async (check: Check) => {
    for (const { faults, exchange } of await judgedLists(check)) {
      check.that(faults[part] === undefined, expected, `${faults[part]}`, exchange);
    }
  };
}

/** The list answers that are valid, to compare what they show with what they count. */
async function readableLists(check: Check): Promise<ListView[]> {
  const views = await judgedLists(check);
  for (const view of views) check.isReadable(view);
  return views;
}

export const listUsers = chapter('List users', [
  must('list.answers', {
    phase: 'end',
    source: operation,
    sentence: 'GET /users is answered with a 2xx status.',
    check: async (check) => {
      if (await rightBase(check)) check.needs('versioning.base-address');
      const lists = await authorised(check, 'GET', /^\/users$/);
      if (lists.length === 0) await baseline(check);
      for (const exchange of lists) {
        const { status } = exchange.response as { status: number };
        check.that(status >= 200 && status < 300, 'a 2xx status', hinted(check, status), exchange);
      }
    },
  }),

  must('list.data-array', {
    phase: 'alone',
    source: userList,
    sentence: 'The list is a JSON object whose `data` is an array, also when there are no users.',
    check: matches('data', 'a JSON object with an array `data`'),
  }),

  must('list.total-integer', {
    phase: 'alone',
    needs: ['list.data-array'],
    source: userList,
    sentence: 'The `total` of the list is an integer of 0 or more.',
    check: matches('total', 'an integer `total` of 0 or more'),
  }),

  must('list.users', {
    phase: 'alone',
    source: interfaceDocument('User'),
    sentence: 'Every item of `data` is an object with `email` and `name`, both strings.',
    needs: ['list.data-array'],
    check: matches('users', 'items with a string `email` and a string `name`'),
  }),

  must('list.total-covers-data', {
    phase: 'alone',
    source: userList,
    sentence: 'The `total` is at least the number of users shown.',
    check: async (check) => {
      for (const { shown, total, exchange } of await readableLists(check)) {
        check.that(shown <= total, `a total of at least ${shown}`, `${total}`, exchange);
      }
    },
  }),

  must('list.empty-only-at-zero', {
    phase: 'alone',
    source: userList,
    sentence: 'The list shows no users only when its `total` is 0.',
    check: async (check) => {
      for (const { shown, total, exchange } of await readableLists(check)) {
        check.that(shown > 0 || total === 0, 'users in `data`', `none, with a total of ${total}`, exchange);
      }
    },
  }),

  must('list.contains-created', {
    needs: ['create.concurrent', 'create.same-name'],
    phase: 'alone',
    source: operation,
    sentence: 'A created user is in the list, once.',
    check: async (check) => {
      await Promise.all([knownUser(check), anotherUser(check)]);
      const list = await finalList(check);
      if (list.pages) check.notApplicable(`the list pages: it shows ${list.data.length} of ${list.total} users`);
      const before = check.session.users.filter(
        ({ created }) => created === undefined || created.id < list.exchange.id,
      );
      for (const [user, items] of itemsOf(list, before, check)) {
        check.that(
          items.length === 1,
          `one item for ${user.email}, with ${list.data.length} items and a total of ${list.total}`,
          `${items.length}`,
          list.exchange,
        );
      }
    },
  }),

  must('list.agrees-with-retrieve', {
    needs: ['retrieve.values'],
    phase: 'alone',
    source: operation,
    sentence: 'The list shows a user with the same identifier, email and name as retrieving the user does.',
    check: async (check) => {
      const { readOnly } = check.session.settings;
      const first = await knownUser(check);
      if (!readOnly) await anotherUser(check);
      const users = readOnly ? [first] : check.session.users.filter(({ plain }) => plain);
      const list = await finalList(check);
      const items = itemsOf(list, users, check);
      for (const user of users) {
        const item = items.get(user)?.[0];
        const record = recordOf(check, user.retrieved, user)?.record;
        if (item === undefined || record === undefined) continue;
        const { text } = user.identifier;
        const identifier = memberShowing(record, text) ?? memberShowing(item, text);
        for (const member of new Set(['email', 'name', ...(identifier === undefined ? [] : [identifier])])) {
          const [listed, retrieved] = [item[member], record[member]];
          const comparable = listed !== undefined && retrieved !== undefined;
          check.that(
            !comparable || String(listed) === String(retrieved),
            `${member} ${show(retrieved)} in the list, as retrieved`,
            show(listed),
            list.exchange,
            user.retrieved.exchange,
          );
        }
      }
      if (check.judged === 0) check.notApplicable(`the list pages: it shows none of the users looked at`);
    },
  }),

  must('list.total-counts-creations', {
    needs: ['list.total-unchanged-by-reads', 'create.concurrent', 'create.same-name'],
    phase: 'alone',
    source: userList,
    sentence: 'After n creations the `total` is n more.',
    check: async (check) => {
      check.mayCreate();
      const before = await baseline(check);
      await knownUser(check);
      const after = await finalList(check);
      const { least, most } = creationsBetween(check, before, after);
      const grown = after.total - before.total;
      check.session.observe('list', after.pages ? 'pages' : 'shows all users');
      check.judged += 1;
      if (grown >= least && grown <= most) return;
      // More than ours, and all of them shown: others create users, and the total counts them as well.
      if (grown > most && !after.pages) return;
      const moved = await movement(check, {
        run: (creations) => createSome(check, creations),
        creates: true,
        offWithEach: 'creation',
      });
      if (moved.kind === 'others write') check.notVerified(NEVER_AT_REST);
      if (moved.kind === 'as expected' && grown < least) {
        check.notVerified(`the total grew by ${grown} over ${least} creations: users were lost, or somebody deletes`);
      }
      if (moved.kind === 'always off') {
        check.fail({
          expected: 'a total that grows by 1 with one creation',
          got: `by ${1 + moved.by}`,
          exchanges: moved.exchanges,
        });
      }
    },
  }),

  must('list.total-unchanged-by-reads', {
    phase: 'alone',
    source: userList,
    sentence: 'Reading does not change the `total`.',
    check: async (check) => {
      const before = await finalList(check);
      const { total } = await lateReads(check);
      check.judged += 1;
      if (total === before.total) return;
      const moved = await movement(check, { run: () => check.list(), creates: false, offWithEach: 'try' });
      if (moved.kind === 'others write') check.notVerified(NEVER_AT_REST);
      if (moved.kind === 'always off') {
        check.fail({ expected: 'the same total after reading', got: `${moved.by} more`, exchanges: moved.exchanges });
      }
    },
  }),
]);

/** A status, with what to look at first where it is a usual one. */
function hinted(check: Check, status: number): string {
  if (status === 401 || status === 403) return `${status}: is API_KEY the right key?`;
  if (status >= 300 && status < 400) return `${status} (a redirect is not followed)`;
  if (status === 404) return `404: is BASE_URL ${check.session.target.baseUrl} the right address?`;
  return `${status}`;
}
