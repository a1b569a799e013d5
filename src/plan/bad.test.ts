import { expect, test } from 'vitest';
import { answering } from '../../tests/answering.ts';
import { exchange } from '../../tests/made-evidence.ts';
import { patienceOf } from './bad.ts';

test('the answer to a malformed request may take twenty times as long as the slowest so far, however many there are', () => {
  const { run } = answering();
  const took = (duration: number) => ({ ...exchange({ status: 200 }), duration });
  run.client.record.push(took(400));
  for (let more = 0; more < 200_000; more += 1) run.client.record.push(took(10));
  expect(patienceOf(Object.assign(run, { client: { ...run.client, timeoutMs: 10_000 } }))).toBe(8000);
});
