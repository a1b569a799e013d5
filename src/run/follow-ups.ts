import { type Creation, isAccepted } from '../history/creation.ts';
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
import { BEARER } from '../http/key.ts';
import { type Case, isValidCase } from '../requirement/case.ts';
import { createUser, sendCreation } from './create-user.ts';
import { type PlannedCase, sendAndRecord } from './runner.ts';
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
  if (planned.case.isRepeated) {
    const first = await sendAndRecord(world, planned);
    if (first === undefined || isAcceptedCase(planned.case, first)) return first;
    history.results.splice(history.results.indexOf(first), 1);
    await repeatRejected(world, first);
  }
  const silent: Exchange[] = [];
  const away: Exchange[] = [];
  for (let tries = 1; ; tries += 1) {
    const outages = client.presence.outages.length;
    const result = await sendAtOnce(world, planned, order);
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

/** Whether the service accepted a valid creation, such as a duplicate: nothing was rejected. */
const isAcceptedCase = (testCase: Case, { creation }: CaseResult): boolean =>
  isValidCase(testCase) && creation !== undefined && isAccepted(creation);

/** Times that a rejected creation is repeated: more than the connections of most pools. */
const TIMES_REPEATED = 11;

/** Repeats a creation many times at the same moment if it was rejected: each may keep a connection. */
export async function repeatRejected(
  world: World,
  { creation }: Pick<CaseResult, 'creation'>,
): Promise<void> {
  const request = creation?.exchange?.request;
  if (request === undefined || creation?.response !== 'rejected') return;
  const { name, expected, user, traces } = creation;
  if (expected === 'either') world.freelyRejected.push(creation);
  const repeat = () => {
    const repetition: Creation = { name, expected, user, traces, reads: [] };
    return sendCreation(world, repetition, { ...request, connection: 'new' });
  };
  await Promise.all(Array.from({ length: TIMES_REPEATED }, repeat));
}

/**
 * Sends a case and then the valid requests at the same moment: one on its connection, the others on
 * new ones. Bytes of a body that was not read may reach only the request after the next on that
 * connection, so the last one follows there.
 */
async function sendAtOnce(
  world: World,
  planned: PlannedCase,
  [first, second, third, fourth]: readonly ValidRequest[],
): Promise<CaseResult | undefined> {
  const { client } = world;
  const onLane: (FollowUp | undefined)[] = [];
  let sendOthers = (): Promise<(FollowUp | undefined)[]> => Promise.resolve([]);
  let onNew: Promise<(FollowUp | undefined)[]> | undefined;
  const result = await client.withConnection(async (connection) => {
    const sent = await sendAndRecord(world, planned, { connection });
    if (sent === undefined || isAcceptedCase(planned.case, sent)) return sent;
    const isAlone = isAborted(sent.exchange.request);
    const isFollowed = !isAlone && mayBeUnread(sent.exchange.request);
    const others = [second, third, ...(isAlone || isFollowed ? [] : [fourth])];
    sendOthers = () =>
      Promise.all(others.map((request) => request && follow(world, request, 'new')));
    // The service needs some time to notice that the suite has closed a connection.
    if (isAlone && first) onLane.push(await follow(world, first, connection));
    // A service that takes few connections gets the others after this one is closed.
    if (client.pace.freeSlots > others.length) onNew = sendOthers();
    // The run may end before they are awaited.
    onNew?.catch(() => undefined);
    if (!isAlone && first) onLane.push(await follow(world, first, connection));
    if (isFollowed && fourth) onLane.push(await follow(world, fourth, connection));
    return sent;
  });
  const all = [...onLane, ...(await (onNew ?? sendOthers()))];
  if (result) result.followUps = all.filter((followUp) => followUp !== undefined);
  return result;
}

/** Whether a service may reject a request before it reads the body. */
const mayBeUnread = ({ headers, body, framing }: Request): boolean =>
  body !== undefined && (framing !== undefined || headers.authorization !== BEARER.authorization);

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
