import { expect, test } from 'vitest';
import { answering, carryOut, lists, NOBODY, shows, take } from '../../../tests/answering.ts';
import { firstTwo } from '../../../tests/made-evidence.ts';
import type { Context } from '../context.ts';
import { Missing } from '../evidence.ts';
import { faultOf } from '../step.ts';
import { isAsBefore } from './reads.ts';
import { earlyRefusals, type FreeCase, freeRequests, lateRefusals, refusalsInARow, stillThere } from './refusals.ts';

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

const rows = [{ what: 'three wrong keys', count: 3, make: (run: Context) => run.listing({}) }];

test('a usual request is answered after each row', async () => {
  const { run, sent, known } = answering([401], [401], [401], shows('7'));
  const users = firstTwo(known('7'), known('8'));
  const [found] = await carryOut(refusalsInARow, run, { what: 'rows', rows }, { users });
  expect(found && faultOf(found, isAsBefore)).toBe('none');
  expect(sent).toHaveLength(4);
});

test('it is sent again where it is refused as well', async () => {
  const { run, known } = answering([401], [401], [401], [401], [401], shows('7'));
  const users = firstTwo(known('7'), known('8'));
  const [found] = await carryOut(refusalsInARow, run, { what: 'rows', rows }, { users });
  expect(found && faultOf(found, isAsBefore)).toBe('company');
});

test('a service that answers a valid request is still there', async () => {
  const { run, sent, known } = answering(shows('7'));
  known('7');
  await take(stillThere, run);
  expect(sent).toEqual(['GET /v1/users/7']);
});

test('it is where the list is answered, whatever became of the user', async () => {
  const { run, known } = answering([500], lists());
  known('7');
  await expect(take(stillThere, run)).resolves.toBeUndefined();
});

test('the plan ends where neither is', async () => {
  const { run, known } = answering([500], [500]);
  known('7');
  await expect(take(stillThere, run)).rejects.toMatchObject({ endsBy: 'service' });
});
