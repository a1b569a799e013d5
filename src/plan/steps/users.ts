import type { Request } from '../../http/exchange.ts';
import { type Created, createUser } from '../create.ts';
import { type Evidence, type Found, known, Missing } from '../evidence.ts';
import type { Fate } from '../ledger.ts';
import type { Run } from '../run.ts';
import { isKnown, type Sought, seek } from '../seek.ts';
import type { AnyStep, CaseStep } from '../step.ts';
import type { UserKind } from '../users.ts';
import { firstUser, firstUsers, mustBeProven, USUAL } from './first.ts';

/** A user to be created in company: of a kind of its own, or by a request that is written in another way. */
export interface UserCase {
  what: string;
  /** Absent: a plain user with nothing special. */
  kind?: UserKind;
  /** Whether the service may refuse it. */
  fate: Exclude<Fate, 'must-not'>;
  /** Writes the usual request in another way that means the same. */
  write?: ((request: Request) => Request) | undefined;
  /** Whether the service may refuse this writing, but not the user. */
  optional?: true;
  /** Of a part of what an unusual user has: that user. The part is tried only where the service refuses the whole. */
  whole?: UserCase;
}

/** A creation, and what it took to tell whose fault it is that it was refused. */
export interface Posted {
  one: UserCase;
  created: Created;
  /** Where it was refused: another user of the kind, created alone as usual. */
  control?: Created;
  /** Where that one was created: a third, created alone in the same writing. */
  again?: Created;
}

/** A created user, retrieved, and what it took to tell whose fault it is that it was not. */
export interface Kept {
  one: UserCase;
  posted: Posted;
  sought: Sought;
  /** Where it was not found: looked for again, with nothing else under way. */
  quiet?: Sought;
  /** Where it was not found then either: another user of the kind, created and looked for alone. */
  alone?: Sought;
}

const kindOf = ({ kind = USUAL }: UserCase) => kind;
const writtenKind = (one: UserCase) => ({ ...kindOf(one), what: one.what });
const fateOf = ({ fate, optional }: UserCase): Fate => (optional ? 'may' : fate);

/** The last word on a user: how it is when nothing else is under way. */
export function settled({ sought, quiet, alone }: Kept): Sought {
  return alone ?? quiet ?? sought;
}

/** Two steps: the users of a group are created at the same time, then they are retrieved at the same time. */
export interface UserGroup {
  creations: CaseStep<UserCase, Posted>;
  retrievals: CaseStep<UserCase, Kept>;
}

/** Makes the steps of a group; before `proven` it is not known yet whether the first users are retrieved as they were sent. */
function userGroup(name: string, proven: 'creations' | 'retrievals' | 'end', ...needs: AnyStep[]): UserGroup {
  const creations: UserGroup['creations'] = {
    name: `${name}: created`,
    needs: [proven === 'creations' ? firstUsers : firstUser, ...needs],
    valid: true,
    each: async (run, one) => {
      run.mayCreate();
      known(run.of(firstUser));
      if (proven === 'creations') mustBeProven(run);
      if (one.whole) mustBeRefused(run, one.whole);
      return {
        one,
        created: await createUser(run, writtenKind(one), fateOf(one), { write: one.write, inCompany: true }),
      };
    },
    alone: tryAlone,
  };
  const retrievals: UserGroup['retrievals'] = {
    name: `${name}: retrieved`,
    needs: [creations],
    beside: [firstUsers],
    valid: true,
    each: async (run, one) => {
      const posted = known(run.ofCase(creations, one));
      if (proven !== 'end') mustBeProven(run);
      const connection = proven === 'creations' ? run.following.forValid() : 'kept';
      return { one, posted, sought: await seek(run, mustExist(posted.created), connection) };
    },
    completed: (run, _, found) => {
      mustBeProven(run);
      return found;
    },
    alone: seekAlone,
  };
  return { creations, retrievals };
}

/** Users that are created by requests in other writings, after requests that must be refused. */
export const writtenUsers = userGroup('users in other writings', 'creations');

/** The same, after requests that no user can be made of. */
export const laterWrittenUsers = userGroup('further users in other writings', 'creations');

/** Plain users that are created at the same time, and then retrieved at the same time. */
export const usersTogether = userGroup('users at the same time', 'end');

/** Users with strings that the service may refuse. */
export const unusualUsers = userGroup('users with unusual strings', 'retrievals');

async function tryAlone(run: Run, one: UserCase, posted: Posted): Promise<Posted> {
  if (one.fate !== 'must' || posted.created.creation.answered !== 'refused') return posted;
  // The first after a request that was refused may still be upset by it.
  const first = await createUser(run, kindOf(one), 'must', { inCompany: true });
  const control = first.creation.answered === 'created' ? first : await createUser(run, kindOf(one), 'must');
  if (control.creation.answered !== 'created') return { ...posted, control };
  return {
    ...posted,
    control,
    again: await createUser(run, writtenKind(one), fateOf(one), { write: one.write, inCompany: true }),
  };
}

async function seekAlone(run: Run, one: UserCase, kept: Kept): Promise<Kept> {
  if (isKnown(kept.sought)) return kept;
  const quiet = await seek(run, kept.posted.created);
  if (isKnown(quiet)) return { ...kept, quiet };
  const created = await createUser(run, writtenKind(one), fateOf(one), { write: one.write, inCompany: true });
  if (created.creation.answered !== 'created') return { ...kept, quiet };
  return { ...kept, quiet, alone: await seek(run, created) };
}

/** Parts of the same strings, where the service refuses a user with several of them. */
export const partedUsers = userGroup('users with parts of these strings', 'creations', unusualUsers.creations);

/** Throws Missing where a user who has the part was not refused. */
function mustBeRefused(run: Run, whole: UserCase): void {
  const { creation } = known(run.ofCase(unusualUsers.creations, whole)).created;
  if (creation.answered !== 'refused') throw new Missing('another user has it as well', [], { excluded: true });
}

/** Throws Missing where no user was made, with what shows why. */
function mustExist(created: Created): Created {
  const { answered, exchange, fate } = created.creation;
  if (answered === 'created') return created;
  const exchanges = exchange ? [exchange] : [];
  if (answered === 'refused' && fate === 'may') {
    const status = exchange?.response?.status ?? 0;
    throw new Missing(`the service ${status >= 500 ? 'fails' : 'rejects it'} (${status})`, exchanges, {
      excluded: true,
    });
  }
  throw new Missing(exchange?.failure ?? 'the creation was refused', exchanges);
}

/** What came of creating users. */
export function created(group: UserGroup, ...all: UserCase[]): Evidence<Found<Posted>[]> {
  const cases = all.map((one) => [group.creations, one] as never);
  return {
    steps: [group.creations],
    cases,
    whole: false,
    from: (run) => all.map((one) => run.ofCase(group.creations, one)),
  };
}

/** What came of creating users and retrieving them. */
export function kept(group: UserGroup, ...all: UserCase[]): Evidence<Found<Kept>[]> {
  const cases = all.flatMap((one) => [[group.creations, one] as never, [group.retrievals, one] as never]);
  const steps = [group.creations, group.retrievals];
  return { steps, cases, whole: false, from: (run) => all.map((one) => run.ofCase(group.retrievals, one)) };
}
