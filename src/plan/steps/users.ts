import { isNumber } from '../../http/value.ts';
import type { Context } from '../context.ts';
import { after, type CaseEvidence, cases, caught, excluded, Missing, type Yields, yieldOf } from '../evidence.ts';
import { isFine } from '../record.ts';
import { type CreateResult, createUser, mustBeCreated, USUAL, type Write } from '../requests.ts';
import { isHidden, isKnown, type KnownUser, readAgain, seek, type UserSearch } from '../seek.ts';
import { caseStep, type Step, settled, type Tried, triedStep } from '../step.ts';
import type { NewUser, UserKind } from '../users.ts';
import { firstUser, firstUsers, mustBeAsSent, mustBeKnown, mustBeProven } from './first.ts';

/** A user to be created in company: of a kind of its own, or by a request that is written in another way. */
export interface UserCase {
  what: string;
  /** Absent: a plain user with nothing special. */
  kind?: UserKind;
  /** Whether the service may refuse it. */
  fate: 'must' | 'may';
  /** Writes the usual request in another way that means the same. */
  write?: Write | undefined;
  /** Writes the request that it is compared with, where that is not the usual one: it differs in one thing. */
  control?: Write;
  /** What was sent directly before, where nothing else is in flight. */
  after?: string;
  /** Whether the service may refuse this writing, but not the user. */
  optional?: true;
  /** Whether an earlier run may have created the same user: for nothing else may the service refuse it. */
  mayBeThere?: true;
  /** What the user is whose name it has: one who is created directly before. */
  namesakeOf?: string;
  /** Of a part of what an unusual user has: that user. The part is tried only where the service refuses the whole. */
  whole?: UserCase;
}

/** A created user, retrieved in company. */
export type UserTrial = Tried<UserSearch, UserCase>;

type UserGroup = ReturnType<typeof userGroup>;

/**
 * Two steps: the users of a group are created at the same time, then they are retrieved at the same time. Who is not
 * found alone either is created and looked for once more, alone.
 */
function userGroup(name: string, whole?: Step<Tried<CreateResult, UserCase>, UserCase>) {
  const needs = { first: firstUser, ...(whole && { whole }) };
  const creations = triedStep({
    name: `${name}: created`,
    needs: needs as Required<typeof needs>,
    each: async (run, one: UserCase, { whole }) => {
      run.mayCreate();
      if (one.whole && whole(one.whole).first.creation.answered !== 'refused')
        throw excluded('the service accepted it together with others, and is judged by that user');
      return createOne(run, one);
    },
    // A 500 refuses nothing: where the same is taken later, it came by chance.
    isRight: ({ creation: { answered, exchange } }, { fate, mayBeThere }) =>
      answered !== 'refused' || (fate !== 'must' && !mayBeThere && (exchange?.response?.status ?? 0) < 500),
    usual: (run, { fate, kind: own, control: write }, _given, _first, isSecond) => {
      const kind = (fate === 'must' && own) || USUAL;
      return createUser(run, { kind, fate: write ? 'may' : 'must', write, inCompany: !isSecond });
    },
  });
  const retrievals = triedStep({
    name: `${name}: retrieved`,
    needs: { created: creations, first: firstUser },
    each: (run, one: UserCase, { created }) => seek(run, mustBeCreated(created(one).first)),
    isRight: isKnown,
    same: (run, one, { created, first }) => {
      // Where users are not retrieved as they were sent, nothing is to be found out by this one.
      mustBeAsSent(first);
      return seek(run, created(one).first);
    },
    anew: async (run, one) => {
      const created = await createOne(run, one);
      return created.creation.answered === 'created' ? seek(run, created) : undefined;
    },
  });
  return { creations, retrievals };
}

function createOne(run: Context, one: UserCase): Promise<CreateResult> {
  const { what, kind, fate, optional, write, namesakeOf } = one;
  const other = namesakeOf && run.ledger.creations.findLast((creation) => creation.what === namesakeOf);
  const shared = other && { name: () => other.user.name };
  return createUser(run, { kind: { ...kind, ...shared, what }, fate: optional ? 'may' : fate, write, inCompany: true });
}

const unusual = userGroup('users with unusual strings');

/** All groups. */
export const groups = {
  /** Plain users. */
  together: userGroup('users at the same time'),
  /** Users with the same email, and with the same name. */
  rivals: userGroup('users with the same email or name at the same time'),
  /** Users that are created by requests in other writings. */
  written: userGroup('users in other writings'),
  /** The same, of further writings. */
  laterWritten: userGroup('users in further writings'),
  /** Users with strings that the service may refuse. */
  unusual,
  /** Parts of the same strings, where the service refuses a user with several of them. */
  parted: userGroup('users with parts of these strings', unusual.creations),
};

/** Users of a group, created and retrieved. */
export const usersOf = ({ creations, retrievals }: UserGroup, ...all: UserCase[]): CaseEvidence<UserTrial> =>
  after(cases(retrievals, ...all), cases(creations, ...all));

/** The same; each stands for itself only where the first users are as they were sent. */
export const kept =
  (group: UserGroup) =>
  (...all: UserCase[]): CaseEvidence<UserTrial> => {
    const [first, users] = [yieldOf(firstUsers), usersOf(group, ...all)];
    const from = (yields: Yields) => {
      const proven = caught(() => mustBeProven(first.from(yields)));
      return users.from(yields).map((one) => (proven instanceof Missing && !(one instanceof Missing) ? proven : one));
    };
    return after({ ...users, from }, first);
  };

/** A second user who shares something with a first one. */
export interface TwinCase {
  what: string;
  /** What the second has in common with the first. */
  like: (first: NewUser) => Partial<UserKind>;
  /** Whether the second proposes the identifier of the first for its own, which the service may ignore. */
  proposesIdentifier?: boolean;
  /** The first: one of the users who were created together. */
  first: UserCase;
}

/** What came of it. */
export type Twins = Awaited<ReturnType<typeof lookAtBoth>>;

/** Second users, created when the first ones were retrieved. */
export const twinCreations = caseStep({
  name: 'second users of one name or email',
  needs: { users: firstUsers, retrieved: groups.together.retrievals },
  each: async (run, one: TwinCase, { users, retrieved }) => {
    mustBeProven(users);
    return createSecond(run, one, settled(retrieved(one.first)));
  },
});

export const twins = triedStep({
  name: 'two users of one name or email',
  needs: { created: twinCreations },
  each: (run, one: TwinCase, { created }) => lookAtBoth(run, created(one)),
  isRight: isAsItShouldBe,
  same: async (run, one) => {
    const first = await seek(run, mustBeCreated(await createUser(run)));
    return lookAtBoth(run, await createSecond(run, one, first), true);
  },
});

/** The second one may be refused. */
async function createSecond(run: Context, { what, like, proposesIdentifier }: TwinCase, sought: UserSearch) {
  const first = mustBeKnown(sought);
  const write = proposesIdentifier ? withIdentifier(first) : undefined;
  return { first, second: await createUser(run, { kind: { what, ...like(first.creation.user) }, fate: 'may', write }) };
}

/** Adds the identifier of a user to a creation, as the member that shows it. */
function withIdentifier({ identifier: { place, text }, read }: KnownUser): Write {
  const member = /\w+$/.exec(place)?.[0] ?? '';
  const name = Object.hasOwn(read.record ?? {}, member) ? member : 'id';
  const value = isNumber(read.record?.[name]) ? text : JSON.stringify(text);
  return ({ body = '', ...request }) => ({
    ...request,
    body: body.replace('{', () => `{${JSON.stringify(name)}:${value},`),
  });
}

/** Looks for the second one where it was accepted, and reads the first one again. */
async function lookAtBoth(run: Context, { first, second }: Awaited<ReturnType<typeof createSecond>>, isAlone = false) {
  const seeking = second.creation.answered === 'created' ? seek(run, second) : undefined;
  if (isAlone) await seeking;
  const [sought, { read: after }] = await Promise.all([seeking, readAgain(run, first.creation)]);
  return { first, second, sought, after };
}

/** What came of second users, with the first ones that they need. */
export function twinsOf(...all: TwinCase[]): CaseEvidence<Tried<Twins, TwinCase>> {
  const firsts = usersOf(groups.together, ...all.map(({ first }) => first));
  return after(cases(twins, ...all), firsts, cases(twinCreations, ...all));
}

/** Whether both are there, each with an identifier of its own. */
export function isAsItShouldBe({ first, sought, after }: Twins): boolean {
  if (!isFine(after) || sought === undefined || isHidden(sought)) return isFine(after);
  return isKnown(sought) && sought.identifier.text !== first.identifier.text && isFine(sought.read);
}
