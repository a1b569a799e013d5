import type { Context } from '../context.ts';
import { type CreateResult, createUser } from '../create.ts';
import { type Evidence, Missing, type OrMissing, type Yields } from '../evidence.ts';
import { isFine, type Read } from '../record.ts';
import { isHidden, isKnown, type KnownUser, readAgain, seek, type UserSearch } from '../seek.ts';
import { type CaseStep, caseStep, triedStep } from '../step.ts';
import { settled, type Tried } from '../tried.ts';
import type { NewUser, UserKind } from '../users.ts';
import { firstUsers, mustBeKnown, mustBeProven, USUAL } from './first.ts';
import { type UserCase, usersTogether } from './users.ts';

/** A second user who shares something with a first one. */
export interface TwinCase {
  what: string;
  /** What the second has in common with the first. */
  like: (first: NewUser) => Partial<UserKind>;
  /** The first: one of the users who were created together. */
  first: UserCase;
}

/** What came of it. */
export interface Twins {
  first: KnownUser;
  /** The second one, which the service may refuse, and what came of looking for it. */
  second: CreateResult;
  sought?: UserSearch;
  /** The first one, read after the second was created or refused. */
  after: Read;
}

/** Second users, created when the first ones were retrieved. */
export const twinCreations: CaseStep<TwinCase, Pick<Twins, 'first' | 'second'>> = caseStep({
  name: 'second users of one name or email',
  needs: { users: firstUsers, retrieved: usersTogether.retrievals },
  each: async (run, one: TwinCase, { users, retrieved }) => {
    mustBeProven(users);
    const first = mustBeKnown(settled(retrieved(one.first)));
    return { first, second: await createSecond(run, one, first) };
  },
});

export const twins: CaseStep<TwinCase, Tried<Twins, TwinCase>> = triedStep({
  name: 'two users of one name or email',
  needs: { created: twinCreations },
  each: async (run, one: TwinCase, { created }) => {
    const { first, second } = created(one);
    return lookAtBoth(run, first, second);
  },
  isRight: isAsItShouldBe,
  same: async (run, one) => {
    const first = await makeFirst(run);
    return lookAtBoth(run, first, await createSecond(run, one, first));
  },
});

async function makeFirst(run: Context): Promise<KnownUser> {
  const created = await createUser(run, USUAL, 'must');
  if (created.creation.answered === 'created') return mustBeKnown(await seek(run, created));
  const { exchange } = created.creation;
  throw new Missing(
    exchange?.failure ?? `creating the user returned ${exchange?.response?.status}`,
    exchange ? [exchange] : [],
  );
}

function createSecond(run: Context, one: TwinCase, first: KnownUser): Promise<CreateResult> {
  return createUser(run, { what: one.what, ...one.like(first.creation.user) }, 'may');
}

async function lookAtBoth(run: Context, first: KnownUser, second: CreateResult): Promise<Twins> {
  const isTaken = second.creation.answered === 'created';
  const [sought, after] = await Promise.all([isTaken ? seek(run, second) : undefined, readAgain(run, first.creation)]);
  return { first, second, ...(sought && { sought }), after };
}

/** What came of second users, with the first ones that they need. */
export function twinsOf(...all: TwinCase[]): Evidence<OrMissing<Tried<Twins, TwinCase>>[]> {
  const { creations, retrievals } = usersTogether;
  const firsts = all.flatMap(({ first }) => [[creations, first] as const, [retrievals, first] as const]);
  const both = all.flatMap((one) => [[twinCreations, one] as const, [twins, one] as const]);
  const from = (yields: Yields) => all.map((one) => yields.ofCase(twins, one));
  return { steps: [twinCreations, twins], cases: [...firsts, ...both], whole: false, from };
}

/** Whether both are there, each with an identifier of its own. */
export function isAsItShouldBe({ first, sought, after }: Twins): boolean {
  const isSecond =
    sought === undefined || isHidden(sought) || (isKnown(sought) && sought.identifier.text !== first.identifier.text);
  return isFine(after) && isSecond && (!sought?.read || isHidden(sought) || isFine(sought.read));
}
