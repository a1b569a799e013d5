import { expect, test } from 'vitest';
import { answering, lists, NOBODY, take } from '../../../tests/answering.ts';
import { Missing } from '../evidence.ts';
import { earlyRefusals, lateRefusals } from './refusals-around.ts';

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
