import { type Exchange, isAnswered, isLost, type Lane, type Request } from '../../http/exchange.ts';
import { type Bad, patienceOf, sendBad } from '../bad.ts';
import type { Context } from '../context.ts';
import { Missing, PlanEnd, present } from '../evidence.ts';
import type { Creation } from '../ledger.ts';
import { isReadable, type Look, mustBeShort, readList } from '../look.ts';
import { isFine, type KnownRead } from '../record.ts';
import { isKnown, readAgain } from '../seek.ts';
import { named } from '../service-end.ts';
import { type CaseStep, caseStep, step, type Tried, triedStep, tryAgain } from '../step.ts';
import type { UserKind } from '../users.ts';
import type { Operation } from './credentials.ts';
import { type FirstUsers, firstKnown, firstLook, firstUsers, mustBeKnown, USUAL } from './first.ts';
import { isAsBefore } from './reads.ts';

/**
 * Throws PlanEnd where the service no longer answers valid requests: neither a user whom it has answered before, nor the
 * list. What was never answered as it should be was not lost.
 */
export async function mustStillBeThere(run: Context): Promise<void> {
  const wasFine = run.ledger.proven.length > 0 || run.lists.some(isReadable);
  const failed = wasFine ? await failedRead(run) : undefined;
  if (failed === undefined || isReadable(await run.look({}, { ...run.listing(), connection: 'new' }))) return;
  const why = `the service no longer answers valid requests${failed.failure ? `: ${failed.failure}` : ''}`;
  const sent = run.client.record.filter((one) => one.id < failed.id && (isAnswered(one) || run.bad.has(one.id)));
  throw new PlanEnd('service', `${why}; the last requests before: ${named(sent.slice(-NAMED))}`, [failed]);
}

/** How many of the last requests are named. */
const NAMED = 3;

/** A valid request, to end what many bad ones were sent in. */
export const stillThere = step({ name: 'whether the service is still there', needs: {}, take: mustStillBeThere });

/** Retrieves the first user; the exchange where that failed. Where there is no user, the list has to do. */
async function failedRead(run: Context): Promise<Exchange | undefined> {
  const [user] = run.ledger.proven;
  if (user === undefined) {
    const look = await run.look();
    return isReadable(look) ? undefined : look.exchange;
  }
  const read = await readAgain(run, user, 'new');
  return isFine(read) ? undefined : read.exchange;
}

/** A bad request, then an operation on the same connection, which nothing else uses. */
export interface AftermathCase {
  what: string;
  bad: (run: Context, users: FirstUsers) => Bad;
  /** How often it is sent; absent: once. */
  times?: number;
  operation: Operation;
  /** Of a creation: the kind of user; absent: a plain user with nothing special. */
  kind?: UserKind;
}

/** What came of both. */
export interface Pair {
  before: Exchange;
  after: Exchange;
  isRight: boolean;
  /** Of a retrieval: the same, read. */
  retrieved?: KnownRead;
}

/** How often a request that got no answer is tried again: that may be chance. */
const TRIES = 3;

/** How long a connection may take to close: a way over the network, and a busy machine. */
const CLOSING_MS = 200;

/** What bad requests leave behind: each kind of them, and then each operation. */
export const aftermath: CaseStep<AftermathCase, Tried<Pair, AftermathCase>> = triedStep({
  name: 'valid requests after bad ones',
  needs: { look: firstLook, users: firstUsers },
  bad: true,
  // First of all: what is valid goes out among the others, then.
  early: () => 2,
  each: (run, one: AftermathCase, { look, users }) => {
    mustHaveWorked(run, one.operation, look, users);
    return inPair(run, one, users);
  },
  isRight: ({ isRight }) => isRight,
  usual: async (run, one, { users }, first, isSecond) => {
    const pair = await inPair(run, one, users, { isUsual: true, pauseMs: pauseAfter(first), inCompany: !isSecond });
    if (isSecond && !pair.isRight) await mustStillBeThere(run);
    return pair;
  },
  same: async (run, one, { users }, first) => {
    for (let tries = 1; ; tries += 1) {
      const pair = await inPair(run, one, users, { pauseMs: pauseAfter(first) });
      if (tries === TRIES || !isLost(first.after) || !isLost(pair.after)) return pair;
    }
  },
});

/** What the service closes after an answer is closed before the next request. */
const pauseAfter = ({ after }: Pair) => (isLost(after) ? CLOSING_MS : 0);

/** Throws Missing where the operation does not work anyway. */
function mustHaveWorked(run: Context, operation: Operation, look: Look, users: FirstUsers): void {
  const first = firstKnown(users);
  if (operation === 'GET /users' && !look.ok) throw new Missing('the list request fails', [look.exchange]);
  if (operation === 'GET /users') mustBeShort(look);
  if (operation === 'POST /users') run.mayCreate();
  if (!isFine(first.read)) throw new Missing("the first user can't be retrieved", [first.read.exchange]);
}

/** Sends the bad request, or the list in its place, and then the operation, on a connection of their own. */
function inPair(
  run: Context,
  one: AftermathCase,
  users: FirstUsers,
  { isUsual = false, pauseMs = 0, inCompany = true } = {},
): Promise<Pair> {
  return run.client.onOneConnection(async (connection) => {
    const send = async () => {
      if (isUsual) return run.send({ ...run.listing(), connection }, 'text');
      const bad = one.bad(run, users);
      const onIt = { ...bad, request: { ...bad.request, connection } };
      return sendBad(run, onIt, 'text', patienceOf(run));
    };
    for (let more = isUsual ? 1 : (one.times ?? 1); more > 1; more -= 1) await send();
    const { exchange: before } = await send();
    await run.client.deadline.pause(pauseMs);
    const sent = await sendValid(run, one, users, { connection, inCompany });
    return { ...sent, before, isRight: sent.isRight && !isLost(sent.after) };
  });
}

async function sendValid(
  run: Context,
  one: AftermathCase,
  users: FirstUsers,
  { connection, inCompany }: { connection: Lane; inCompany: boolean },
): Promise<Omit<Pair, 'before'>> {
  const { operation, kind = USUAL } = one;
  if (operation === 'GET /users') {
    const { exchange, ok, faults, shown, total } = readList(
      await run.send({ ...run.listing(), connection }, 'list'),
      run.ledger,
    );
    // Whatever else is wrong with it is a matter of its own.
    return { after: exchange, isRight: ok && faults.data === undefined && (shown > 0 || !(total > 0)) };
  }
  if (operation === 'GET /users/:id') {
    const creation = userOf(users, one);
    const retrieved = { creation, read: await readAgain(run, creation, connection) };
    return { after: retrieved.read.exchange, isRight: isAsBefore(retrieved), retrieved };
  }
  const user = run.factory.make(kind);
  const creation = { what: kind.what, fate: 'must' as const, inCompany, user, traces: user };
  const sent = await run.create(creation, { ...run.creating(user), connection });
  return { after: sent.answer.exchange, isRight: sent.creation.answered === 'created' };
}

/** One of the first two users, for each case always the same: what is upset may be upset for one of them alone. */
function userOf({ first, second }: FirstUsers, { what }: AftermathCase): Creation {
  const users = present([first, second]).filter(isKnown);
  return (users[what.length % users.length] ?? mustBeKnown(first)).creation;
}

/** Requests that no service carries out, so many at the same time with none that is valid between. */
export interface Row {
  what: string;
  count: number;
  /** Such a request. */
  make: (run: Context, users: FirstUsers) => Request;
}

/** Some rows, one after the other, each with a usual request after it. */
export interface RowsCase {
  what: string;
  rows: Row[];
}

/** The usual request after a row. */
export interface AfterRow extends KnownRead {
  /** The last of the row. */
  last: Exchange;
}

/** How often the usual request is sent again: what is locked for a number of requests is open again then. */
const AFTER = 40;

/** Of each row, what came of the usual request at once, and where that was wrong, some times later. */
export const refusalsInARow: CaseStep<RowsCase, Tried<AfterRow, Row>[]> = caseStep({
  name: 'rejected requests in a row',
  needs: { users: firstUsers },
  bad: true,
  each: async (run, { rows }: RowsCase, { users }) => {
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
  const first = { creation, last, read: await readAgain(run, creation) };
  const usual = async () => {
    let read = await readAgain(run, creation);
    for (let times = 1; times < AFTER && !isFine(read); times += 1) read = await readAgain(run, creation);
    return { ...first, read };
  };
  return tryAgain({ one, first }, { isRight: ({ read }) => isFine(read), usual });
}
