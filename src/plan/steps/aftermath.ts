import { isLost, type Lane } from '../../http/exchange.ts';
import type { Context } from '../context.ts';
import { Missing } from '../evidence.ts';
import { type Look, mustBeShort, readList } from '../look.ts';
import { isFine } from '../record.ts';
import { type Bad, patienceOf, sendBad, USUAL } from '../requests.ts';
import { readAgain } from '../seek.ts';
import { AHEAD, type Step, type Tried, triedStep } from '../step.ts';
import type { UserKind } from '../users.ts';
import type { Operation } from './credentials.ts';
import { type FirstUsers, firstKnown, firstLook, firstUsers } from './first.ts';
import { isAsBefore } from './reads.ts';
import { mustStillBeThere } from './refusals.ts';

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

/** How often a request that got no answer is tried again: that may be chance. */
const TRIES = 3;

/** How long a connection may take to close: a way over the network, and a busy machine. */
const CLOSING_MS = 200;

/** What bad requests leave behind: each kind of them, and then each operation. */
export const aftermath: Step<Tried<Pair, AftermathCase>, AftermathCase> = triedStep({
  name: 'valid requests after bad ones',
  needs: { look: firstLook, users: firstUsers },
  bad: true,
  // First of all: what is valid goes out among the others, then.
  early: ({ operation, isLast }) => (isLast ? 0 : operation === 'POST /users' ? AHEAD : 2),
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
      // A bad request behind the operation can't upset it.
      const pair = await inPair(run, one, users, { isUsual: one.isBefore === true, pauseMs: pauseAfter(first) });
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
) {
  return run.client.onOneConnection(async (connection) => {
    const send = async () => {
      if (isUsual) return run.send({ ...run.listing(), connection }, 'text');
      const bad = one.bad(run, users);
      const onIt = { ...bad, request: { ...bad.request, connection } };
      return sendBad(run, onIt, 'text', patienceOf(run));
    };
    const valid = () => sendValid(run, one, users, connection, inCompany);
    const first = one.isBefore && !isUsual ? await valid() : undefined;
    for (let more = isUsual ? 1 : (one.times ?? 1); more > 1; more -= 1) await send();
    const { exchange: before } = await send();
    await run.client.deadline.pause(pauseMs);
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
