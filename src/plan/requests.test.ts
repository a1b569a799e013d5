import { expect, test } from 'vitest';
import { answering } from '../../tests/answering.ts';
import { patienceOf } from './requests.ts';

test('the answer to a malformed request may take twenty times as long as the slowest so far', () => {
  const { run } = answering();
  const patience = (duration: number) => {
    const record = [{ duration, response: { status: 400 } }];
    return patienceOf(Object.assign(run, { client: { ...run.client, timeoutMs: 10_000, record } }));
  };
  expect([10, 400, 1000].map(patience)).toEqual([2000, 8000, 10_000]);
});
