import type { CaseResult, FollowUp, Operation } from '../history/history.ts';
import { isReadable } from '../history/list.ts';
import { type Read, showsUser } from '../history/record.ts';
import { type Connection, isLost, isSuccess, type Request } from '../http/exchange.ts';
import { type Case, CREATE, inTurn, isValidCase, LIST, RETRIEVE } from '../requirement/case.ts';
import { isFailing } from '../requirement/judge.ts';
import { findBlame } from '../run/blame.ts';
import { createUser } from '../run/create-user.ts';
import { findUser } from '../run/find-user.ts';
import { isWrong } from '../run/follow-ups.ts';
import { type PlannedCase, sendAndRecord } from '../run/runner.ts';
import { isComplete } from '../run/settled-list.ts';
import type { World } from '../run/world.ts';
import type { Sequence, Step } from './draw.ts';
import { fetchSettledList, isAsBefore, settle } from './reads.ts';

export interface SequenceOptions {
  /** Plans a case with the requirements that judge it. */
  plan: (testCase: Case) => PlannedCase;
  /** The requirements on a user who is created as usual. */
  created: readonly string[];
  /** Whether another user may be created. */
  mayCreate: () => boolean;
}

/** Whether a sequence may create users, whom a list may lack for a while. */
export const createsUsers = ({ steps }: Sequence): boolean =>
  steps.some((step) => ('usual' in step ? step.usual === CREATE : createsUser(step.case)));

/** Whether a case creates a user. A service may reject users who share an email or a name. */
export const createsUser = (testCase: Case): boolean =>
  testCase.operation === CREATE && isValidCase(testCase) && testCase.rereadsShared !== true;

type UsualStep = Extract<Step, { usual: unknown }>;
type CaseStep = Extract<Step, { case: unknown }>;

/** A sequence that is being sent. */
interface Run extends SequenceOptions {
  world: World;
  connection: Connection;
  /** The case just before, if it was rejected. */
  rejected: { planned: PlannedCase; result: CaseResult } | undefined;
}

/**
 * Sends the steps of a sequence up to the first wrong response to a valid request. Returns whether
 * there was none.
 */
export function sendSequence(
  world: World,
  { steps }: Sequence,
  options: SequenceOptions,
): Promise<boolean> {
  const { client } = world;
  const send = async (connection: Connection): Promise<boolean> => {
    const run: Run = { ...options, world, connection, rejected: undefined };
    for (const step of steps) {
      const isRight = await ('usual' in step ? sendUsual(run, step) : sendCase(run, step));
      if (!isRight) return false;
    }
    return true;
  };
  // New users are retrieved on another connection, which must be allowed beside this one.
  return client.pace.freeSlots > 1 ? client.withConnection(send) : send('new');
}

/** Sends a case, and returns whether a valid one got the right response. */
async function sendCase(run: Run, step: CaseStep): Promise<boolean> {
  const { world, connection } = run;
  const { operation, expected, change } = step.case;
  const isValid = isValidCase(step.case);
  if (isValid && operation === CREATE && !run.mayCreate()) return true;
  // The total of a rewritten list request is compared with that of the list before.
  if (isValid && operation === LIST) await settle(world);
  const { requirements } = run.plan(step.case);
  const onConnection = inTurn(change, (usual): Request => ({ ...usual, connection }));
  const planned = { case: { ...step.case, change: onConnection }, requirements };
  run.rejected = undefined;
  for (let times = 0; times < step.times; times += 1) {
    const result = await sendAndRecord(world, planned, { connection });
    if (result === undefined) return true;
    const isFailed = requirements.some((requirement) => {
      return isFailing(requirement, result, world.history);
    });
    if (isValid && isFailed) return false;
    const mayBeRejected = !isValid || expected === 'either';
    if (mayBeRejected && !isSuccess(result.exchange)) run.rejected = { planned, result };
  }
  return true;
}

/** The response to a usual request. */
interface Usual {
  followUp: FollowUp;
  isRight: boolean;
}

/** Sends a usual request, and returns whether its response is right. */
async function sendUsual(run: Run, { usual, position }: UsualStep): Promise<boolean> {
  const { rejected, world } = run;
  const sent = await SENDERS[usual](run, position);
  if (sent === undefined) return true;
  const { followUp, isRight } = sent;
  run.rejected = undefined;
  // A server may just be closing the idle connection.
  if (isLost(followUp.exchange)) return true;
  if (rejected) {
    const { planned, result } = rejected;
    // The requirement on the rejected request judges this one, too.
    result.followUps = [...(result.followUps ?? []), followUp];
    if (!isRight) await findBlame(world, planned, result);
  }
  return isRight;
}

/** The functions that send the usual requests. */
const SENDERS: Record<Operation, (run: Run, position: number) => Promise<Usual | undefined>> = {
  [LIST]: fetchList,
  [CREATE]: create,
  [RETRIEVE]: retrieve,
};

/** Fetches the list, which must show every user. */
async function fetchList({ world, connection, rejected }: Run): Promise<Usual> {
  const list = await fetchSettledList(world, { ...world.listing(), connection });
  const canRead = isReadable(list);
  if (!canRead && rejected) list.isAfterNegative = true;
  const isRight = canRead && (!list.isSettled || isComplete(world, list, 0));
  return { followUp: { operation: LIST, exchange: list.exchange, list }, isRight };
}

/** Creates a user, and retrieves the user, who must be as sent. */
async function create(run: Run): Promise<Usual | undefined> {
  const { world, connection, created, mayCreate, rejected } = run;
  if (!mayCreate()) return undefined;
  const request = (usual: Request): Request => ({ ...usual, connection });
  const creation = await createUser(world, { request });
  const { name, exchange, response, user } = creation;
  if (exchange === undefined || response === 'unknown') return undefined;
  if (rejected) creation.isAfterNegative = true;
  const read = response === 'accepted' ? await findUser(world, creation) : undefined;
  const isRight = response === 'accepted' && showsUser(read?.record, user);
  const followUp: FollowUp = { operation: CREATE, exchange, creation };
  if (read && !isRight)
    world.history.results.push({ ...followUp, slugs: [...created], name, read });
  return { followUp, isRight };
}

/** Retrieves a user, who must be as before. */
async function retrieve(
  { world, connection, rejected }: Run,
  position: number,
): Promise<Usual | undefined> {
  const { identified } = world.ledger;
  const user = identified[Math.floor(position * identified.length)];
  if (user?.identifier === undefined) return undefined;
  const usual = world.retrieval(user.identifier.segment);
  const isStale = ({ exchange }: Read) => exchange.response?.status === 404;
  const read = await world.retrieve(user, { ...usual, connection }, isStale);
  const isRight = isAsBefore(user, read);
  const followUp: FollowUp = { operation: RETRIEVE, exchange: read.exchange, read, user };
  // Otherwise the search for the request to blame judges the response.
  const isOwnFault = !rejected || !isWrong(followUp);
  if (!isRight && isOwnFault) world.history.rereads.push({ user, read, why: 'unread' });
  return { followUp, isRight };
}
