import { expect, test } from 'vitest';
import { answering, byCase, carryOut, creates, lists, NOBODY, shows } from '../../../tests/answering.ts';
import { firstTwo, tried } from '../../../tests/made-evidence.ts';
import { isKnown } from '../seek.ts';
import { faultOf } from '../step.ts';
import { groups, isAsItShouldBe, type TwinCase, twinCreations, twins, type UserCase } from './users.ts';

const plain: UserCase = { what: 'a plain user', fate: 'must' };

test.each(Object.entries(groups))('%s are created', async (_, { creations }) => {
  const { run, sent } = answering(creates('7'));
  expect(await carryOut(creations, run, plain)).toMatchObject({ first: { creation: { answered: 'created' } } });
  expect(sent).toEqual(['POST /v1/users']);
});

test.each(Object.entries(groups))(
  '%s that are refused are created as usual and again, alone',
  async (_, { creations }) => {
    const { run } = answering([422], creates('7'), [422]);
    const found = await carryOut(creations, run, plain);
    expect(faultOf(found, ({ creation }) => creation.answered === 'created')).toBe('case');
  },
);

test('who may be refused is not tried again', async () => {
  const { run, sent } = answering([422]);
  await carryOut(groups.unusual.creations, run, {
    what: 'an empty name',
    fate: 'may',
    kind: { what: '', name: () => '' },
  });
  expect(sent).toEqual(['POST /v1/users']);
});

test('a part of what a user had who was accepted is not tried', async () => {
  const { run, known } = answering();
  const { creation } = known('7');
  const whole = byCase(tried({ creation, candidates: [] }));
  const found = carryOut(groups.parted.creations, run, { ...plain, whole: plain }, { whole });
  await expect(found).rejects.toMatchObject({ excluded: true });
});

test.each(Object.entries(groups))('%s are retrieved', async (_, { creations, retrievals }) => {
  const { run, sent, known } = answering(creates('7'), shows('7'));
  const created = byCase(await carryOut(creations, run, plain));
  const found = await carryOut(retrievals, run, plain, { created, first: known('1') });
  expect(found.first.identifier?.text).toBe('7');
  expect(sent).toEqual(['POST /v1/users', 'GET /v1/users/7']);
});

test('who is not found among others nor alone is created once more', async () => {
  // Its identifier, its email and its name are tried, and then the list is.
  const isLost = [NOBODY, NOBODY, NOBODY, lists()];
  const { run, known } = answering(creates('7'), ...isLost, ...isLost, creates('8'), shows('8'));
  const created = byCase(await carryOut(groups.together.creations, run, plain));
  const found = await carryOut(groups.together.retrievals, run, plain, { created, first: known('1') });
  expect(faultOf(found, isKnown)).toBe('data');
});

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

test('a namesake gets the name of the one before', async () => {
  const { run } = answering(creates('7'), creates('8'));
  await carryOut(groups.rivals.creations, run, plain);
  await carryOut(groups.rivals.creations, run, { ...plain, what: 'a namesake', namesakeOf: plain.what });
  const [first, second] = run.ledger.creations;
  expect(second?.user.name).toBe(first?.user.name);
  expect(second?.user.email).not.toBe(first?.user.email);
});

test('a second user who proposes the identifier of the first sends it as the record shows it', async () => {
  const { run, known } = answering(creates('8'));
  const first = known('7');
  const given = { users: firstTwo(first, first), retrieved: byCase(tried(first)) };
  await carryOut(twinCreations, run, { ...one, proposesIdentifier: true }, given);
  expect(run.ledger.creations.at(-1)?.exchange?.request.body).toMatch(/^{"id":"7","email":/);
});

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
