import { expect, test } from 'vitest';
import { answering } from '../../tests/answering.ts';
import { patienceOf } from './bad.ts';

test('the answer to a malformed request may take twenty times as long as the slowest so far', () => {
  const { run } = answering();
  const patience = (slowestMs: number) =>
    patienceOf(Object.assign(run, { client: { ...run.client, timeoutMs: 10_000, slowestMs } }));
  expect([10, 400, 1000].map(patience)).toEqual([2000, 8000, 10_000]);
});
