import { textOf } from '../../http/value.ts';
import { type Created, createUser, safe } from '../create.ts';
import { type Found, known, Missing, orMissing } from '../evidence.ts';
import { candidatesIn } from '../identifier.ts';
import type { Creation } from '../ledger.ts';
import { isContradictory, isReadable, type Look } from '../look.ts';
import { members, type Read } from '../record.ts';
import type { Run } from '../run.ts';
import { isHidden, isKnown, type KnownUser, readAgain, type Sought, seek } from '../seek.ts';
import { settledLook } from '../settle.ts';
import type { Step } from '../step.ts';

/** The list before anything is created. */
export const firstLook: Step<Look> = {
  name: 'first look',
  needs: [],
  take: (run) => {
    const look = () => run.look();
    return run.until(look, (one) => !isReadable(one) || !isContradictory(one));
  },
};

/** The first two users, one request after the other: whatever is wrong with them is wrong without any company. */
export interface FirstUsers {
  first: Sought;
  /** In read-only mode there is one user, of the list. */
  second: Found<Sought>;
  /** The first user once more, when there is a second. */
  again: Found<Read>;
}

export const firstUsers: Step<FirstUsers> = {
  name: 'first users',
  needs: [firstLook],
  take: async (run) => {
    const { readOnly } = run.settings;
    const created = readOnly ? listedUser(run, known(run.of(firstLook))) : await createUser(run, USUAL, 'must');
    mustBeCreated(created);
    // A list of one is a case of its own; where others are there already, none is to be had.
    if (!readOnly && isEmpty(known(run.of(firstLook)))) await settledLook(run, known(run.of(firstLook)));
    const another = readOnly ? undefined : await createUser(run, USUAL, 'must');
    const first = await seek(run, created);
    const second = another ? await orMissing(() => seek(run, mustBeCreated(another))) : READ_ONLY;
    const again = isKnown(first)
      ? await orMissing(() => readAgain(run, first.creation))
      : new Missing('no user to read again');
    return { first, second, again: readOnly ? READ_ONLY : again };
  },
};

function isEmpty(look: Look): boolean {
  return isReadable(look) && look.total === 0;
}

const READ_ONLY = new Missing('read-only: there is only one known user', [], { excluded: true });

/** The kind of a user with nothing special. */
export const USUAL = { what: 'a plain user' };

function mustBeCreated(created: Created): Created {
  const { answered, exchange } = created.creation;
  if (answered === 'created') return created;
  const exchanges = exchange ? [exchange] : [];
  throw new Missing(exchange?.failure ?? 'no user could be created', exchanges);
}

/** In read-only mode: a user of the list, as if the run had created it. Throws Missing where the list shows none. */
function listedUser(run: Run, look: Look): Created {
  if (!isReadable(look)) throw new Missing('the list can not be read', [look.exchange]);
  const [item] = look.sample;
  const [email, name] = [textOf(item && members(item).email), textOf(item && members(item).name)];
  if (item === undefined || email === undefined || name === undefined) {
    throw new Missing('read-only, and the list shows no user to look at', [], { excluded: true });
  }
  const user = { email, name };
  const creation: Creation = {
    what: 'a user of the list',
    fate: 'must',
    inCompany: false,
    user,
    traces: user,
    answered: 'created',
  };
  run.ledger.enter(creation);
  return { creation, candidates: safe(candidatesIn(item, 'list item'), run) };
}

/** The user that most steps look at: the first of the two that was retrieved. Throws Missing where none was. */
export function firstKnown(run: Run): KnownUser {
  const { first, second } = known(run.of(firstUsers));
  return isKnown(first) || second instanceof Missing || !isKnown(second) ? mustBeKnown(first) : second;
}

/**
 * The first two users are retrieved as they were sent: what is found of users in company stands for itself then. Throws
 * Missing with what shows that it is not so.
 */
export function mustBeProven(run: Run): void {
  const { first, second } = known(run.of(firstUsers));
  for (const sought of [first, known(second)]) {
    const { creation, read } = mustBeKnown(sought);
    const { email, name } = read.record ? members(read.record) : { email: undefined, name: undefined };
    const isExact = read.others.length === 0 && email === creation.user.email && name === creation.user.name;
    if (!isExact) throw new Missing('users are not retrieved as they were sent', [read.exchange]);
  }
}

/** A user whose identifier is known. Throws Missing, with what shows that it is not. */
export function mustBeKnown(sought: Sought): KnownUser {
  if (isKnown(sought)) return sought;
  throw whyUnknown(sought);
}

/** Why a user could not be looked at. */
export function whyUnknown(sought: Sought): Missing {
  const { creation, read, look } = sought;
  const exchanges = [creation.exchange, read?.exchange, look?.exchange].filter((one) => one !== undefined);
  return new Missing(
    isHidden(sought)
      ? 'no answer shows the identifier: not the create answer, and the list pages'
      : (read?.exchange.failure ?? 'no user could be retrieved'),
    exchanges,
  );
}
