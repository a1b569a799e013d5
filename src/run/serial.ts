import { isAsUsual } from '../history/follow-up.ts';
import type { FollowUp, Operation } from '../history/history.ts';
import { isLong, isReadable } from '../history/list.ts';
import { type Exchange, isAnswered } from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { OPERATIONS } from '../requirement/case.ts';
import { Stop } from './away.ts';
import { findBlame, wasWrongBefore } from './blame.ts';
import { follow, isWrong, sendWithFollowUps, type ValidRequest } from './follow-ups.ts';
import { carryOut, isHanging, type PlannedCase, sendAndRecord, takeLost } from './runner.ts';
import { takeSerialStep, takeStep } from './step.ts';
import type { World } from './world.ts';

/**
 * Sends negative requests strictly one after the other, each followed by valid requests with
 * nothing else in flight. The first of these operations changes from case to case in a fixed order.
 */
export async function sendSerially(world: World, planned: readonly PlannedCase[]): Promise<void> {
  const operations = planned.length > 0 ? await usableOperations(world) : [];
  // Without valid requests that can follow, the cases are sent as other negative requests are.
  const together = operations.length === 0 ? [...planned] : [];
  const serial = planned.filter((plan) => !together.includes(plan));
  for (const [index, plan] of serial.entries()) {
    if (isHanging(world, plan)) {
      together.push(plan);
      continue;
    }
    const followUps = rotate(operations, turnOf(index)).filter((operation) => {
      return mayFollow(operation, plan) && !isSilentAfter(world, operation);
    });
    await takeSerialStep(world, async () => {
      const result = await sendWithFollowUps(world, plan, validRequests(world, followUps, index));
      if (result === undefined) return undefined;
      if (await findBlame(world, plan, result)) await checkLockout(world, result.exchange);
      return result.exchange;
    });
  }
  await takeStep(world, () => carryOut(world, together));
}

/**
 * Sends negative requests one after the other with nothing else in flight, and nothing between;
 * together once some of their kind got no response.
 */
export async function sendOneByOne(world: World, planned: readonly PlannedCase[]): Promise<void> {
  const together: PlannedCase[] = [];
  for (const plan of planned) {
    if (isHanging(world, plan)) together.push(plan);
    else await takeSerialStep(world, async () => (await sendAndRecord(world, plan))?.exchange);
  }
  await takeStep(world, () => carryOut(world, together));
  await sendSerially(world, takeLost(world, planned));
}

/** Whether a request may follow a case. A creation follows creations only, to keep users few. */
const mayFollow = (operation: Operation, planned: PlannedCase): boolean =>
  operation !== 'POST /users' || planned.case.operation === 'POST /users';

/** Valid requests of an operation without a response in time, after which no more are sent. */
const FEW_SILENT = 3;

/** Whether so many valid requests after negative ones got no response that others get none. */
function isSilentAfter({ history }: World, operation: Operation): boolean {
  const followUps = history.results.flatMap((result) => result.followUps ?? []);
  const silent = followUps.filter(({ exchange }) => isSilent(exchange.failure));
  return silent.filter((followUp) => followUp.operation === operation).length >= FEW_SILENT;
}

/** Returns the turn of a case. Extra steps keep it from repeating for cases at a fixed distance. */
const turnOf = (index: number): number => index + Math.floor(index / OPERATIONS.length);

const rotate = <T>(items: readonly T[], steps: number): T[] =>
  items.map((_, index) => items[(index + steps) % items.length] as T);

/**
 * Returns the operations that succeed after a usual request on the same connection. Checks them
 * again once the target was away, because a new process may have lost the users.
 */
async function usableOperations(world: World): Promise<readonly Operation[]> {
  const outages = world.client.presence.outages.length;
  if (world.checkedOperations?.outages !== outages)
    world.checkedOperations = { outages, operations: await findUsableOperations(world) };
  return world.checkedOperations.operations;
}

async function findUsableOperations(world: World): Promise<Operation[]> {
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
    const user = world.ledger.identified[0];
    const followUp = await follow(world, { operation, user }, lane);
    return followUp !== undefined && !isWrong(followUp);
  });

/**
 * Returns the valid requests of some operations. The first two users take turns, and both are
 * retrieved after a creation.
 */
function validRequests(
  { ledger }: World,
  operations: readonly Operation[],
  index: number,
): ValidRequest[] {
  const users = ledger.identified.slice(0, 2);
  const userAt = (turn: number) => users[turn % Math.max(1, users.length)];
  const requests = operations.map((operation) => ({ operation, user: userAt(index) }));
  const isFull = requests.length === OPERATIONS.length && users.length > 1;
  const other: ValidRequest = { operation: 'GET /users/:id', user: userAt(index + 1) };
  return isFull ? [...requests, other] : requests;
}

/** Throws Stop if no valid GET succeeds after negative requests, of which the last is given. */
export async function checkLockout(world: World, last: Exchange): Promise<void> {
  const reads = operationsOf(world).filter((operation) => operation !== 'POST /users');
  const wrong: FollowUp[] = [];
  for (const operation of reads) {
    const followUp = await follow(world, { operation, user: world.ledger.identified[0] }, 'new');
    if (followUp === undefined || isAsUsual(followUp)) return;
    // The presence check waits for an unavailable service, or starts it again.
    if (!isAnswered(followUp.exchange) || wasWrongBefore(world, followUp, last)) return;
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
