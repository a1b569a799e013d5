import { type Created, createUser } from '../create.ts';
import { known, Missing } from '../evidence.ts';
import { isFine, type Read } from '../record.ts';
import type { Run } from '../run.ts';
import { isKnown, type KnownUser, readAgain, type Sought, seek } from '../seek.ts';
import type { CaseStep } from '../step.ts';
import type { NewUser, UserKind } from '../users.ts';
import { firstUsers, mustBeKnown, mustBeProven, USUAL } from './first.ts';

/** A second user who shares something with a first one. */
export interface TwinCase {
  what: string;
  /** What the second has in common with the first. */
  like: (first: NewUser) => Partial<UserKind>;
  /** Whether the first is made for it; otherwise it is the second user of the run. */
  ownFirst: boolean;
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
  needs: [firstUsers],
  valid: true,
  each: (run, one) => {
    run.mayCreate();
    mustBeProven(run);
    const { second } = known(run.of(firstUsers));
    const ours = mustBeKnown(known(second));
    return one.ownFirst ? makeFirst(run).then((first) => makeSecond(run, one, first)) : makeSecond(run, one, ours);
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
  const sought = second.creation.answered === 'created' ? await seek(run, second) : undefined;
  return { one, first, second, ...(sought && { sought }), after: await readAgain(run, first.creation) };
}

/** Whether both are there, each with an identifier of its own. */
export function isAsItShouldBe({ first, sought, after }: Twins): boolean {
  const isSecond = sought === undefined || (isKnown(sought) && sought.identifier.text !== first.identifier.text);
  return isFine(after) && isSecond && (sought?.read === undefined || isFine(sought.read));
}
