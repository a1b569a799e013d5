import type { Creation } from '../history/creation.ts';
import { isAsUsual } from '../history/follow-up.ts';
import type { CaseResult, FollowUp, Operation } from '../history/history.ts';
import {
  type Exchange,
  isAborted,
  isAnswered,
  isLost,
  type Lane,
  type Request,
} from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { createUser, sendCreation } from './create-user.ts';
import { type PlannedCase, sendAndRecord, sendUnlessExcluded } from './runner.ts';
import { isStaleAfterRejection, type World } from './world.ts';

/** A valid request that follows a case. */
export interface ValidRequest {
  operation: Operation;
  /** The user of a retrieval. */
  user?: Creation | undefined;
}

/** Whether a valid request got no response, or a wrong one. */
export const isWrong = (followUp: FollowUp): boolean =>
  isLost(followUp.exchange) || !isAsUsual(followUp);

/** Attempts of a case whose response is lost; each timeout takes its whole time. */
const TRIES = 4;
const TRIES_AFTER_TIMEOUT = 2;

/**
 * Sends a case and the valid requests that follow it, and again if its response is lost. Records an
 * outage if the target is away for a moment each time. Returns undefined if the case can't be sent.
 */
export async function sendWithFollowUps(
  world: World,
  planned: PlannedCase,
  order: readonly ValidRequest[],
): Promise<CaseResult | undefined> {
  const { client, history } = world;
  if (planned.case.isRepeated) await repeatRejected(world, planned);
  const silent: Exchange[] = [];
  const away: Exchange[] = [];
  for (let tries = 1; ; tries += 1) {
    const outages = client.presence.outages.length;
    const result = await sendAtOnce(world, order, (lane) => sendAndRecord(world, planned, lane));
    if (result === undefined) return undefined;
    const { exchange, followUps = [] } = result;
    if (isSilent(exchange.failure)) silent.push(exchange);
    if (client.presence.outages.length > outages) away.push(exchange);
    const [first, again] = away;
    if (first && again) {
      history.outages.push({ exchange: first, again, text: 'no response for a moment' });
      return result;
    }
    const most = silent.length > 0 ? TRIES_AFTER_TIMEOUT : TRIES;
    if (isLost(exchange) && tries < most && client.gone === undefined) {
      history.results.splice(history.results.indexOf(result), 1);
      continue;
    }
    const isAnyAnswered = followUps.some((followUp) => isAnswered(followUp.exchange));
    if (isAnyAnswered && silent.length > 1) result.unanswered = silent;
    return result;
  }
}

/** Times that a rejected creation is repeated: more than the connections of most pools. */
const TIMES_REPEATED = 11;

/** Sends a creation, and many times at the same moment if it is rejected: each may keep a connection. */
export async function repeatRejected(world: World, planned: PlannedCase): Promise<void> {
  const { creation } = (await sendUnlessExcluded(world, planned.case)) ?? {};
  const request = creation?.exchange?.request;
  if (request === undefined || creation?.response !== 'rejected') return;
  const { name, expected, user, traces } = creation;
  if (expected === 'either') world.freelyRejected.push(creation);
  const repeat = () => sendCreation(world, { name, expected, user, traces, reads: [] }, request);
  await Promise.all(Array.from({ length: TIMES_REPEATED }, repeat));
}

type SendNegative<T> = (options: { connection: Lane }) => Promise<T | undefined>;

/**
 * Sends a case and then the valid requests at the same moment: one on its connection, two on new
 * ones. Bytes of a body that are left on the connection may reach only the request after the next,
 * so a fourth one follows there.
 */
async function sendAtOnce(
  world: World,
  [first, second, third, fourth]: readonly ValidRequest[],
  send: SendNegative<CaseResult>,
): Promise<CaseResult | undefined> {
  // Requests on new connections are awaited only after this connection is closed, because a
  // service may handle one connection at a time.
  let onNew: Promise<(FollowUp | undefined)[]> | undefined;
  const onLane: (FollowUp | undefined)[] = [];
  const result = await world.client.onOneConnection(async (connection) => {
    const sent = await send({ connection });
    if (sent === undefined) return undefined;
    const others = [second, third].filter((request) => request !== undefined);
    const sendOthers = () => Promise.all(others.map((request) => follow(world, request, 'new')));
    // The service needs some time to notice that the suite has closed a connection.
    const isAlone = isAborted(sent.exchange.request);
    if (isAlone && first) onLane.push(await follow(world, first, connection));
    onNew = world.client.pace.outsideSlot(sendOthers);
    // The run may end before they are awaited.
    onNew.catch(() => undefined);
    if (!isAlone && first) onLane.push(await follow(world, first, connection));
    if (!isAlone && fourth) onLane.push(await follow(world, fourth, connection));
    return sent;
  });
  const all = [...onLane, ...((await onNew) ?? [])];
  if (result) result.followUps = all.filter((followUp) => followUp !== undefined);
  return result;
}

/** Sends a valid request after a case. */
export async function follow(
  world: World,
  request: ValidRequest,
  connection: Lane | 'new',
): Promise<FollowUp | undefined> {
  const followUp = await sendValid(world, request, connection);
  if (followUp) world.followUpIds.add(followUp.exchange.id);
  return followUp;
}

async function sendValid(
  world: World,
  { operation, user }: ValidRequest,
  connection: Lane | 'new',
): Promise<FollowUp | undefined> {
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
  if (user?.identifier === undefined) return undefined;
  const retrieval = { ...world.retrieval(user.identifier.segment), connection };
  const read = await world.retrieve(user, retrieval, isStaleAfterRejection);
  return { operation, exchange: read.exchange, read, user };
}
