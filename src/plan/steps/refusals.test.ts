import { expect, test } from 'vitest';
import { answering, carryOut, lists, NOBODY, shows, take } from '../../../tests/answering.ts';
import { firstTwo } from '../../../tests/made-evidence.ts';
import { Missing } from '../evidence.ts';
import { earlyRefusals, type FreeCase, freeRequests, lateRefusals, lookups } from './refusals.ts';

test('before the first creation the three operations are tried: without a key, with a wrong one, and for nobody', async () => {
  const { run, sent } = answering([401], NOBODY, [401], NOBODY);
  const found = await take(earlyRefusals, run);
  expect(found.map(({ what, ok }) => [what, ok])).toEqual([
    ['no key', false],
    ['nobody', false],
    ['wrong key', false],
  ]);
  expect(sent.map((one) => one.replace(/[0-9a-f-]{36}$/, 'ID'))).toEqual([
    'GET /v1/users',
    'GET /v1/users/ID',
    'POST /v1/users',
  ]);
  expect(run.ledger.saysNobody).toBe(true);
});

test('at the end a wrong key is tried, and what is shown of users is noted', async () => {
  const { run } = answering(lists(), [200, { email: 'x@example.com', name: 'Some Body' }]);
  const [wrongKey, nobody] = await take(lateRefusals, run, { early: new Missing('nothing came before') });
  expect(wrongKey?.ok).toBe(true);
  expect([...(nobody?.records.keys() ?? [])]).toEqual(['']);
});

const one: FreeCase = { what: 'a list', make: (run) => ({ request: run.listing() }) };

test('a request that may be rejected is a bad one, and yields its exchange', async () => {
  const { run } = answering([406]);
  expect(await carryOut(freeRequests, run, one)).toMatchObject({ status: 406, isList: false });
  expect(run.bad.size).toBe(1);
});

test('where no answer comes, nothing is open', async () => {
  const { run } = answering('none');
  await expect(carryOut(freeRequests, run, one)).rejects.toMatchObject({ excluded: true });
});

test('a list where there should be none is told', async () => {
  const { run } = answering(lists());
  expect(await carryOut(freeRequests, run, one)).toMatchObject({ isList: true, status: 200 });
});

const nobody = { what: 'a word', segments: () => ['nobody', 'no-one'] };

test('an identifier of nobody yields no user', async () => {
  const { run, sent, known } = answering(NOBODY);
  const users = firstTwo(known('7'), known('8'));
  expect(await carryOut(lookups, run, nobody, { users })).toMatchObject({ segment: 'nobody', status: 404 });
  expect(sent).toEqual(['GET /v1/users/nobody']);
});

test('one that yields a user of the run is told with that user', async () => {
  const { run, known } = answering(shows('7'), lists('7'));
  const users = firstTwo(known('7'), known('8'));
  const found = await carryOut(lookups, run, nobody, { users });
  expect(found.holds).toContain('7@example.com');
});

test('the next is tried where the list shows one as somebody else’s', async () => {
  const other = { id: 'nobody', email: 'x@example.com', name: 'Some Body' };
  const { run, known } = answering([200, other], [200, { data: [other], total: 1 }], NOBODY);
  const users = firstTwo(known('7'), known('8'));
  expect(await carryOut(lookups, run, nobody, { users })).toMatchObject({ segment: 'no-one' });
});
