import { type Exchange, isAnswered, isLost, type Lane, type Request } from '../../http/exchange.ts';
import { isSilent } from '../../http/failure.ts';
import type { Context } from '../context.ts';
import { Missing } from '../evidence.ts';
import { isReadable, mustBeShort, readList } from '../look.ts';
import { isFine } from '../record.ts';
import { type Bad, patienceOf, sendBad, USUAL } from '../requests.ts';
import { type KnownRead, readAgain } from '../seek.ts';
import { named } from '../service-end.ts';
import { AHEAD, caseStep, type Step, step, type Tried, triedStep, tryAgain } from '../step.ts';
import type { UserKind } from '../users.ts';
import type { Operation } from './credentials.ts';
import { type FirstUsers, firstKnown, firstLook, firstUsers } from './first.ts';
import { isAsBefore } from './reads.ts';

/** A bad request, then an operation on the same connection, which nothing else uses. */
export interface AftermathCase {
  what: string;
  bad: (run: Context, users: FirstUsers) => Bad;
  /** How often it is sent; absent: once. */
  times?: number;
  operation: Operation;
  /** Of a creation: the kind of user; absent: a plain user with nothing special. */
  kind?: UserKind;
  /** Whether it goes out after every request for the list: a cached list is stale then. */
  isLast?: true;
  /**
   * Whether the operation goes out first, and the bad request after it: what it leaves behind may fill in what that one
   * lacks.
   */
  isBefore?: true;
}

/** What came of both; of a retrieval also read. */
export type Pair = Awaited<ReturnType<typeof inPair>>;

/** What bad requests leave behind: each kind of them, and then each operation. */
export const aftermath: Step<Tried<Pair, AftermathCase>, AftermathCase> = triedStep({
  name: 'valid requests after bad ones',
  needs: { look: firstLook, users: firstUsers },
  bad: true,
  // First of all: what is valid goes out among the others, then.
  early: ({ operation, isLast }) => (isLast ? 0 : operation === 'POST /users' ? AHEAD : 2),
  each: (run, one: AftermathCase, { look, users }) => {
    const { operation } = one;
    const { read } = firstKnown(users);
    if (operation === 'GET /users' && !look.ok) throw new Missing('the list request fails', [look.exchange]);
    if (operation === 'GET /users') mustBeShort(look);
    if (operation === 'POST /users') run.mayCreate();
    if (!isFine(read)) throw new Missing("the first user can't be retrieved", [read.exchange]);
    return inPair(run, one, users);
  },
  isRight: ({ isRight }) => isRight,
  usual: async (run, one, { users }, first, isSecond) => {
    const pair = await inPair(run, one, users, { isUsual: true, before: first.after, inCompany: !isSecond });
    if (isSecond && !pair.isRight) await mustStillBeThere(run, pair.after);
    return pair;
  },
  same: async (run, one, { users }, first) => {
    // A bad request behind the operation can't upset it.
    const send = () => inPair(run, one, users, { isUsual: one.isBefore === true, before: first.after });
    let pair = await send();
    // That there is no answer may be chance, but not three times.
    for (let tries = 1; tries < 3 && isLost(first.after) && isLost(pair.after); tries += 1) pair = await send();
    return pair;
  },
});

type How = { isUsual?: boolean; before?: Exchange; inCompany?: boolean };

/**
 * Sends the bad request, or the list in its place, and then the operation, on a connection of their own. `before` is
 * what came of the operation before.
 */
function inPair(run: Context, one: AftermathCase, users: FirstUsers, how: How = {}) {
  const { isUsual = false, inCompany = true } = how;
  return run.client.onOneConnection(async (connection) => {
    const send = async () => {
      if (isUsual) return run.send({ ...run.listing(), connection }, 'text');
      const bad = one.bad(run, users);
      return sendBad(run, { ...bad, request: { ...bad.request, connection } }, 'text', patienceOf(run));
    };
    const valid = () => sendValid(run, one, users, connection, inCompany);
    const first = one.isBefore && !isUsual ? await valid() : undefined;
    for (let more = isUsual ? 1 : (one.times ?? 1); more > 1; more -= 1) await send();
    const { exchange: before } = await send();
    // What the service closes after an answer is closed by then: over the network, or on a busy machine.
    await run.client.deadline.pause(how.before && isLost(how.before) ? 200 : 0);
    const sent = first ?? (await valid());
    return { ...sent, before, isRight: sent.isRight && !isLost(sent.after) };
  });
}

async function sendValid(run: Context, one: AftermathCase, users: FirstUsers, connection: Lane, inCompany: boolean) {
  const { operation, kind = USUAL } = one;
  if (operation === 'GET /users') {
    const look = readList(await run.send({ ...run.listing(), connection }, 'list'), run.ledger);
    // Whatever else is wrong with it is a matter of its own.
    const isList = look.ok && look.faults.data === undefined && (look.shown > 0 || !(look.total > 0));
    return { after: look.exchange, isRight: isList };
  }
  if (operation === 'GET /users/:id') {
    // For each case always the same: what is upset may be upset for one of them alone.
    const retrieved = await readAgain(run, firstKnown(users, one.what.length).creation, connection);
    return { after: retrieved.read.exchange, isRight: isAsBefore(retrieved), retrieved };
  }
  const user = run.factory.make(kind);
  const draft = { what: kind.what, fate: 'must' as const, inCompany, user, traces: user };
  const { answer, creation } = await run.create(draft, { ...run.creating(user), connection });
  return { after: answer.exchange, isRight: creation.answered === 'created' };
}

/** Requests that no service carries out, so many at the same time with none that is valid between. */
export interface Row {
  what: string;
  count: number;
  /** Such a request. */
  make: (run: Context, users: FirstUsers) => Request;
}

/** The usual request after a row, and the last of the row. */
export type AfterRow = KnownRead & { last: Exchange };

/** Some rows, one after the other: of each what came of the usual request at once, and where that was wrong, later. */
export const refusalsInARow = caseStep({
  name: 'rejected requests in a row',
  needs: { users: firstUsers },
  bad: true,
  each: async (run, { rows }: { what: string; rows: Row[] }, { users }) => {
    const found: Tried<AfterRow, Row>[] = [];
    // Nothing but reads goes out where nothing may be created, also of what is to be refused.
    const sent = rows.filter(({ make }) => !run.settings.readOnly || make(run, users).method === 'GET');
    if (sent.length === 0) run.mayCreate();
    for (const row of sent) found.push(await afterRow(run, row, users));
    return found;
  },
});

async function afterRow(run: Context, one: Row, users: FirstUsers): Promise<Tried<AfterRow, Row>> {
  const { creation } = firstKnown(users);
  const all = Array.from({ length: one.count }, () => sendBad(run, { request: one.make(run, users) }));
  const last = (await Promise.all(all)).at(-1)?.exchange as Exchange;
  const readOnce = async (): Promise<AfterRow> => ({ last, ...(await readAgain(run, creation)) });
  const isRight = ({ read }: AfterRow) => isFine(read);
  const usual = async () => {
    let after = await readOnce();
    // What is locked for a number of requests is open again then.
    for (let times = 1; times < 40 && !isRight(after); times += 1) after = await readOnce();
    return after;
  };
  return tryAgain({ one, first: await readOnce() }, { isRight, usual });
}

/**
 * Throws Missing, which ends the plan, where the service no longer answers valid requests: neither a user whom it has
 * answered before, nor the list; or no creation, where `last`, sent alone again, got no answer. What was never answered
 * as it should be was not lost.
 */
export async function mustStillBeThere(run: Context, last?: Exchange): Promise<void> {
  const [user] = run.ledger.proven;
  if (!user && !run.lists.some(isReadable)) return;
  const once = user ? (await readAgain(run, user, 'new')).read : await run.look();
  const isRight = 'total' in once ? isReadable(once) : isFine(once);
  const isGone = !isRight && !isReadable(await run.look({}, { ...run.listing(), connection: 'new' }));
  const isSilentOnCreations = user && last?.request.method === 'POST' && isSilent(last.failure);
  const failed = isGone ? once.exchange : isSilentOnCreations ? last : undefined;
  if (failed === undefined) return;
  const why = `the service no longer answers ${isGone ? 'valid requests' : 'creations'}${failed.failure ? `: ${failed.failure}` : ''}`;
  const sent = run.client.record.filter((one) => one.id < failed.id && (isAnswered(one) || run.bad.has(one.id)));
  throw new Missing(`${why}; the last requests before: ${named(sent)}`, [failed], { endsBy: 'service' });
}

/** A valid request, to end what many bad ones were sent in. */
export const stillThere = step({ name: 'whether the service is still there', needs: {}, each: mustStillBeThere });
