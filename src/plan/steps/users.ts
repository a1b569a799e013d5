import type { Request } from '../../http/exchange.ts';
import { type Created, createUser } from '../create.ts';
import { type Evidence, type Found, Missing, type Yields } from '../evidence.ts';
import type { Fate } from '../ledger.ts';
import type { Run } from '../run.ts';
import { isKnown, type Sought, seek } from '../seek.ts';
import { type CaseStep, caseStep, type Needs } from '../step.ts';
import { type Tried, tryAgain } from '../tried.ts';
import type { UserKind } from '../users.ts';
import { firstUser, firstUsers, mustBeAsSent, USUAL, unproven } from './first.ts';

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

/** A creation: of its user as usual, and in its writing again, where it was refused in company. */
export interface Posted extends Tried<Created> {
  one: UserCase;
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

function userGroup(name: string, wholes?: UserGroup): UserGroup {
  const creations = caseStep({
    name: `${name}: created`,
    needs: { first: firstUser, ...(wholes && { whole: wholes.creations }) } as CreationNeeds,
    each: async (run, one: UserCase, { whole }): Promise<Posted> => {
      run.mayCreate();
      if (one.whole) mustBeRefused(whole(one.whole));
      return { one, first: await createOne(run, one) };
    },
    alone: tryAlone,
  });
  const retrievals = caseStep({
    name: `${name}: retrieved`,
    needs: { posted: creations, first: firstUser },
    each: async (run, one: UserCase, { posted }): Promise<Kept> => {
      const creation = posted(one);
      return { one, posted: creation, sought: await seek(run, mustExist(creation.first)) };
    },
    alone: (run, one, found, { first }) => seekAlone(run, one, found, first),
  });
  return { creations, retrievals };
}

interface CreationNeeds extends Needs {
  first: typeof firstUser;
  whole: CaseStep<UserCase, Posted>;
}

/** Users that are created by requests in other writings. */
export const writtenUsers = userGroup('users in other writings');

/** The same, of further writings. */
export const laterWrittenUsers = userGroup('users in further writings');

/** Plain users. */
export const usersTogether = userGroup('users at the same time');

/** Users with strings that the service may refuse. */
export const unusualUsers = userGroup('users with unusual strings');

const isMade = ({ creation }: Created) => creation.answered === 'created';

async function tryAlone(run: Run, one: UserCase, posted: Posted): Promise<Posted> {
  const { first } = posted;
  if (one.fate !== 'must' || first.creation.answered !== 'refused') return posted;
  const usual = (isSecond: boolean) => createUser(run, kindOf(one), 'must', { inCompany: !isSecond });
  return { one, ...(await tryAgain(first, isMade, usual, () => createOne(run, one))) };
}

function createOne(run: Run, one: UserCase): Promise<Created> {
  return createUser(run, writtenKind(one), fateOf(one), { write: one.write, inCompany: true });
}

async function seekAlone(run: Run, one: UserCase, kept: Kept, first: Sought): Promise<Kept> {
  if (isKnown(kept.sought)) return kept;
  // Where users are not retrieved as they were sent, nothing is to be found out by this one.
  mustBeAsSent(first);
  const quiet = await seek(run, kept.posted.first);
  if (isKnown(quiet)) return { ...kept, quiet };
  const created = await createOne(run, one);
  if (created.creation.answered !== 'created') return { ...kept, quiet };
  return { ...kept, quiet, alone: await seek(run, created) };
}

/** Parts of the same strings, where the service refuses a user with several of them. */
export const partedUsers = userGroup('users with parts of these strings', unusualUsers);

/** Throws Missing where a user who has the part was not refused. */
function mustBeRefused({ first: { creation } }: Posted): void {
  if (creation.answered !== 'refused')
    throw new Missing('the service accepted it together with others, and is judged by that user', [], {
      excluded: true,
    });
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
  throw new Missing(exchange?.failure ?? `creating the user returned ${exchange?.response?.status}`, exchanges);
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

/** What came of creating users and retrieving them; it stands for itself only where the first users are as they were sent. */
export function kept({ creations, retrievals }: UserGroup, ...all: UserCase[]): Evidence<Found<Kept>[]> {
  const cases = all.flatMap((one) => [[creations, one] as never, [retrievals, one] as never]);
  const from = (yields: Yields) => {
    const why = unproven(yields);
    return all.map((one) => {
      const found = yields.ofCase(retrievals, one);
      return found instanceof Missing ? found : (why ?? found);
    });
  };
  return { steps: [firstUsers, creations, retrievals], cases, whole: false, from };
}
