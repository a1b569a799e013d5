import { expect, test } from 'vitest';
import { answering, carryOut, shows } from '../../../tests/answering.ts';
import { firstTwo, listOf } from '../../../tests/made-evidence.ts';
import { attempts, attemptsAmongOthers, type CredentialCase, controls } from './credentials.ts';
import { severalPlaces } from './several-places.ts';

const noHeader: CredentialCase = { what: 'no header', operation: 'GET /users', headers: {}, unless: [] };
const look = listOf([]);

test.each(Object.entries({ controls, attempts, attemptsAmongOthers }))(
  '%s are sent once, and are refused',
  async (_, step) => {
    const { run, sent } = answering([401]);
    const found = await carryOut(step, run, noHeader, { look });
    expect(found).toMatchObject({ ok: false, status: 401, one: noHeader });
    expect(sent).toEqual(['GET /v1/users']);
    expect(run.bad.size).toBe(1);
  },
);

test('a refusal that shows a user of the run is noted', async () => {
  const { run, known } = answering([401, { hint: '7@example.com' }]);
  known('7');
  expect(await carryOut(controls, run, noHeader, { look })).toMatchObject({ shows: '7@example.com' });
});

test('what should be carried out, and is refused among others, is sent once more alone', async () => {
  const { run, known } = answering([401], shows('7'));
  const lower: CredentialCase = { ...noHeader, operation: 'GET /users/:id', isWelcome: true };
  const users = firstTwo(known('7'), known('8'));
  expect(await carryOut(attempts, run, lower, { look, users })).toMatchObject({ ok: true });
});

test('what gets no answer three times is missing', async () => {
  const { run } = answering('none', 'none', 'none');
  await expect(carryOut(controls, run, noHeader, { look })).rejects.toThrow('connection refused');
});

const [part, rare] = [
  { ...noHeader, what: 'a usual name' },
  { ...noHeader, what: 'a rare name' },
];
const several = { ...noHeader, what: 'many names', parts: [part], rare: () => [rare] };

test('many ways in at once are one request where they are rejected', async () => {
  const { run, sent } = answering([401]);
  expect(await carryOut(severalPlaces, run, several, { look })).toEqual({
    one: several,
    first: [expect.objectContaining({ status: 401 })],
  });
  expect(sent).toHaveLength(1);
});

test('each is tried alone where they let a request in', async () => {
  const { run, sent } = answering([200, { data: [], total: 0 }], [401], [200, { data: [], total: 0 }]);
  expect(await carryOut(severalPlaces, run, several, { look })).toMatchObject({ usual: [{ ok: false }, { ok: true }] });
  expect(sent).toHaveLength(3);
});
