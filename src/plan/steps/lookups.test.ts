import { expect, test } from 'vitest';
import { answering, carryOut, lists, NOBODY, shows } from '../../../tests/answering.ts';
import { firstTwo } from '../../../tests/made-evidence.ts';
import { lookups } from './lookups.ts';

const nobody = { what: 'a word', segments: () => ['nobody', 'no-one'] };

test('an identifier of nobody yields no user', async () => {
  const { run, sent, known } = answering(NOBODY);
  const users = firstTwo(known('7'), known('8'));
  expect(await carryOut(lookups, run, nobody, { users })).toMatchObject({ segment: 'nobody', status: 404 });
  expect(sent).toEqual(['GET /v1/users/nobody']);
});

test('one that yields a user of the run is told with that user', async () => {
  const { run, known } = answering(shows('7'), lists('7'));
  const users = firstTwo(known('7'), known('8'));
  const found = await carryOut(lookups, run, nobody, { users });
  expect(found.holds).toContain('7@example.com');
});

test('the next is tried where the list shows one as somebody else’s', async () => {
  const other = { id: 'nobody', email: 'x@example.com', name: 'Some Body' };
  const { run, known } = answering([200, other], [200, { data: [other], total: 1 }], NOBODY);
  const users = firstTwo(known('7'), known('8'));
  expect(await carryOut(lookups, run, nobody, { users })).toMatchObject({ segment: 'no-one' });
});
