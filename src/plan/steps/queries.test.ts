import { expect, test } from 'vitest';
import { answering, carryOut } from '../../../tests/answering.ts';
import { queries } from './queries.ts';

const one = { what: 'a page', query: '?page=2' };

test('a list by query is a bad request, and yields its exchange', async () => {
  const { run, sent } = answering([400]);
  expect(await carryOut(queries, run, one)).toMatchObject({ response: { status: 400 } });
  expect(sent).toEqual(['GET /v1/users?page=2']);
  expect(run.bad.size).toBe(1);
});

test('without an answer it is missing, with the exchange that shows it', async () => {
  const { run } = answering('none');
  await expect(carryOut(queries, run, one)).rejects.toMatchObject({ exchanges: [{ failure: 'connection refused' }] });
});
