import pLimit from 'p-limit';
import type { Attempt, CaseResult, Operation } from '../history/history.ts';
import { isAnswered, isServerError, isSuccess, isTelling } from '../http/exchange.ts';
import { CONCURRENCY } from '../http/pace.ts';
import { type Case, type CasePhase, isValidCase } from '../requirement/case.ts';
import { isFailing } from '../requirement/judge.ts';
import { casesOf, isCaseRequirement, type Requirement } from '../requirement/requirement.ts';
import { createUser } from './create-user.ts';
import { findUser } from './find-user.ts';
import type { SendOptions } from './negative-cases.ts';
import { sendCase } from './send-case.ts';
import { Excluded, type World } from './world.ts';

/** A case, and the requirements that declare it: several may judge one response. */
export interface PlannedCase {
  case: Case;
  requirements: Requirement[];
}

/**
 * Plans the cases of requirements, and those that these depend on. A case that several requirements declare is sent
 * once, in the place that the last of them gives it.
 */
export function planCases(
  wanted: readonly Requirement[],
  all: readonly Requirement[],
): PlannedCase[] {
  const chosen = new Set(wanted);
  // A set that grows is walked to its end.
  for (const requirement of chosen) {
    const needed = isCaseRequirement(requirement) ? (requirement.unless ?? []) : [];
    for (const slug of needed) {
      const other = all.find((one) => one.slug === slug);
      if (other) chosen.add(other);
    }
  }
  const planned = new Map<Case, PlannedCase>();
  for (const requirement of all.filter((one) => chosen.has(one))) {
    for (const one of casesOf(requirement)) {
      const before = planned.get(one)?.requirements ?? [];
      planned.delete(one);
      planned.set(one, { case: one, requirements: [...before, requirement] });
    }
  }
  return [...planned.values()];
}

/** The cases of a phase. */
export const ofPhase = (planned: readonly PlannedCase[], phase: CasePhase): PlannedCase[] =>
  planned.filter((one) => (one.case.phase ?? 'negative') === phase);

/**
 * Cases of one requirement that are sent again alone: a few show a fault as well as all, and each may take a settle
 * time.
 */
const MOST_SENT_AGAIN = 8;

/**
 * Sends cases concurrently, as many as the pace allows. A wrong response does not count while other
 * requests are in flight: the case is sent once more, alone, and that response counts. A request
 * that was carried out and should have been rejected is never excused.
 */
export async function carryOut(world: World, planned: readonly PlannedCase[]): Promise<void> {
  if (world.onQuiet) return carryOutUntilFailure(world, planned, world.onQuiet);
  const sent = await Promise.all(planned.map((one) => send(world, one)));
  await sendFailingAgain(world, planned, sent);
}

/** The same for a run that may end at a failure: after a wrong response, no further case is sent. */
async function carryOutUntilFailure(
  world: World,
  planned: readonly PlannedCase[],
  onQuiet: () => void,
): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  const sent = new Map<PlannedCase, CaseResult | undefined>();
  let hasWrongResponse = false;
  const sendNext = async (one: PlannedCase) => {
    if (hasWrongResponse) return;
    sent.set(one, undefined);
    const result = await send(world, one);
    sent.set(one, result);
    if (result && failingOf(world, one, result).length > 0) hasWrongResponse = true;
  };
  await Promise.all(planned.map((one) => limit(sendNext, one)));
  await sendFailingAgain(world, [...sent.keys()], [...sent.values()]);
  onQuiet();
  const rest = planned.filter((one) => !sent.has(one));
  if (rest.length > 0) await carryOutUntilFailure(world, rest, onQuiet);
}

/** Sends once more, alone, the cases whose responses are not as expected. */
export async function sendFailingAgain(
  world: World,
  planned: readonly PlannedCase[],
  sent: readonly (CaseResult | undefined)[],
): Promise<void> {
  const again = new Map<Requirement, number>();
  for (const [index, result] of sent.entries()) {
    const one = planned[index] as PlannedCase;
    // A request that got no response in time was sent several times already.
    if (result === undefined || result.unanswered) continue;
    const failing = failingOf(world, one, result);
    // A 500 is no rejection: if it does not come again, it was sporadic.
    const isDoubtful = failing.length > 0 || isServerError(result.exchange);
    if (!isDoubtful) await retrieveMixedUp(world, result);
    if (!isDoubtful || wasCarriedOut(one.case, result)) continue;
    const first = (failing[0] ?? one.requirements[0]) as Requirement;
    const times = again.get(first) ?? 0;
    again.set(first, times + 1);
    if (times < MOST_SENT_AGAIN) await sendAlone(world, one, result);
    else result.isUnconfirmed = true;
  }
}

/** Sends a case and records its result, or why it can't be sent. */
export async function send(
  world: World,
  planned: PlannedCase,
  options: SendOptions = {},
): Promise<CaseResult | undefined> {
  const { results, skipped } = world.history;
  const info = infoOf(planned);
  const { operation } = planned.case;
  const missing = whyNotProven(world, planned.case);
  if (missing) {
    skipped.push({ ...info, ...missing });
    return undefined;
  }
  try {
    const result = { ...info, ...(await sendCase(world, planned.case, options)) };
    results.push(result);
    return result;
  } catch (error) {
    if (!(error instanceof Excluded)) throw error;
    skipped.push({ ...info, operation, reason: error.message, isExcluded: true, exchanges: [] });
    return undefined;
  }
}

const infoOf = ({ case: { name, operation }, requirements }: PlannedCase) => ({
  slugs: requirements.map(({ slug }) => slug),
  name,
  operation,
});

/** A case is one change to a request that is proven good: says why it is not, with the exchanges that show it. */
function whyNotProven({ history, ledger, settings }: World, one: Case) {
  if (one.phase === 'before users') return undefined;
  if (one.operation === 'GET /users') {
    const list = history.lists[history.first ?? -1];
    if (list === undefined || list.ok || one.needsNoProof) return undefined;
    return notProven('the list request fails with the right key as well', list.exchange);
  }
  const users = history.firstUsers.flatMap((index) => ledger.creations[index] ?? []);
  if (one.operation === 'POST /users') {
    if (
      settings.readOnly ||
      users.length === 0 ||
      users.some(({ response }) => response === 'accepted')
    )
      return undefined;
    return notProven(
      'no user could be created',
      ...users.flatMap(({ exchange }) => exchange ?? []),
    );
  }
  if (ledger.identified.length > 0) return undefined;
  if (settings.readOnly)
    return {
      reason: 'read-only, and no user of the list is retrieved',
      isExcluded: true,
      exchanges: [],
    };
  const shown = users.flatMap(({ exchange, reads }) => [
    exchange,
    ...reads.map((read) => read.exchange),
  ]);
  return notProven('no user could be retrieved', ...shown.flatMap((exchange) => exchange ?? []));
}

const notProven = (reason: string, ...exchanges: CaseResult['exchange'][]) => ({
  reason,
  isExcluded: false,
  exchanges,
});

function failingOf(world: World, { requirements }: PlannedCase, result: CaseResult): Requirement[] {
  return requirements.filter(
    (requirement) =>
      isCaseRequirement(requirement) && isFailing(requirement, result, world.history),
  );
}

/** Whether a request was carried out, or showed a user, that must be rejected. */
const wasCarriedOut = (one: Case, { exchange, leak }: CaseResult): boolean =>
  !isValidCase(one) && (isSuccess(exchange) || leak !== undefined) && isAnswered(exchange);

/** Retrieves a new user once more, alone, if its identifier showed another user while other requests were in flight. */
async function retrieveMixedUp(
  world: World,
  { creation: index, read: concurrent }: CaseResult,
): Promise<void> {
  const creation = world.ledger.creations[index ?? -1];
  if (
    index === undefined ||
    creation === undefined ||
    creation.identifier ||
    !concurrent?.others.length
  )
    return;
  const read = await findUser(world, creation);
  if (read) world.history.rereads.push({ of: index, read, why: 'concurrent', concurrent });
}

/** Sends a case once more with nothing else in flight; of a valid one, the usual request first. */
async function sendAlone(world: World, planned: PlannedCase, first: CaseResult): Promise<void> {
  const { results } = world.history;
  const control = isValidCase(planned.case)
    ? await sendUsual(world, planned.case.operation)
    : undefined;
  const alone = await sendCase(world, planned.case).catch((error) => {
    if (error instanceof Excluded) return undefined;
    throw error;
  });
  if (alone === undefined) return;
  const result: CaseResult = { ...infoOf(planned), ...alone, ...(control && { control }) };
  // A retry that got no response shows nothing.
  const isRightAlone = isTelling(result.exchange) && failingOf(world, planned, result).length === 0;
  if (isRightAlone && !isServerError(result.exchange)) result.concurrent = attemptOf(first);
  results[results.indexOf(first)] = result;
}

const attemptOf = ({ exchange, list, creation, read }: CaseResult): Attempt => ({
  exchange,
  ...(list !== undefined && { list }),
  ...(creation !== undefined && { creation }),
  ...(read && { read }),
});

/** Sends the usual request of an operation. */
export async function sendUsual(world: World, operation: Operation): Promise<Attempt> {
  if (operation === 'GET /users') {
    const list = await world.fetchList();
    return { exchange: list.exchange, list: world.lists.indexOf(list) };
  }
  if (operation === 'POST /users') {
    const creation = await createUser(world);
    const read = creation.response === 'accepted' ? await findUser(world, creation) : undefined;
    const exchange = creation.exchange as CaseResult['exchange'];
    return { exchange, creation: world.ledger.creations.indexOf(creation), ...(read && { read }) };
  }
  const [creation] = world.ledger.identified;
  if (creation?.identifier === undefined) throw new Excluded('no user could be retrieved');
  const read = await world.retrieve(creation, world.retrieval(creation.identifier.segment));
  return { exchange: read.exchange, read, of: world.ledger.creations.indexOf(creation) };
}
