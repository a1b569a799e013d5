import { endOf, type Request } from '../../http/exchange.ts';
import { type Context, untilSettled } from '../context.ts';
import { excluded, Missing } from '../evidence.ts';
import type { Creation } from '../ledger.ts';
import { isPaged, isReadable, type Look, mustBeShort } from '../look.ts';
import { isFine, isOf, type KnownRead, members } from '../record.ts';
import { readAgain, type UserSearch } from '../seek.ts';
import { caseStep, triedStep } from '../step.ts';
import { firstLook, firstUser, firstUsers, mustBeKnown } from './first.ts';

/** A list, and the users whom it must show. */
export interface LaterList {
  look: Look;
  /**
   * Users who were retrieved, and older than the settle time, when it was first asked for: no lag excuses that one is
   * missing.
   */
  older: Creation[];
}

/** Usual lists while other requests are in flight; which users one must show is known when it is sent. */
export const listsAgain = triedStep({
  name: 'lists again',
  needs: { look: firstLook },
  each: async (run) => ({ older: olderUsers(run), look: await run.look() }),
  isRight: (list) => oddlyShown(list).length === 0,
  same: async (run, _one, _given, { older }) => ({ look: await run.look(), older }),
});

function olderUsers({ ledger, client, settings }: Context): Creation[] {
  const now = client.now();
  return ledger.proven.filter((one) => one.exchange === undefined || endOf(one.exchange) + settings.settleMs < now);
}

/** The users whom a list that shows all does not show once. */
export function oddlyShown({ look, older }: LaterList): Creation[] {
  // What is longer than its total may lag in one of both.
  if (!isReadable(look) || isPaged(look) || look.shown > look.total) return [];
  return older.filter((creation) => look.ours.get(creation)?.length !== 1);
}

/** A known user who is retrieved once more; which one is decided when it is sent. */
export interface RereadCase {
  what: string;
  /** Chooses among the users who were retrieved before; undefined where there is none such. */
  pick: (proven: readonly Creation[]) => Creation | undefined;
  /** What was sent directly before, where nothing else is in flight. */
  after?: string;
}

/** Known users, retrieved again while other requests are in flight. */
export const rereads = triedStep({
  name: 'known users again',
  needs: { users: firstUsers },
  each: async (run, { pick }: RereadCase) => {
    const creation = pick(run.ledger.proven);
    if (creation === undefined) throw excluded('the run has no such user');
    return { creation, read: await readAgain(run, creation) };
  },
  isRight: ({ read }) => isFine(read),
  same: async (run, _one, _given, { creation }) => ({ creation, read: await readAgain(run, creation) }),
});

/** A request for the first user, written in a way that means the same; without `write` it is the usual one. */
export interface WritingCase {
  what: string;
  write?: (request: Request) => Request;
}

/** On new connections: those that were kept may still be upset. */
const onNew: NonNullable<WritingCase['write']> = (request) => ({ ...request, connection: 'new' });

/** Retrievals in other writings of the request. */
export const writtenRetrievals = triedStep({
  name: 'retrievals in other writings',
  needs: { first: firstUser },
  each: (run, { write }: WritingCase, { first }) => readWritten(run, first, write),
  isRight: isAsBefore,
  usual: (run, _, { first }) => readWritten(run, first, onNew),
  same: (run, { write }, { first }) => readWritten(run, first, (request) => onNew(write?.(request) ?? request)),
});

/** Whether a read shows the user, and with the email and name that the first read showed. */
export function isAsBefore({ creation, read }: KnownRead): boolean {
  return isFine(read) && isOf(read.record, members(creation.read?.record ?? {}));
}

async function readWritten(run: Context, first: UserSearch, write: WritingCase['write']): Promise<KnownRead> {
  const { creation } = mustBeKnown(first);
  return { creation, read: await readAgain(run, creation, 'kept', write) };
}

/** A list that is asked for in another way. */
export interface WrittenList {
  /** The least that the total may be: of the first list, and of users who were retrieved since. */
  least: number;
  look: Look;
}

const writtenListStep = (name: string, isLate = false) =>
  triedStep({
    name,
    needs: { first: firstLook },
    each: async (run, { write }: WritingCase, { first }) => {
      if (!first.ok) throw new Missing('the list request written as usual fails as well', [first.exchange]);
      if (isLate) mustBeShort(first);
      const least = isReadable(first) ? first.total + run.ledger.proven.length : 0;
      return lookWritten(run, least, write);
    },
    isRight: isComplete,
    usual: (run, _one, _given, { least }) => lookWritten(run, least),
    same: (run, { write }, _given, { least }) => lookWritten(run, least, write),
  });

/** Lists in other writings of the request. */
export const listWritten = writtenListStep('the list in other writings');

/** The same at the end: what is kept by a header is stale then. */
export const listWrittenLate = writtenListStep('the list in other writings at the end', true);

/** Asks for the list, again as long as users may only lag in it. */
async function lookWritten(run: Context, least: number, write?: WritingCase['write']): Promise<WrittenList> {
  const look = async () => {
    if (write === undefined) return run.look();
    return Object.assign(await run.look({}, write(run.listing())), { written: true as const });
  };
  return { least, look: await run.lookUntil(({ total }) => total >= least, run.ledger.lastEnd(), look) };
}

/** Whether a list can be read, has nothing but users in it and counts as many as there are at least. */
export function isComplete({ least, look }: WrittenList): boolean {
  return isReadable(look) && look.faults.users === undefined && look.total >= least;
}

/** Queries, one after the other, each followed by a list as usual. */
export interface RowOfQueries {
  what: string;
  /** With their question marks. */
  queries: string[];
}

/** A query after which the next list counted fewer users than before, and the list after it did not. */
export interface StickyQuery {
  query: string;
  before: Look;
  next: Look;
  later: Look;
}

/** How often it must be so before it is no chance: others may delete users and create others. */
const TIMES = 3;

/** Whether a query has an effect on the list that is asked for next. */
export const queriesInTurn = caseStep({
  name: 'queries, each with a list after it',
  needs: { look: firstLook },
  each: async (run, { queries }) => {
    const found: StickyQuery[] = [];
    let before = await run.look();
    for (const query of queries) {
      const sticky = await tried(run, query, before);
      if (!sticky) continue;
      before = sticky.later;
      // A list that comes from another replica may only lag.
      await untilSettled(run);
      let again: StickyQuery | undefined = sticky;
      for (let times = 1; again && times < TIMES; times += 1) again = await tried(run, query, again.later);
      if (again) found.push(again);
    }
    return found;
  },
});

async function tried(run: Context, query: string, before: Look): Promise<StickyQuery | undefined> {
  await run.send({ ...run.listing(), path: `${run.listing().path}${query}` }, 'text');
  const next = await run.look();
  if (![before, next].every(isReadable) || next.total >= before.total) return undefined;
  const later = await run.look();
  return isReadable(later) && later.total >= before.total ? { query, before, next, later } : undefined;
}
