import { expect, test } from 'vitest';
import { answering, type Canned, carryOut, creates, lists, shows, take } from '../../../tests/answering.ts';
import { firstTwo, lastLooks as lastLooksOf, listOf, user } from '../../../tests/made-evidence.ts';
import { faultOf } from '../tried.ts';
import { counting } from './counting.ts';
import { lastLooks } from './last.ts';
import { listsAgain, oddlyShown } from './lists.ts';
import { queriesInTurn } from './queries-in-turn.ts';

const again = { what: 'a list' };
const isRight = (one: Parameters<typeof oddlyShown>[0]) => oddlyShown(one).length === 0;

test('a list is fetched again, and shows who is older than the settle time', async () => {
  const { run, known } = answering(lists('7'));
  known('7');
  await run.client.deadline.pause(1000);
  expect(faultOf(await carryOut(listsAgain, run, again), isRight)).toBe('none');
});

test('one that lacks a user among others is fetched once more alone', async () => {
  const { run, known } = answering(lists(), lists('7'));
  known('7');
  await run.client.deadline.pause(1000);
  expect(faultOf(await carryOut(listsAgain, run, again), isRight)).toBe('company');
});

const queries = { what: 'some queries', queries: ['?page=2'] };

test('a query that changes nothing for the list after it is not told', async () => {
  const { run, sent } = answering(lists(), lists(), lists());
  expect(await carryOut(queriesInTurn, run, queries)).toEqual([]);
  expect(sent).toEqual(['GET /v1/users', 'GET /v1/users?page=2', 'GET /v1/users']);
});

test('one after which the next list counts fewer is told when it does so each time', async () => {
  const [two, one]: Canned[] = [2, 1].map((total) => [200, { data: [], total }]) as never;
  const turn = [[200], one, two] as Canned[];
  const { run } = answering(two as Canned, ...turn, ...turn, ...turn);
  expect(await carryOut(queriesInTurn, run, queries)).toMatchObject([{ query: '?page=2' }]);
});

test('the last looks show the list twice, the first user once more, and that a user is created after all else', async () => {
  const { run, sent, known } = answering(lists('7', '8'), shows('7'), lists('7', '8'), creates('9'));
  const users = firstTwo(known('7'), known('8'));
  const looks = await take(lastLooks, run, { first: listOf([]), users });
  expect(looks).toMatchObject({ last: { total: 2 }, later: { total: 2 }, firstUser: { ok: true }, made: { least: 2 } });
  expect(looks).toMatchObject({ created: { first: { answered: 'created' } } });
  expect(sent).toEqual(['GET /v1/users', 'GET /v1/users/7', 'GET /v1/users', 'POST /v1/users']);
});

test('where that creation is rejected, one more is tried alone', async () => {
  const { run, known } = answering(lists('7', '8'), shows('7'), lists('7', '8'), [500], [500]);
  const users = firstTwo(known('7'), known('8'));
  const { created } = await take(lastLooks, run, { first: listOf([]), users });
  expect(created).toMatchObject({ first: { answered: 'refused' }, usual: { answered: 'refused' } });
});

test('a user whom the last list lacks is retrieved once more', async () => {
  const { run, known } = answering(lists('7'), shows('7'), lists('7'), creates('9'), shows('8'));
  const users = firstTwo(known('7'), known('8'));
  const { unlisted } = await take(lastLooks, run, { first: listOf([]), users });
  expect([...unlisted.keys()].map(({ user }) => user.email)).toEqual(['8@example.com']);
});

test('nothing is counted where the total has moved by what the run did', async () => {
  const { run, sent } = answering();
  const [first, last] = [listOf([], {}, 0), listOf([], {}, 2)];
  const looks = lastLooksOf(first, last, { made: { least: 2, most: 2 } });
  expect(await take(counting, run, { looks })).toEqual({ trials: [], atRest: [] });
  expect(sent).toEqual([]);
});

test('creations are counted where the total has moved by less', async () => {
  const count = (total: number): Canned => [200, { data: [], total }];
  const { run, sent } = answering(count(1), [500]);
  const looks = lastLooksOf(listOf([], {}, 0), listOf([user('a')], {}, 1), { made: { least: 2, most: 2 } });
  // The first trial ends without a list that can be read.
  const { trials } = await take(counting, run, { looks });
  expect(trials).toHaveLength(1);
  expect(sent[0]).toBe('GET /v1/users');
});

test.each([
  ['contradicts itself', listOf([user('a'), user('b')], {}, 1)],
  ['stays as it was over many creations', listOf([user('a')], {}, 0)],
])('nothing is counted where the total %s', async (_, last) => {
  const { run, sent } = answering();
  const looks = lastLooksOf(listOf([], {}, 0), last, { made: { least: 12, most: 12 } });
  expect(await take(counting, run, { looks })).toEqual({ trials: [], atRest: [] });
  expect(sent).toEqual([]);
});
