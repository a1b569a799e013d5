import { expect, test } from 'vitest';
import { Ledger } from '../src/plan/ledger.ts';
import type { Look } from '../src/plan/look.ts';
import type { YieldOf } from '../src/plan/step.ts';
import type { counting as step } from '../src/plan/steps/counting.ts';
import { allHaveBoth, bothWays, judged } from '../tests/judged-by-hand.ts';
import { firstTwo, lastLooks, listOf, lookAt, user, whole } from '../tests/made-evidence.ts';

const list = (json: unknown, status = 200) => lookAt(json, new Ledger(), { status });
const [ada, grace] = [user('a'), user('b')];
const users = firstTwo(ada, grace);
const creations = [ada.creation, grace.creation];
const [none, both] = [listOf([]), listOf([ada, grace])];

/** Trials at rest: by how much each action moves the total. */
const counted = (action: 'creations' | 'reads', by: number): YieldOf<typeof step> => ({
  trials: [2, 4, 8, 0, 0, 0].map((size) => ({
    ...{ action: size === 0 ? 'idle' : action, size, busy: 1 },
    ...{ before: listOf([], {}, 10), after: listOf([], {}, 10 + size * by) },
  })),
  atRest: [],
});
const counting = counted('creations', 1);

const lists = [
  ['list.answers', { data: [], total: 0 }, [{}, 500], 'got 500'],
  ['list.data-array', { data: [], total: 0 }, [{ data: null, total: 0 }, 200], 'data is null'],
  ['list.total-integer', { data: [], total: 3.0 }, [{ data: [], total: '0' }, 200], 'total is "0", a string'],
  [
    'list.users',
    { data: [{ email: 'a', name: 'b' }], total: 1 },
    [{ data: [{}], total: 1 }, 200],
    'data[0] has no email',
  ],
] as const;
for (const [slug, right, [wrong, status], reason] of lists) {
  const address = slug === 'list.answers' ? { look: none } : {};
  const shown = (look: Look) => ({ run: whole({ looks: [look] }), ...address });
  bothWays(slug, shown(list(right)), shown(list(wrong, status)), reason);
}

bothWays(
  'list.total-covers-data',
  { looks: lastLooks(none, both) },
  { looks: lastLooks(none, listOf([ada, grace], {}, 1)) },
  'expected a total of at least 2, got 1',
);

const paged = listOf([ada, grace], {}, 3);
const grown = { look: listOf([ada, grace, user('c')], {}, 4), missing: undefined };
bothWays(
  'list.total-exact',
  { looks: lastLooks(none, both) },
  { looks: lastLooks(none, paged, { grown }) },
  'got 3; after one more creation 4, with 3 users shown',
);

bothWays(
  'list.empty-only-at-zero',
  { looks: lastLooks(none, both) },
  { looks: lastLooks(none, listOf([], {}, 2)) },
  'got none, with a total of 2',
);

bothWays(
  'list.contains-created',
  { run: whole({ creations }), users, looks: lastLooks(none, both) },
  { run: whole({ creations }), users, looks: lastLooks(none, listOf([ada], {}, 1)) },
  'one item for b@example.com',
);

bothWays(
  'list.total-counts-creations',
  { users, looks: lastLooks(none, both), counting },
  {
    users,
    looks: lastLooks(listOf([], {}, 1), listOf([ada, grace], {}, 3), { made: { least: 3, most: 3 } }),
    counting: counted('creations', 0),
  },
  'got it grew by 0',
);

test('a total that is smaller than the number of users whom the run has made fails, whatever moves it', () => {
  const looks = lastLooks(none, listOf([ada, grace], {}, 4), { made: { least: 5, most: 5 } });
  const found = judged('list.total-counts-creations', { users, looks, counting: { trials: [], atRest: [] } });
  expect(found).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('got it grew by 4') });
});

bothWays(
  'list.total-unchanged-by-reads',
  { looks: lastLooks(none, both), counting },
  { looks: lastLooks(none, both, { later: listOf([ada, grace], {}, 3) }), counting: counted('reads', 1) },
  'got 1 more each time',
);

bothWays(
  'list.agrees-with-retrieve',
  { run: whole({ creations, looks: [both] }), first: users, looks: lastLooks(none, both) },
  {
    run: whole({ creations, looks: [listOf([ada, grace], { name: 'Ada' })] }),
    first: users,
    looks: lastLooks(none, both),
  },
  'got "Ada"',
);

allHaveBoth('list');
