import type { Context } from '../context.ts';
import { type CreateResult, createUser, mustBeCreated } from '../create.ts';
import { after, cases, type Evidence, type OrMissing } from '../evidence.ts';
import { isFine, type Read } from '../record.ts';
import { isHidden, isKnown, type KnownUser, readAgain, seek, type UserSearch } from '../seek.ts';
import { type CaseStep, caseStep, triedStep } from '../step.ts';
import { settled, type Tried } from '../tried.ts';
import type { NewUser, UserKind } from '../users.ts';
import { firstUsers, mustBeKnown, mustBeProven, USUAL } from './first.ts';
import { type UserCase, usersOf, usersTogether } from './users.ts';

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
    return lookAtBoth(run, first, await createSecond(run, one, first), true);
  },
});

async function makeFirst(run: Context): Promise<KnownUser> {
  return mustBeKnown(await seek(run, mustBeCreated(await createUser(run, USUAL, 'must'))));
}

function createSecond(run: Context, one: TwinCase, first: KnownUser): Promise<CreateResult> {
  return createUser(run, { what: one.what, ...one.like(first.creation.user) }, 'may');
}

async function lookAtBoth(run: Context, first: KnownUser, second: CreateResult, isAlone = false): Promise<Twins> {
  const seeking = second.creation.answered === 'created' ? seek(run, second) : undefined;
  if (isAlone) await seeking;
  const [sought, after] = await Promise.all([seeking, readAgain(run, first.creation)]);
  return { first, second, ...(sought && { sought }), after };
}

/** What came of second users, with the first ones that they need. */
export function twinsOf(...all: TwinCase[]): Evidence<OrMissing<Tried<Twins, TwinCase>>[]> {
  const firsts = usersOf(usersTogether, ...all.map(({ first }) => first));
  return after(cases(twins, ...all), firsts, cases(twinCreations, ...all));
}

/** Whether both are there, each with an identifier of its own. */
export function isAsItShouldBe({ first, sought, after }: Twins): boolean {
  const isSecond =
    sought === undefined || isHidden(sought) || (isKnown(sought) && sought.identifier.text !== first.identifier.text);
  return isFine(after) && isSecond && (!sought?.read || isHidden(sought) || isFine(sought.read));
}
