import { expect, test } from 'vitest';
import { answering, lists, NOBODY, take } from '../../../tests/answering.ts';
import { Missing } from '../evidence.ts';
import { earlyRefusals, lateRefusals } from './refusals-around.ts';

test('before the first creation the list is asked for without a key and with a wrong one, and one of nobody is retrieved', async () => {
  const { run, sent } = answering([401], [401], NOBODY, NOBODY);
  const found = await take(earlyRefusals, run);
  expect(found).toMatchObject({ noKey: { ok: false }, wrongKey: { ok: false }, nobody: { ok: false } });
  expect(sent.map((one) => one.replace(/[0-9a-f-]{36}$/, 'ID'))).toEqual([
    'GET /v1/users',
    'GET /v1/users',
    'GET /v1/users/ID',
  ]);
  expect(run.ledger.saysNobody).toBe(true);
});

test('at the end a wrong key is tried, and what is shown of users is noted', async () => {
  const { run } = answering(lists(), [200, { email: 'x@example.com', name: 'Some Body' }]);
  const { wrongKey, nobody } = await take(lateRefusals, run, { early: new Missing('nothing came before') });
  expect(wrongKey.ok).toBe(true);
  expect([...nobody.records.keys()]).toEqual(['']);
});
