import { expect, test } from 'vitest';
import { answering, carryOut, shows } from '../../../tests/answering.ts';
import { isFine } from '../record.ts';
import { faultOf } from '../tried.ts';
import { rereads } from './rereads.ts';

const first = { what: 'the first user', pick: <C>([one]: readonly C[]) => one };
const isRight = ({ read }: { read: Parameters<typeof isFine>[0] }) => isFine(read);

test('a known user is retrieved again, and once more alone where that fails', async () => {
  const { run, sent, known } = answering([500], shows('7'));
  known('7');
  expect(faultOf(await carryOut(rereads, run, first), isRight)).toBe('company');
  expect(sent).toEqual(['GET /v1/users/7', 'GET /v1/users/7']);
});

test('it is missing where the run has no user', async () => {
  const { run } = answering();
  await expect(carryOut(rereads, run, first)).rejects.toMatchObject({ excluded: true });
});
