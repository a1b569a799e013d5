import { type Exchange, endOf, isSuccess } from '../../http/exchange.ts';
import { type Context, mustBeThere } from '../context.ts';
import { excluded, Missing } from '../evidence.ts';
import type { Creation } from '../ledger.ts';
import { isPaged, isReadable, type Look, mustBeShort } from '../look.ts';
import { isFine, isOf, members } from '../record.ts';
import { tagsOf, type Write } from '../requests.ts';
import { type KnownRead, readAgain } from '../seek.ts';
import { triedStep } from '../step.ts';
import { firstLook, firstUser, firstUsers, mustBeKnown } from './first.ts';

/** Usual lists while other requests are in flight; which users one must show is known when it is first sent. */
const listStep = (name: string) =>
  triedStep({
    name,
    needs: { look: firstLook },
    each: async (run) => ({ older: olderUsers(run), look: await run.look() }),
    isRight: (list) => oddlyShown(list).length === 0,
    same: async (run, _one, _given, { older }) => ({ look: await run.look(), older }),
  });

export const listsAgain = listStep('lists again');

/** The same while users are created one after another: a list that is read in parts meets them between two parts. */
export const listsMeanwhile = listStep('lists while users are created');

/** Users who were retrieved, and are older than the settle time: no lag excuses that one is missing. */
function olderUsers({ ledger, client, settings }: Context): Creation[] {
  const now = client.now();
  return ledger.proven.filter((one) => one.exchange === undefined || endOf(one.exchange) + settings.settleMs < now);
}

/** The users whom a list that shows all does not show once. */
export function oddlyShown({ look, older }: { look: Look; older: Creation[] }): Creation[] {
  // What is longer than its total may lag in one of both.
  if (!isReadable(look) || isPaged(look) || look.shown > look.total) return [];
  return older.filter((creation) => look.ours.get(creation)?.length !== 1);
}

/** A known user who is retrieved once more; which one is decided when it is sent. */
export interface RereadCase extends WritingCase {
  /** Chooses among the users who were retrieved before; undefined where there is none such. */
  pick: (proven: readonly Creation[]) => Creation | undefined;
  /** What was sent directly before, where nothing else is in flight. */
  after?: string;
}

/** Known users, retrieved again while other requests are in flight. */
export const rereads = triedStep({
  name: 'known users again',
  needs: { users: firstUsers },
  each: async (run, { pick, write }: RereadCase) => {
    const creation = pick(run.ledger.proven);
    if (creation === undefined) throw excluded('the run has no such user');
    return readAgain(run, creation, 'kept', write);
  },
  isRight: ({ read }) => isFine(read),
  same: (run, { write }, _given, { creation }) => readAgain(run, creation, 'kept', write),
});

/** A request for the first user, written in a way that means the same; without `write` it is the usual one. */
export type WritingCase = {
  what: string;
  write?: Write;
};

/**
 * Retrievals in other writings of the request; alone on new connections, because those that were kept may still be
 * upset.
 */
export const writtenRetrievals = triedStep({
  name: 'retrievals in other writings',
  needs: { first: firstUser },
  each: async (run, { write }: WritingCase, { first }) => readAgain(run, mustBeKnown(first).creation, 'kept', write),
  isRight: isAsBefore,
  usual: (run, _one, _given, { creation }) => readAgain(run, creation, 'new'),
  same: (run, { write }, _given, { creation }) =>
    readAgain(run, creation, 'kept', (usual) => ({ ...(write?.(usual, run) ?? usual), connection: 'new' })),
});

/** Whether a read shows the user, and with the email and name that the first read showed. */
export function isAsBefore({ creation, read }: KnownRead): boolean {
  return isFine(read) && isOf(read.record, members(creation.read?.record ?? {}));
}

/** A list that is asked for in another way, and the least that its total may be. */
export type WrittenList = Awaited<ReturnType<typeof lookWritten>>;

const writtenListStep = (name: string, isLate = false) =>
  triedStep({
    name,
    needs: { first: firstLook },
    each: async (run, one: WritingCase, { first }) => {
      if (!first.ok) throw new Missing('the list request written as usual fails as well', [first.exchange]);
      if (isLate) mustBeShort(first);
      // The users of the first list, and those who were retrieved since, or created as they must be.
      const least = isReadable(first) ? first.total + run.ledger.creations.filter(mustBeThere).length : 0;
      return lookWritten(run, least, one);
    },
    isRight: isComplete,
    usual: (run, _one, _given, { least }) => lookWritten(run, least),
    same: (run, one, _given, { least }) => lookWritten(run, least, one),
  });

/** Lists in other writings of the request. */
export const listWritten = writtenListStep('the list in other writings');

/** The same at the end: what is kept by a header is stale then. */
export const listWrittenLate = writtenListStep('the list in other writings at the end', true);

/** Asks for the list, again as long as users may only lag in it. */
async function lookWritten(run: Context, least: number, { write }: Partial<WritingCase> = {}) {
  const usual = run.listing();
  const request = write?.(usual, run) ?? usual;
  const look = async () => Object.assign(await run.look({}, request), write && { written: true as const });
  return { least, look: await run.lookUntil(({ total }) => total >= least, run.ledger.lastEnd(), look) };
}

/**
 * Asks for the list by the ETag of the last one before a creation that is counted since. Throws Missing where there is
 * none.
 */
export const ifChanged: Write = ({ path, headers, ...request }, run) => {
  const { client, ledger } = run;
  const created = ledger.creations.filter(mustBeThere).flatMap(({ exchange }) => exchange?.at ?? []);
  const isOlder = (list: Exchange) => created.some((at) => at >= endOf(list));
  const isList = ({ request }: Exchange) => request.method === 'GET' && request.path === path;
  const lists = client.record.filter((one) => isList(one) && isSuccess(one) && isOlder(one));
  const tag = tagsOf(lists, run).at(-1);
  if (tag === undefined) throw excluded('no list before the last creation has an ETag');
  return { ...request, path, headers: { ...headers, 'if-none-match': tag } };
};

/** Whether a list can be read, has nothing but users in it and counts as many as there are at least. */
export function isComplete({ least, look }: WrittenList): boolean {
  return isReadable(look) && look.faults.users === undefined && look.total >= least;
}
