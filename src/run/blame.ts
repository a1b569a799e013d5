import type { CaseResult, FollowUp, Reread } from '../history/history.ts';
import { showsOnlyUser } from '../history/record.ts';
import {
  type Exchange,
  isAborted,
  isAnswered,
  isLane,
  isLost,
  isOk,
  isServerError,
  type Request,
} from '../http/exchange.ts';
import { follow, isWrong, repeatRejected } from './follow-ups.ts';
import { type PlannedCase, sendUnlessExcluded } from './runner.ts';
import type { World } from './world.ts';

/** Pairs that must go wrong before a request is blamed. */
const TIMES_WRONG = 2;

/** The same for a lost response: it may be lost by chance, but not so often in a row. */
const TIMES_LOST = 4;

/**
 * Confirms each wrong response after a case before the case is blamed for it. Those for which no
 * request is to blame are judged as other valid requests are. Returns whether the case is to blame.
 */
export async function findBlame(
  world: World,
  planned: PlannedCase,
  result: CaseResult,
): Promise<boolean> {
  const { followUps = [], exchange } = result;
  const wrong = followUps.filter(isWrong);
  const alone = new Map<FollowUp, FollowUp | undefined>();
  for (const followUp of wrong)
    alone.set(followUp, await confirm(world, planned, result, followUp));
  const isBlamed = wrong.some(({ earlier }) => earlier);
  // A response that was lost once is chance.
  const isLostOnce = (followUp: FollowUp) => isLost(followUp.exchange) && !followUp.earlier;
  if (world.client.gone === undefined) {
    result.followUps = followUps.filter((followUp) => !isLostOnce(followUp));
  }
  // After an aborted request, nothing else is in flight.
  const wasAlone = isAborted(exchange.request);
  for (const followUp of isBlamed ? [] : wrong) {
    if (!isLostOnce(followUp)) acquit(world, followUp, wasAlone ? undefined : alone.get(followUp));
  }
  return isBlamed;
}

/**
 * Repeats a case and a valid request that got a wrong response after it, with nothing else in
 * flight. Blames the case only if the pair goes wrong each time, and the valid request was not as
 * wrong before. Otherwise returns the right response.
 */
async function confirm(
  world: World,
  planned: PlannedCase,
  result: CaseResult,
  followUp: FollowUp,
): Promise<FollowUp | undefined> {
  const { exchange: negative } = result;
  const { exchange, user } = followUp;
  if (wasWrongBefore(world, followUp, negative)) return undefined;
  let pair: Pair = { before: [], followUp };
  for (let time = 2; time <= (isLost(exchange) ? TIMES_LOST : TIMES_WRONG); time += 1) {
    let again = await repeatPair(world, planned, result, pair.followUp);
    if (again && !isWrong(again.followUp) && user) {
      // A response that belongs to an earlier request is right by chance if both ask for one user.
      const otherUser = world.ledger.identified.find((candidate) => candidate !== user) ?? user;
      const other = await repeatPair(world, planned, result, { ...pair.followUp, user: otherUser });
      if (other && isWrong(other.followUp)) again = other;
    }
    if (again === undefined || !isWrong(again.followUp)) return again?.followUp;
    pair = again;
  }
  Object.assign(followUp, pair.followUp, { earlier: [negative, exchange, ...pair.before] });
  // If the valid request stays as wrong, no later case is to blame for it.
  if (user?.identifier && isAnswered(exchange) && !isServerError(exchange))
    await world.send({ ...world.retrieval(user.identifier.segment), connection: 'new' }, 'text');
  return undefined;
}

/** A valid request that followed a negative one, and the requests before it: that one is the first. */
interface Pair {
  before: Exchange[];
  followUp: FollowUp;
}

/** Sends a case and one of the valid requests that followed it, with nothing else in flight. */
async function repeatPair(
  world: World,
  planned: PlannedCase,
  { exchange: negative, followUps = [] }: CaseResult,
  followUp: FollowUp,
): Promise<Pair | undefined> {
  const { client } = world;
  if (client.gone !== undefined) return undefined;
  const { connection: lane } = followUp.exchange.request;
  const onLane = followUps.filter(({ exchange }) => {
    return exchange.id < followUp.exchange.id && exchange.request.connection === lane;
  });
  // With a response in between, a pair that goes wrong again does so because of its request.
  await world.send({ ...world.listing(), connection: 'new' }, 'text');
  if (planned.case.isRepeated) {
    await repeatRejected(world, (await sendUnlessExcluded(world, planned.case)) ?? {});
  }
  const before: (Exchange | undefined)[] = [];
  let again: FollowUp | undefined;
  await client.withConnection(async (connection) => {
    before.push((await sendUnlessExcluded(world, planned.case, { connection }))?.exchange);
    // The service needs some time to notice that the suite has closed a connection.
    if (isLane(lane) || isAborted(negative.request)) await client.deadline.pause(CLOSING_MS);
    if (!isLane(lane)) return;
    for (const first of onLane) before.push((await follow(world, first, connection))?.exchange);
    again = await follow(world, followUp, connection);
  });
  // A service that takes few connections may not have noticed that the last ones are closed.
  if (client.pace.whyFew) await client.deadline.pause(CLOSING_MS);
  again ??= await follow(world, followUp, 'new');
  return again && { before: before.filter((exchange) => exchange !== undefined), followUp: again };
}

/** The time in which a server closes a connection without a response, also over a network. */
const CLOSING_MS = 200;

/**
 * Whether the same valid request got as wrong a response before a case, and no other negative
 * request came between that response and the valid request of this operation before it.
 */
export function wasWrongBefore(
  world: World,
  { exchange: { request, response }, user, list }: FollowUp,
  { id }: Exchange,
): boolean {
  const { followUpIds, client } = world;
  const status = response?.status ?? 0;
  if (isOk(status)) {
    if (list) return false;
    const before = user?.reads.filter(({ exchange }) => {
      return exchange.id < id && !followUpIds.has(exchange.id);
    });
    return before?.some((read) => !showsOnlyUser(read)) ?? false;
  }
  const { path } = world.listing();
  const operationOf = (sent: Request) => `${sent.method} ${sent.path === path}`;
  const isSameOperation = (sent: Request) => operationOf(sent) === operationOf(request);
  let isAfterValid = false;
  for (const earlier of client.record) {
    if (earlier.id >= id) return false;
    if (!earlier.isValid) isAfterValid = false;
    else if (isSameOperation(earlier.request)) {
      const isSame = status >= 500 || earlier.request.path === request.path;
      const isAsWrong = isSame && earlier.response?.status === status;
      if (isAsWrong && isAfterValid && !followUpIds.has(earlier.id)) return true;
      isAfterValid = true;
    }
  }
  return false;
}

/**
 * Lets the requirements on valid requests judge a wrong response for which no request is to blame.
 * `alone` is the response to the same request with nothing else in flight.
 */
function acquit({ history }: World, followUp: FollowUp, alone: FollowUp | undefined): void {
  const { exchange, list, creation, user, read } = followUp;
  delete list?.isAfterNegative;
  delete creation?.isAfterNegative;
  // A 500 fails `http.no-sporadic-error`.
  if (user === undefined || read === undefined || isServerError(exchange)) return;
  const rightAlone = alone?.read && showsOnlyUser(alone.read) ? alone.read : undefined;
  const concurrent: Reread = {
    user,
    read: rightAlone ?? read,
    why: 'concurrent',
    concurrent: read,
  };
  history.rereads.push(rightAlone ? concurrent : { user, read, why: 'unread' });
}
