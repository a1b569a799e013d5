import { expect, test } from 'vitest';
import { answering, carryOut, creates, shows } from '../../../tests/answering.ts';
import { bodies, mistyped } from './bodies.ts';

const noBody = { what: 'an empty body', make: () => ({ body: '', traces: {} }) };
const number = { what: 'a number as name', member: 'name' as const, value: 42 };

test('a body that no user can be made of is refused', async () => {
  const { run, sent } = answering([422]);
  expect(await carryOut(bodies, run, noBody)).toMatchObject({ ok: false, status: 422 });
  expect(sent).toEqual(['POST /v1/users']);
  expect(run.bad.size).toBe(1);
});

test('one that gets no answer is sent again, with another user, and then missing', async () => {
  const { run, sent } = answering('none', 'none', 'none', 'none');
  await expect(carryOut(bodies, run, noBody)).rejects.toThrow('connection refused');
  expect(sent).toHaveLength(4);
});

test('a name that is a number is sent, and what is stored of it is retrieved', async () => {
  const { run, sent } = answering(creates('7'), shows('7', { name: '42' }));
  const found = await carryOut(mistyped, run, number);
  expect(found).toMatchObject({ ok: true, creation: { fate: 'may' }, stored: { record: { name: '42' } } });
  expect(sent).toEqual(['POST /v1/users', 'GET /v1/users/7']);
});

test('of one that is refused nothing is stored', async () => {
  const { run, sent } = answering([422]);
  expect(await carryOut(mistyped, run, number)).toMatchObject({ stored: undefined });
  expect(sent).toHaveLength(1);
});
