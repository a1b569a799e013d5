import { expect, test } from 'vitest';
import { answering, carryOut, lists } from '../../../tests/answering.ts';
import { type FreeCase, freeRequests } from './free-requests.ts';

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
