import { isAsUsual } from '../history/follow-up.ts';
import type { CaseResult, FollowUp, Operation } from '../history/history.ts';
import { isLong, isReadable } from '../history/list.ts';
import type { Read } from '../history/record.ts';
import { type Exchange, isAnswered, isLost, type Request } from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { OPERATIONS } from '../requirement/case.ts';
import { checkPresence, markNow, type StartedService, Stop } from './away.ts';
import { createUser } from './create-user.ts';
import { carryOut, type PlannedCase, send } from './runner.ts';
import { checkSlowness } from './slowness.ts';
import type { World } from './world.ts';

/** A response to one operation that is lost may be chance, but not so many times in a row. */
const TRIES = 4;

/** What a server closes without a word is closed after so many milliseconds, also over a network. */
const CLOSING_MS = 200;

/**
 * Sends negative requests strictly one after the other: each, then a valid request of each operation, with nothing else
 * in flight. Which operation comes first changes from case to case in a fixed order.
 */
export async function sendDisturbing(
  world: World,
  planned: readonly PlannedCase[],
  service: StartedService | undefined,
): Promise<void> {
  const operations = planned.length > 0 ? await usableOperations(world) : [];
  // Nothing can follow them: they are sent as other negative requests are.
  if (operations.length === 0) return carryOut(world, planned);
  for (const [index, one] of planned.entries()) {
    const mark = markNow(world);
    const followUps = rotated(operations, turnOf(index)).filter((operation) =>
      isDue(operation, one),
    );
    const result = await sendPair(world, one, followUps, index);
    if (result === undefined) continue;
    await checkPresence(world, mark, service, result.exchange);
    await mustAnswer(world, result);
    await checkSlowness(world);
    world.onQuiet?.();
  }
}

/** Sends negative requests one after the other with nothing else in flight, and nothing between them. */
export async function sendOneByOne(
  world: World,
  planned: readonly PlannedCase[],
  service: StartedService | undefined,
): Promise<void> {
  for (const one of planned) {
    const mark = markNow(world);
    const result = await send(world, one);
    if (result) await checkPresence(world, mark, service, result.exchange);
    world.onQuiet?.();
  }
}

/** A creation follows requests with a body, so that few users are created. */
const isDue = (operation: Operation, { case: one }: PlannedCase): boolean =>
  operation !== 'POST /users' || one.operation === 'POST /users';

/** Kinds of one chapter come back at a fixed distance: the turn moves on by one more each time. */
const turnOf = (index: number): number => index + Math.floor(index / OPERATIONS.length);

const rotated = <T>(all: readonly T[], by: number): T[] =>
  all.map((_, at) => all[(at + by) % all.length] as T);

/** The operations that are right on a connection after a usual request: others fail for another reason. */
async function usableOperations(world: World): Promise<Operation[]> {
  const operations = operationsOf(world);
  const areUsable = await Promise.all(
    operations.map((operation) =>
      world.client.onOneConnection(async (lane) => {
        await world.send({ ...world.listing(), connection: lane }, 'text');
        const followUp = await follow(world, operation, lane, 0);
        return (
          followUp !== undefined && !isLost(followUp.exchange) && isAsUsual(followUp, world.history)
        );
      }),
    ),
  );
  return operations.filter((_, at) => areUsable[at]);
}

function operationsOf({ settings, history, ledger }: World): Operation[] {
  const first = history.lists[history.first ?? -1];
  return OPERATIONS.filter((operation) => {
    if (operation === 'POST /users') return !settings.readOnly;
    if (operation === 'GET /users') return first !== undefined && !isLong(first);
    return ledger.identified.length > 0;
  });
}

/**
 * Sends a case and the valid requests that follow it: the first alone on the same connection, then one on that connection
 * and one on a new one, at the same time. All once more where a response is lost.
 */
async function sendPair(
  world: World,
  one: PlannedCase,
  [first, second, third]: readonly Operation[],
  index: number,
): Promise<CaseResult | undefined> {
  const { results } = world.history;
  const unanswered: Exchange[] = [];
  let lostEachTime: Operation[] | undefined;
  for (let tries = 1; ; tries += 1) {
    // A request on another connection must not be waited for on this one: a service may take one request at once.
    let onAnother: Promise<FollowUp | undefined> | undefined;
    const result = await world.client.onOneConnection(async (lane) => {
      const sent = await send(world, one, { connection: lane });
      if (sent === undefined) return undefined;
      if (tries > 1) await world.client.deadline.pause(CLOSING_MS);
      const before = first && (await follow(world, first, lane, index));
      onAnother = third && follow(world, third, 'new', index);
      const after = second && (await follow(world, second, lane, index));
      sent.followUps = [before, after].filter((followUp) => followUp !== undefined);
      return sent;
    });
    if (result === undefined) return undefined;
    const last = await onAnother;
    if (last) result.followUps?.push(last);
    if (isSilent(result.exchange.failure)) unanswered.push(result.exchange);
    const isSilentOnce = unanswered.length === 1 && tries === 1;
    const isUntold = unanswered.length === 0 && isLost(result.exchange) && tries < TRIES;
    const followUps = result.followUps ?? [];
    const lost = followUps
      .filter(({ exchange }) => isLost(exchange))
      .map(({ operation }) => operation);
    lostEachTime = lostEachTime?.filter((operation) => lost.includes(operation)) ?? lost;
    const isLostAfter = lostEachTime.length > 0 && tries < TRIES;
    if (!(isSilentOnce || isUntold || isLostAfter) || world.client.gone !== undefined) {
      const isOnlyOne = followUps.some(({ exchange }) => isAnswered(exchange));
      const certain = lostEachTime;
      if (world.client.gone === undefined) {
        // What was lost now and then was lost by chance.
        result.followUps = followUps.filter(
          ({ exchange, operation }) => !isLost(exchange) || certain.includes(operation),
        );
      }
      return Object.assign(result, isOnlyOne && unanswered.length > 1 && { unanswered });
    }
    // The next try counts.
    results.splice(results.indexOf(result), 1);
  }
}

/** Sends a valid request on a connection. */
async function follow(
  world: World,
  operation: Operation,
  connection: `lane ${number}` | 'new',
  index: number,
): Promise<FollowUp | undefined> {
  const { ledger, lists } = world;
  if (operation === 'GET /users') {
    const list = await world.fetchList({ ...world.listing(), connection });
    list.isAfterNegative = true;
    return { operation, exchange: list.exchange, list: lists.indexOf(list) };
  }
  if (operation === 'POST /users') {
    const request = (usual: Request): Request => ({ ...usual, connection });
    const creation = await createUser(world, { request, mayBeLost: true });
    if (creation.exchange === undefined) return undefined;
    creation.isAfterNegative = true;
    return { operation, exchange: creation.exchange, creation: ledger.creations.indexOf(creation) };
  }
  const known = ledger.identified;
  const creation = known[index % Math.min(2, known.length)];
  if (creation?.identifier === undefined) return undefined;
  const request = { ...world.retrieval(creation.identifier.segment), connection };
  // Directly after a negative request only a 404 may be stale.
  const isStale = ({ exchange }: Read) => exchange.response?.status === 404;
  const read = await world.retrieve(creation, request, isStale);
  return { operation, exchange: read.exchange, read, of: ledger.creations.indexOf(creation) };
}

/** Throws Stop if no valid GET is answered correctly any more: it is known after which request. */
async function mustAnswer(world: World, result: CaseResult): Promise<void> {
  const reads = (result.followUps ?? []).filter(({ operation }) => operation !== 'POST /users');
  if (reads.length === 0 || reads.some((followUp) => isAsUsual(followUp, world.history))) return;
  await mustStillAnswer(world, result.exchange);
}

/** The same after several negative requests, of which the last is given. */
export async function mustStillAnswer(world: World, last: Exchange): Promise<void> {
  const reads = operationsOf(world).filter((operation) => operation !== 'POST /users');
  const list = world.lists.findLast(({ isAfterNegative }) => !isAfterNegative);
  const wasRight = world.ledger.identified.length > 0 || (list !== undefined && isReadable(list));
  const wrong: FollowUp[] = [];
  for (const operation of reads) {
    const again = await follow(world, operation, 'new', 0);
    if (again === undefined || isAsUsual(again, world.history)) return;
    // A service that is away is waited for, or started again.
    if (!isAnswered(again.exchange)) return;
    wrong.push(again);
  }
  const [first] = wrong;
  if (first === undefined || !wasRight) return;
  world.history.lockedOut = { after: last, exchange: first.exchange };
  throw new Stop({
    reason: 'the service no longer answers valid requests',
    by: 'service',
    exchanges: wrong.map(({ exchange }) => exchange),
    lastId: last.id,
  });
}
