import { isAsUsual } from '../history/follow-up.ts';
import type { CaseResult, FollowUp, Operation } from '../history/history.ts';
import { isLong, isReadable } from '../history/list.ts';
import type { Read } from '../history/record.ts';
import { type Exchange, isAnswered, isLost, type Lane, type Request } from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { OPERATIONS } from '../requirement/case.ts';
import { checkPresence, markNow, type StartedService, Stop } from './away.ts';
import { createUser } from './create-user.ts';
import { carryOut, type PlannedCase, sendAndRecord } from './runner.ts';
import { checkSlowness } from './slowness.ts';
import type { World } from './world.ts';

/**
 * Sends negative requests strictly one after the other, each followed by a valid request of each
 * operation, with nothing else in flight. The first of these operations changes from case to case
 * in a fixed order.
 */
export async function sendDisturbing(
  world: World,
  planned: readonly PlannedCase[],
  service: StartedService | undefined,
): Promise<void> {
  const operations = planned.length > 0 ? await usableOperations(world) : [];
  // No valid request can follow, so the cases are sent as other negative requests are.
  if (operations.length === 0) return carryOut(world, planned);
  for (const [index, plan] of planned.entries()) {
    const mark = markNow(world);
    const followUps = rotate(operations, turnOf(index)).filter((operation) => {
      return mayFollow(operation, plan);
    });
    const result = await sendWithFollowUps(world, plan, followUps, index);
    if (result === undefined) continue;
    await checkPresence(world, mark, service, result.exchange);
    await checkLockoutAfter(world, result);
    await checkSlowness(world);
    world.onQuiet?.();
  }
}

/** Sends negative requests one after the other with nothing else in flight, and nothing between. */
export async function sendOneByOne(
  world: World,
  planned: readonly PlannedCase[],
  service: StartedService | undefined,
): Promise<void> {
  for (const plan of planned) {
    const mark = markNow(world);
    const result = await sendAndRecord(world, plan);
    if (result) await checkPresence(world, mark, service, result.exchange);
    world.onQuiet?.();
  }
}

/** Whether a request may follow a case. A creation follows creations only, to keep users few. */
const mayFollow = (operation: Operation, planned: PlannedCase): boolean =>
  operation !== 'POST /users' || planned.case.operation === 'POST /users';

/** Returns the turn of a case. Extra steps keep it from repeating for cases at a fixed distance. */
const turnOf = (index: number): number => index + Math.floor(index / OPERATIONS.length);

const rotate = <T>(items: readonly T[], steps: number): T[] =>
  items.map((_, index) => items[(index + steps) % items.length] as T);

/** Returns the operations that succeed after a usual request on the same connection. */
async function usableOperations(world: World): Promise<Operation[]> {
  const operations = operationsOf(world);
  const areUsable = await Promise.all(operations.map((operation) => isUsable(world, operation)));
  return operations.filter((_, index) => areUsable[index]);
}

function operationsOf({ settings, history, ledger }: World): Operation[] {
  const { first } = history;
  return OPERATIONS.filter((operation) => {
    if (operation === 'POST /users') return !settings.readOnly;
    if (operation === 'GET /users') return first !== undefined && !isLong(first);
    return ledger.identified.length > 0;
  });
}

const isUsable = (world: World, operation: Operation): Promise<boolean> =>
  world.client.onOneConnection(async (lane) => {
    await world.send({ ...world.listing(), connection: lane }, 'text');
    const followUp = await follow(world, operation, lane, 0);
    if (followUp === undefined || isLost(followUp.exchange)) return false;
    return isAsUsual(followUp);
  });

/** Attempts at most: a response may be lost by chance, but not so many times in a row. */
const TRIES = 4;

/**
 * Sends a case and the valid requests that follow it: the first alone on the same connection, then
 * one on that connection and one on a new one at the same time. Repeats all if a response is lost.
 */
async function sendWithFollowUps(
  world: World,
  planned: PlannedCase,
  operations: readonly Operation[],
  index: number,
): Promise<CaseResult | undefined> {
  const { results } = world.history;
  const unanswered: Exchange[] = [];
  let lostEachTime: Operation[] | undefined;
  for (let tries = 1; ; tries += 1) {
    const pauseMs = tries > 1 ? CLOSING_MS : 0;
    const result = await sendOnce(world, planned, { operations, index, pauseMs });
    if (result === undefined) return undefined;
    const { exchange, followUps = [] } = result;
    if (isSilent(exchange.failure)) unanswered.push(exchange);
    const lost = lostOperations(followUps);
    lostEachTime = lostEachTime?.filter((operation) => lost.includes(operation)) ?? lost;
    const isLastTry = tries >= TRIES || world.client.gone !== undefined;
    const isTimeoutOnce = unanswered.length === 1 && tries === 1;
    const isCaseLost = unanswered.length === 0 && isLost(exchange);
    const mayBeChance = isTimeoutOnce || isCaseLost || lostEachTime.length > 0;
    if (isLastTry || !mayBeChance) {
      if (world.client.gone === undefined) dropChanceLosses(result, lostEachTime);
      const isAnyAnswered = followUps.some((followUp) => isAnswered(followUp.exchange));
      if (isAnyAnswered && unanswered.length > 1) result.unanswered = unanswered;
      return result;
    }
    // The next try replaces this one.
    results.splice(results.indexOf(result), 1);
  }
}

/** The time in which a server closes a connection without a response, also over a network. */
const CLOSING_MS = 200;

interface FollowUpOptions {
  operations: readonly Operation[];
  /** The index of the case. */
  index: number;
  /** The pause between the case and the requests that follow it. Milliseconds. */
  pauseMs: number;
}

/** Sends a case and the requests that follow it once. */
async function sendOnce(
  world: World,
  planned: PlannedCase,
  { operations, index, pauseMs }: FollowUpOptions,
): Promise<CaseResult | undefined> {
  const [first, second, third] = operations;
  // The request on a new connection is awaited only after this connection is closed, because a
  // service may handle one connection at a time.
  let onNew: Promise<FollowUp | undefined> | undefined;
  const result = await world.client.onOneConnection(async (lane) => {
    const sent = await sendAndRecord(world, planned, { connection: lane });
    if (sent === undefined) return undefined;
    if (pauseMs > 0) await world.client.deadline.pause(pauseMs);
    const before = first && (await follow(world, first, lane, index));
    onNew = third && follow(world, third, 'new', index);
    // The run may end before it is awaited.
    onNew?.catch(() => undefined);
    const after = second && (await follow(world, second, lane, index));
    sent.followUps = [before, after].filter((followUp) => followUp !== undefined);
    return sent;
  });
  const last = await onNew;
  if (last) result?.followUps?.push(last);
  return result;
}

const lostOperations = (followUps: readonly FollowUp[]): Operation[] =>
  followUps.filter(({ exchange }) => isLost(exchange)).map(({ operation }) => operation);

/** Leaves out lost responses of operations that did not lose one each time. */
function dropChanceLosses(result: CaseResult, lostEachTime: readonly Operation[]): void {
  result.followUps = (result.followUps ?? []).filter(({ exchange, operation }) => {
    return !isLost(exchange) || lostEachTime.includes(operation);
  });
}

/** Sends a valid request after a case. */
async function follow(
  world: World,
  operation: Operation,
  connection: Lane | 'new',
  index: number,
): Promise<FollowUp | undefined> {
  const { ledger } = world;
  if (operation === 'GET /users') {
    const list = await world.fetchList({ ...world.listing(), connection });
    list.isAfterNegative = true;
    return { operation, exchange: list.exchange, list };
  }
  if (operation === 'POST /users') {
    const request = (usual: Request): Request => ({ ...usual, connection });
    const creation = await createUser(world, { request, mayBeLost: true });
    if (creation.exchange === undefined) return undefined;
    creation.isAfterNegative = true;
    return { operation, exchange: creation.exchange, creation };
  }
  const users = ledger.identified;
  const creation = users[index % Math.min(2, users.length)];
  if (creation?.identifier === undefined) return undefined;
  const request = { ...world.retrieval(creation.identifier.segment), connection };
  // Directly after a negative request only a 404 may be stale.
  const isStale = ({ exchange }: Read) => exchange.response?.status === 404;
  const read = await world.retrieve(creation, request, isStale);
  return { operation, exchange: read.exchange, read, user: creation };
}

/** Throws Stop if no valid GET succeeds after a case. */
async function checkLockoutAfter(
  world: World,
  { exchange, followUps = [] }: CaseResult,
): Promise<void> {
  const reads = followUps.filter(({ operation }) => operation !== 'POST /users');
  if (reads.length === 0) return;
  if (reads.some((followUp) => isAsUsual(followUp))) return;
  await checkLockout(world, exchange);
}

/** Throws Stop if no valid GET succeeds after several cases, of which the last request is given. */
export async function checkLockout(world: World, last: Exchange): Promise<void> {
  const reads = operationsOf(world).filter((operation) => operation !== 'POST /users');
  const wrong: FollowUp[] = [];
  for (const operation of reads) {
    const followUp = await follow(world, operation, 'new', 0);
    if (followUp === undefined || isAsUsual(followUp)) return;
    // The presence check waits for an unavailable service, or starts it again.
    if (!isAnswered(followUp.exchange)) return;
    wrong.push(followUp);
  }
  const [first] = wrong;
  if (first === undefined || !wasEverRight(world)) return;
  world.history.lockedOut = { after: last, exchange: first.exchange };
  throw new Stop({
    reason: 'the service no longer answers valid requests',
    by: 'service',
    exchanges: wrong.map(({ exchange }) => exchange),
    lastId: last.id,
  });
}

/** Whether a valid GET succeeded before. */
function wasEverRight({ ledger, lists }: World): boolean {
  if (ledger.identified.length > 0) return true;
  const list = lists.findLast(({ isAfterNegative }) => !isAfterNegative);
  return list !== undefined && isReadable(list);
}
