import { type Created, createUser } from '../create.ts';
import { type Evidence, type Found, known, Missing, type Yields } from '../evidence.ts';
import { isFine, type Read } from '../record.ts';
import type { Run } from '../run.ts';
import { isHidden, isKnown, type KnownUser, readAgain, type Sought, seek } from '../seek.ts';
import type { CaseStep } from '../step.ts';
import type { NewUser, UserKind } from '../users.ts';
import { mustBeKnown, USUAL } from './first.ts';
import { settled, type UserCase, usersTogether } from './users.ts';

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
  one: TwinCase;
  first: KnownUser;
  /** The second one, which the service may refuse, and what came of looking for it. */
  second: Created;
  sought?: Sought;
  /** The first one, read after the second was created or refused. */
  after: Read;
}

export const twins: CaseStep<TwinCase, Twins> = {
  name: 'two users of one name or email',
  needs: [usersTogether.retrievals],
  valid: true,
  each: async (run, one) => {
    const first = settled(known(run.ofCase(usersTogether.retrievals, one.first)));
    return makeSecond(run, one, mustBeKnown(first));
  },
  alone: async (run, one, found) => (isAsItShouldBe(found) ? found : makeSecond(run, one, await makeFirst(run))),
};

async function makeFirst(run: Run): Promise<KnownUser> {
  const created = await createUser(run, USUAL, 'must');
  if (created.creation.answered === 'created') return mustBeKnown(await seek(run, created));
  const { exchange } = created.creation;
  throw new Missing(exchange?.failure ?? 'the creation was refused', exchange ? [exchange] : []);
}

async function makeSecond(run: Run, one: TwinCase, first: KnownUser): Promise<Twins> {
  const kind = { what: one.what, ...one.like(first.creation.user) };
  const second = await createUser(run, kind, 'may');
  const isTaken = second.creation.answered === 'created';
  const [sought, after] = await Promise.all([isTaken ? seek(run, second) : undefined, readAgain(run, first.creation)]);
  return { one, first, second, ...(sought && { sought }), after };
}

/** What came of second users, with the first ones that they need. */
export function twinsOf(...all: TwinCase[]): Evidence<Found<Twins>[]> {
  const { creations, retrievals } = usersTogether;
  const firsts = all.flatMap(({ first }) => [[creations, first] as const, [retrievals, first] as const]);
  const from = (yields: Yields) => all.map((one) => yields.ofCase(twins, one));
  return { steps: [twins], cases: [...firsts, ...all.map((one) => [twins, one] as const)], whole: false, from };
}

/** Whether both are there, each with an identifier of its own. */
export function isAsItShouldBe({ first, sought, after }: Twins): boolean {
  const isSecond =
    sought === undefined || isHidden(sought) || (isKnown(sought) && sought.identifier.text !== first.identifier.text);
  return isFine(after) && isSecond && (!sought?.read || isHidden(sought) || isFine(sought.read));
}
