import { expect, test } from 'vitest';
import { answering, creates, lists, NOBODY, shows, take } from '../../../tests/answering.ts';
import { exchange, firstTwo, listOf } from '../../../tests/made-evidence.ts';
import { firstLook, firstUser, firstUsers, locations, secondUser } from './first.ts';

const empty = listOf([]);

test('the first look is the list', async () => {
  const { run, sent } = answering([200, { data: [], total: 0 }]);
  expect(await take(firstLook, run)).toMatchObject({ ok: true, shown: 0, total: 0 });
  expect(sent).toEqual(['GET /v1/users']);
});

test('the first look ends the plan where no request gets an answer', async () => {
  const { run } = answering('none', 'none', 'none', 'none', 'none', 'none');
  const found = take(firstLook, run);
  await expect(found).rejects.toMatchObject({ endsBy: 'obstacle' });
});

test('the first user is created, retrieved, and looked for in the list of one; one of later is asked for', async () => {
  const { run, sent } = answering(creates('7'), shows('7'), lists('7'), NOBODY);
  expect(await take(firstUser, run, { look: empty })).toMatchObject({ identifier: { text: '7' }, read: { ok: true } });
  expect(sent).toEqual(['POST /v1/users', 'GET /v1/users/7', 'GET /v1/users', 'GET /v1/users/12']);
  expect(run.ledger.proven).toHaveLength(1);
});

test('the first user is missing where the service creates none', async () => {
  const { run } = answering([500], [500]);
  await expect(take(firstUser, run, { look: empty })).rejects.toThrow('creating the user returned 500');
});

test('the second user is created alone where it is refused among others', async () => {
  const { run } = answering([422], creates('8'));
  expect(await take(secondUser, run)).toMatchObject({ creation: { answered: 'created', inCompany: false } });
  expect(run.ledger.creations.map(({ inCompany }) => inCompany)).toEqual([true, false]);
});

test('the first users are read once more, alone, where that goes wrong among others', async () => {
  const { run, sent, known } = answering(creates('8'), shows('8'), [500], shows('8'), shows('7'));
  const first = known('7');
  const created = await take(secondUser, run);
  const users = await take(firstUsers, run, { first, created });
  expect(users).toMatchObject({ second: { identifier: { text: '8' } }, again: { read: { record: { id: '7' } } } });
  expect(sent.filter((one) => one === 'GET /v1/users/7')).toHaveLength(2);
});

test('of the first users the second is missing where nothing retrieves it', async () => {
  const { run, known } = answering(creates('8'), ...Array(20).fill(NOBODY));
  const first = known('7');
  const { second } = await take(firstUsers, run, { first, created: await take(secondUser, run) });
  expect(second).toMatchObject({ identifier: undefined });
});

test('a Location elsewhere is followed, and leads to the user or not', async () => {
  const { run, sent, known } = answering(shows('7'), [404]);
  const [first, second] = [known('7'), known('8')];
  for (const { creation } of [first, second])
    creation.exchange = exchange({ status: 201, response: { headers: [['location', '/v1/people/1']] } });
  const found = await take(locations, run, { users: firstTwo(first, second) });
  expect(found.map(({ leadsToUser }) => leadsToUser)).toEqual([true, false]);
  expect(sent).toEqual(['GET /v1/people/1', 'GET /v1/people/1']);
});

test('without one nothing is sent', async () => {
  const { run, sent, known } = answering();
  const found = await take(locations, run, { users: firstTwo(known('7'), known('8')) });
  expect(found).toMatchObject([{ location: undefined }, { location: undefined }]);
  expect(sent).toEqual([]);
});
