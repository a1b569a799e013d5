import { expect, test } from 'vitest';
import { answering, lists, shows, take } from '../../../tests/answering.ts';
import { PlanEnd } from '../evidence.ts';
import { stillThere } from './still-there.ts';

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
  await expect(take(stillThere, run)).rejects.toBeInstanceOf(PlanEnd);
});
