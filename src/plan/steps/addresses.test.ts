import { expect, test } from 'vitest';
import { answering, carryOut, lists, NOBODY } from '../../../tests/answering.ts';
import { addresses } from './addresses.ts';

const other = { what: 'another version', basePath: () => '/v2' };

test('another address has no list', async () => {
  const { run, sent } = answering(NOBODY);
  expect(await carryOut(addresses, run, other)).toMatchObject({ basePath: '/v2', isList: false, status: 404 });
  expect(sent).toEqual(['GET /v2/users']);
});

test('one that has a list is told', async () => {
  const { run } = answering(lists());
  expect(await carryOut(addresses, run, other)).toMatchObject({ isList: true, status: 200 });
});
