import { expect, test } from 'vitest';
import { answering, byCase, carryOut, creates, shows } from '../../../tests/answering.ts';
import { firstTwo, tried } from '../../../tests/made-evidence.ts';
import { faultOf } from '../tried.ts';
import { isAsItShouldBe, type TwinCase, twinCreations, twins } from './twins.ts';

const one: TwinCase = {
  what: 'one name',
  like: ({ name }) => ({ name: () => name }),
  first: { what: '', fate: 'must' },
};

/** Creates a second user, and looks at both. */
async function lookAtBoth({ run, known }: ReturnType<typeof answering>) {
  const first = known('7');
  const created = await carryOut(twinCreations, run, one, {
    ...{ users: firstTwo(first, first), retrieved: byCase(tried(first)) },
  });
  return carryOut(twins, run, one, { created: byCase(created) });
}

test('a second user of one name is created, and both are there', async () => {
  const made = answering(creates('8'), shows('8'), shows('7'));
  expect(faultOf(await lookAtBoth(made), isAsItShouldBe)).toBe('none');
  const [first, second] = made.run.ledger.creations;
  expect(second?.user.name).toBe(first?.user.name);
});

test('where the second is refused the first is as it was', async () => {
  const made = answering([409], shows('7'));
  expect(faultOf(await lookAtBoth(made), isAsItShouldBe)).toBe('none');
});

test('where the first is gone two others are created alone', async () => {
  const made = answering([409], [500], creates('1'), shows('1'), [409], [500]);
  expect(faultOf(await lookAtBoth(made), isAsItShouldBe)).toBe('operation');
});
