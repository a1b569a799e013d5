import { type Answer, type Exchange, isSuccess, type Lane } from '../../http/exchange.ts';
import { type Bad, patienceOf, sendBad } from '../bad.ts';
import { Missing } from '../evidence.ts';
import type { Creation } from '../ledger.ts';
import type { Look } from '../look.ts';
import { isFine } from '../record.ts';
import type { Run } from '../run.ts';
import { isKnown, readAgain } from '../seek.ts';
import { type CaseStep, caseStep } from '../step.ts';
import { type Tried, tryAgain } from '../tried.ts';
import type { Operation } from './credentials.ts';
import { type FirstUsers, firstKnown, firstLook, firstUsers, mustBeKnown, USUAL } from './first.ts';
import { isLost, mustStillBeThere } from './still-there.ts';

/** A bad request, then an operation on the same connection, which nothing else uses. */
export interface AftermathCase {
  what: string;
  bad: (run: Run, users: FirstUsers) => Bad;
  operation: Operation;
}

/** What came of both. */
export interface Pair {
  before: Exchange;
  after: Exchange;
  isRight: boolean;
}

export interface Aftermath extends Tried<Pair> {
  what: string;
}

/** Cases that are tried again alone: a few show the fault as well as all. */
const ALONE = 4;

/** Items of a list that is fetched a few times only. */
const LONG = 1000;

/** How often a request that got no answer is tried again: that may be chance. */
const TRIES = 3;

/** How long a connection may take to close: a way over the network, and a busy machine. */
const CLOSING_MS = 200;

/** What bad requests leave behind: each kind of them, and then each operation. */
export const aftermath: CaseStep<AftermathCase, Aftermath> = caseStep({
  name: 'valid requests after bad ones',
  needs: { look: firstLook, users: firstUsers },
  bad: true,
  mostAlone: ALONE,
  each: async (run, one: AftermathCase, { look, users }): Promise<Aftermath> => {
    const { what, bad, operation } = one;
    mustHaveWorked(run, operation, look, users);
    return { what, first: await inPair(run, one, users, sending(run, bad(run, users))) };
  },
  alone: async (run, one, found, { users }) => {
    const { what, bad } = one;
    const { first } = found;
    if (first.isRight) return found;
    // What the service closes after an answer is closed before the next request.
    const pause = isLost(first.after) ? CLOSING_MS : 0;
    const same = async () => {
      for (let tries = 1; ; tries += 1) {
        const pair = await inPair(run, one, users, sending(run, bad(run, users)), pause);
        if (tries === TRIES || !isLost(first.after) || !isLost(pair.after)) return pair;
      }
    };
    const usual = () =>
      inPair(run, one, users, (connection) => run.send({ ...run.listing(), connection }, 'text'), pause);
    const tried = await tryAgain(first, ({ isRight }) => isRight, usual, same);
    if (tried.usual?.isRight === false) await mustStillBeThere(run);
    return { what, ...tried };
  },
});

/** Throws Missing where the operation does not work anyway. */
function mustHaveWorked(run: Run, operation: Operation, look: Look, users: FirstUsers): void {
  const first = firstKnown(users);
  if (operation === 'GET /users' && !look.ok) throw new Missing('the list request fails', [look.exchange]);
  if (operation === 'GET /users' && look.shown > LONG)
    throw new Missing('the list is too long to be fetched that often', [], { excluded: true });
  if (operation === 'POST /users') run.mayCreate();
  if (!isFine(first.read)) throw new Missing('the first user can not be retrieved', [first.read.exchange]);
}

type SendFirst = (connection: Lane) => Promise<Answer>;

const sending =
  (run: Run, { request, draft }: Bad): SendFirst =>
  async (connection) =>
    (await sendBad(run, { request: { ...request, connection }, ...(draft && { draft }) }, 'text', patienceOf(run)))
      .answer;

/** Sends both, one after the other on a connection of their own. */
function inPair(run: Run, one: AftermathCase, users: FirstUsers, sendFirst: SendFirst, pauseMs = 0): Promise<Pair> {
  return run.client.onOneConnection(async (connection) => {
    const { exchange: before } = await sendFirst(connection);
    await run.client.deadline.pause(pauseMs);
    const { exchange, isRight } = await carryOut(run, one, users, connection);
    return { before, after: exchange, isRight: isRight && !isLost(exchange) };
  });
}

async function carryOut(run: Run, one: AftermathCase, users: FirstUsers, connection: Lane) {
  const { operation } = one;
  if (operation === 'GET /users') {
    const { exchange } = await run.send({ ...run.listing(), connection }, 'text');
    return { exchange, isRight: isSuccess(exchange) };
  }
  if (operation === 'GET /users/:id') {
    const read = await readAgain(run, userOf(users, one), connection);
    return { exchange: read.exchange, isRight: isFine(read) };
  }
  const user = run.factory.make();
  const creation = { ...USUAL, fate: 'must' as const, inCompany: true, user, traces: user };
  const [{ answered }, { exchange }] = await run.create(creation, { ...run.creating(user), connection });
  return { exchange, isRight: answered === 'created' };
}

/** One of the first two users, for each case always the same: what is upset may be upset for one of them alone. */
function userOf({ first, second }: FirstUsers, { what }: AftermathCase): Creation {
  const users = [first, ...(second instanceof Missing ? [] : [second])].filter(isKnown);
  return (users[what.length % users.length] ?? mustBeKnown(first)).creation;
}
