import { expect, test } from 'vitest';
import { answering, carryOut, creates, lists, shows, take } from '../../../tests/answering.ts';
import { firstTwo, listOf } from '../../../tests/made-evidence.ts';
import type { Context } from '../context.ts';
import { faultOf } from '../step.ts';
import { type AftermathCase, aftermath, refusalsInARow, stillThere } from './aftermath.ts';
import { isAsBefore } from './reads.ts';

const after = (operation: AftermathCase['operation']): AftermathCase => ({
  ...{ what: 'a bad request', operation },
  bad: (run) => ({ request: run.retrieval('null') }),
});
const isRight = ({ isRight }: { isRight: boolean }) => isRight;
const look = listOf([]);

test.each([
  ['GET /users', [200, { data: [], total: 0 }]],
  ['GET /users/:id', shows('7')],
  ['POST /users', creates('8')],
] as const)('%s is carried out after a bad request', async (operation, answer) => {
  const { run, sent, known } = answering([404], answer);
  const users = firstTwo(known('7'), known('9'));
  const found = await carryOut(aftermath, run, after(operation), { look, users: { ...users, second: users.first } });
  expect(faultOf(found, isRight)).toBe('none');
  expect(sent[0]).toBe('GET /v1/users/null');
  expect(run.bad.size).toBe(1);
});

test('what fails is sent after a usual request, and after the same again', async () => {
  const list = [200, { data: [], total: 0 }] as const;
  const { run, known } = answering([404], [500], list, list, [404], [500]);
  const found = await carryOut(aftermath, run, after('GET /users'), { look, users: firstTwo(known('7'), known('8')) });
  expect(faultOf(found, isRight)).toBe('case');
});

test('the plan ends where the service answers no valid request any more', async () => {
  const { run, known } = answering([404]);
  const found = carryOut(aftermath, run, after('GET /users'), { look, users: firstTwo(known('7'), known('8')) });
  await expect(found).rejects.toMatchObject({ endsBy: 'service' });
});

test('the plan ends where no creation gets a response any more, though a user is still shown', async () => {
  const list = [200, { data: [], total: 0 }] as const;
  const { run, sent, known } = answering([404], 'silence', list, 'silence', list, 'silence', shows('7'));
  const found = carryOut(aftermath, run, after('POST /users'), { look, users: firstTwo(known('7'), known('8')) });
  await expect(found).rejects.toMatchObject({ endsBy: 'service', message: expect.stringContaining('creations') });
  expect(sent.filter((one) => one.startsWith('POST'))).toHaveLength(3);
});

test('a bad request that follows the operation is sent behind it on its connection, and not when that is tried again', async () => {
  const list = [200, { data: [], total: 0 }] as const;
  const { run, sent, known } = answering([500], [404], list, list, list, list);
  const one: AftermathCase = { ...after('GET /users'), isBefore: true };
  const found = await carryOut(aftermath, run, one, { look, users: firstTwo(known('7'), known('8')) });
  expect(sent).toEqual(['GET /v1/users', 'GET /v1/users/null', ...Array(4).fill('GET /v1/users')]);
  expect(faultOf(found, isRight)).toBe('company');
});

const rows = [{ what: 'three wrong keys', count: 3, make: (run: Context) => run.listing({}) }];

test('a usual request is answered after each row', async () => {
  const { run, sent, known } = answering([401], [401], [401], shows('7'));
  const users = firstTwo(known('7'), known('8'));
  const [found] = await carryOut(refusalsInARow, run, { what: 'rows', rows }, { users });
  expect(found && faultOf(found, isAsBefore)).toBe('none');
  expect(sent).toHaveLength(4);
});

test('it is sent again where it is refused as well', async () => {
  const { run, known } = answering([401], [401], [401], [401], [401], shows('7'));
  const users = firstTwo(known('7'), known('8'));
  const [found] = await carryOut(refusalsInARow, run, { what: 'rows', rows }, { users });
  expect(found && faultOf(found, isAsBefore)).toBe('company');
});

test('a service that answers a valid request is still there', async () => {
  const { run, sent, known } = answering(shows('7'));
  known('7');
  await take(stillThere, run);
  expect(sent).toEqual(['GET /v1/users/7']);
});

test('it is where the list is answered, whatever became of the user', async () => {
  const { run, known } = answering([500], lists());
  known('7');
  await expect(take(stillThere, run)).resolves.toBeUndefined();
});

test('the plan ends where neither is', async () => {
  const { run, known } = answering([500], [500]);
  known('7');
  await expect(take(stillThere, run)).rejects.toMatchObject({ endsBy: 'service' });
});
