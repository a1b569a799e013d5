import { expect, test } from 'vitest';
import { answering, type Canned, carryOut, creates, lists, shows, take } from '../../../tests/answering.ts';
import { firstTwo, lastLooks as lastLooksOf, listOf, user } from '../../../tests/made-evidence.ts';
import { isFine } from '../record.ts';
import { faultOf } from '../step.ts';
import { counting, queriesInTurn } from './counting.ts';
import { lastLooks } from './last.ts';
import {
  ifChanged,
  isAsBefore,
  isComplete,
  listsAgain,
  listsMeanwhile,
  listWritten,
  listWrittenLate,
  oddlyShown,
  rereads,
  writtenRetrievals,
} from './reads.ts';

const again = { what: 'a list' };
const isWhole = (one: Parameters<typeof oddlyShown>[0]) => oddlyShown(one).length === 0;

test.each([listsAgain, listsMeanwhile])(
  '$name: one is fetched, and shows who is older than the settle time',
  async (step) => {
    const { run, known } = answering(lists('7'));
    known('7');
    await run.client.deadline.pause(1000);
    expect(faultOf(await carryOut(step, run, again), isWhole)).toBe('none');
  },
);

test('one that lacks a user among others is fetched once more alone', async () => {
  const { run, known } = answering(lists(), lists('7'));
  known('7');
  await run.client.deadline.pause(1000);
  expect(faultOf(await carryOut(listsAgain, run, again), isWhole)).toBe('company');
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

test('the last looks show the list twice, two users once more, and that a user is created after all else', async () => {
  const { run, sent, known } = answering(lists('7', '8'), creates('9'), lists('7', '8', '9'), shows('7'), shows('8'));
  const users = firstTwo(known('7'), known('8'));
  const looks = await take(lastLooks, run, { first: listOf([]), users });
  expect(looks).toMatchObject({ last: { total: 2 }, later: { total: 3 }, made: { least: 2 } });
  expect(looks).toMatchObject({
    firstUser: { read: { ok: true } },
    unread: [{ creation: { user: { email: '8@example.com' } } }],
  });
  expect(looks).toMatchObject({ created: { first: { answered: 'created' } } });
  const [reads, creation] = [['/7', '/8'].map((one) => `GET /v1/users${one}`), 'POST /v1/users'];
  expect(sent).toEqual(['GET /v1/users', creation, 'GET /v1/users', ...reads]);
});

test('where that creation is rejected, one more is tried alone', async () => {
  const { run, known } = answering(lists('7', '8'), [500], lists('7', '8'), shows('7'), shows('8'), [500]);
  const users = firstTwo(known('7'), known('8'));
  const { created } = await take(lastLooks, run, { first: listOf([]), users });
  expect(created).toMatchObject({ first: { answered: 'refused' }, usual: { answered: 'refused' } });
});

test('a user whom the last list lacks is retrieved once more', async () => {
  const { run, known } = answering(lists('7'), creates('9'), shows('7'), lists('7'), shows('8'));
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
  const looks = lastLooksOf(listOf([], {}, 1), listOf([user('a')], {}, 2), { made: { least: 2, most: 2 } });
  // The first trial ends without a list that can be read.
  const { trials } = await take(counting, run, { looks });
  expect(trials).toHaveLength(1);
  expect(sent[0]).toBe('GET /v1/users');
});

const first = { what: 'the first user', pick: <C>([one]: readonly C[]) => one };
const isRight = ({ read }: { read: Parameters<typeof isFine>[0] }) => isFine(read);

test('a known user is retrieved again, and once more alone where that fails', async () => {
  const { run, sent, known } = answering([500], shows('7'));
  known('7');
  expect(faultOf(await carryOut(rereads, run, first), isRight)).toBe('company');
  expect(sent).toEqual(['GET /v1/users/7', 'GET /v1/users/7']);
});

test('it is missing where the run has no user', async () => {
  const { run } = answering();
  await expect(carryOut(rereads, run, first)).rejects.toMatchObject({ excluded: true });
});

const one = { what: 'no Accept', write: <R>(request: R) => request };

test('a retrieval in another writing shows the user again', async () => {
  const { run, sent, known } = answering(shows('7'));
  const found = await carryOut(writtenRetrievals, run, one, { first: known('7') });
  expect(faultOf(found, isAsBefore)).toBe('none');
  expect(sent).toEqual(['GET /v1/users/7']);
});

test('one that fails is sent as usual, and in its writing again', async () => {
  const { run, known } = answering([406], shows('7'), [406]);
  const found = await carryOut(writtenRetrievals, run, one, { first: known('7') });
  expect(faultOf(found, isAsBefore)).toBe('case');
});

test('a list in another writing counts as many as the first at least', async () => {
  const { run } = answering([200, { data: [], total: 0 }]);
  const found = await carryOut(listWritten, run, one, { first: listOf([]) });
  expect(faultOf(found, isComplete)).toBe('none');
});

test('a list that counts fewer than were retrieved at the end is stale', async () => {
  const { run, known } = answering(
    [200, { data: [], total: 0 }],
    [200, { data: [], total: 1 }],
    [200, { data: [], total: 0 }],
  );
  known('7');
  const found = await carryOut(listWrittenLate, run, one, { first: listOf([]) });
  expect(faultOf(found, isComplete)).toBe('case');
});

test('where no list has an ETag, none is asked for by an older one', async () => {
  const { run, sent } = answering();
  const found = carryOut(listWrittenLate, run, { ...one, write: ifChanged }, { first: listOf([]) });
  await expect(found).rejects.toMatchObject({ excluded: true });
  expect(sent).toEqual([]);
});

test('one that fails once was answered so for its company', async () => {
  const list = [200, { data: [], total: 0 }] as const;
  const { run } = answering([500], list, list);
  const found = await carryOut(listWritten, run, one, { first: listOf([]) });
  expect(faultOf(found, isComplete)).toBe('company');
});
