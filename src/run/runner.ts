import { isAccepted } from '../history/creation.ts';
import type { Attempt, CaseResult, Operation, SkippedCase } from '../history/history.ts';
import { showsOnlyUser } from '../history/record.ts';
import {
  type Exchange,
  isAnswered,
  isLost,
  isServerError,
  isSuccess,
  isTelling,
} from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { type Case, type CasePhase, isResultOf, isValidCase } from '../requirement/case.ts';
import { isFailing } from '../requirement/judge.ts';
import { casesOf, type Requirement } from '../requirement/requirement.ts';
import type { BareResult } from './case-context.ts';
import { createUser } from './create-user.ts';
import { findUser } from './find-user.ts';
import type { SendOptions } from './negative-cases.ts';
import { sendCase } from './send-case.ts';
import { ExcludedError, type World } from './world.ts';

/** A case and the requirements that declare it: several may judge one response. */
export interface PlannedCase {
  case: Case;
  requirements: Requirement[];
}

/**
 * Plans the cases of requirements and of those on which they depend. A case of several requirements
 * is sent once, in the place that the last of them gives it.
 */
export function planCases(
  wanted: readonly Requirement[],
  all: readonly Requirement[],
): PlannedCase[] {
  const chosen = withDependencies(wanted, all);
  const planned = new Map<Case, PlannedCase>();
  for (const requirement of all) {
    if (!chosen.has(requirement)) continue;
    for (const testCase of casesOf(requirement)) {
      const before = planned.get(testCase)?.requirements ?? [];
      planned.delete(testCase);
      planned.set(testCase, { case: testCase, requirements: [...before, requirement] });
    }
  }
  return [...planned.values()];
}

function withDependencies(
  wanted: readonly Requirement[],
  all: readonly Requirement[],
): Set<Requirement> {
  const chosen = new Set(wanted);
  // The loop also reaches requirements that it adds.
  for (const requirement of chosen) {
    for (const slug of requirement.unless ?? []) {
      const dependency = all.find((candidate) => candidate.slug === slug);
      if (dependency) chosen.add(dependency);
    }
  }
  return chosen;
}

/** Returns the cases of a phase. */
export const casesInPhase = (planned: readonly PlannedCase[], phase: CasePhase): PlannedCase[] =>
  planned.filter((plan) => (plan.case.phase ?? 'negative') === phase);

/**
 * Sends cases at the same time, as many as the pace allows. An unexpected response proves nothing
 * while other requests are in flight: the case is sent once more, alone, and that response counts.
 * Nothing excuses a request that was carried out and should have been rejected.
 */
export async function carryOut(world: World, planned: readonly PlannedCase[]): Promise<void> {
  const results = await Promise.all(planned.map((plan) => sendAndRecord(world, plan)));
  await retryFailures(world, planned, results);
  await noteHanging(world, planned);
}

/** Cases without a response that are sent again, at most. */
const MOST_LOST = 16;

/** Cases of a kind without a response in time that show that the others get none either. */
const FEW_SILENT = 3;

/** Whether so many cases of the same requirement got no response that a further one would not. */
export const isHanging = (world: World, plan: PlannedCase): boolean =>
  hasManySilent(silentResults(world), plan);

function hasManySilent(
  silent: readonly CaseResult[],
  { requirements: [requirement] }: PlannedCase,
): boolean {
  const ofRequirement = silent.filter(({ slugs }) => slugs[0] === requirement?.slug);
  return ofRequirement.length >= FEW_SILENT;
}

const silentResults = ({ history }: World): CaseResult[] => history.results.filter(isSilentResult);

const isSilentResult = ({ exchange: { attempts, failure } }: CaseResult): boolean =>
  attempts > 0 && isSilent(failure);

/** Returns the last result of a case. */
const lastResultOf = ({ history }: World, plan: PlannedCase): CaseResult | undefined =>
  history.results.findLast((result) => isResultOf(result, plan.case));

/** Notes that a service responds to others, and not to several cases of a kind. */
async function noteHanging(world: World, planned: readonly PlannedCase[]): Promise<void> {
  const silent = silentResults(world);
  const hanging = planned
    .filter((plan) => hasManySilent(silent, plan))
    .flatMap((plan) => lastResultOf(world, plan) ?? [])
    .filter((result) => isSilentResult(result) && result.unanswered === undefined);
  if (hanging.length === 0) return;
  const { exchange } = await world.send({ ...world.listing(), connection: 'new' }, 'text');
  if (!isAnswered(exchange)) return;
  for (const result of hanging) result.unanswered = [result.exchange];
}

/** Removes the results of cases without a response. Returns the cases, to be sent again. */
export function takeLost(world: World, planned: readonly PlannedCase[]): PlannedCase[] {
  const lost = planned.filter((plan) => {
    const result = lastResultOf(world, plan);
    if (result === undefined || result.unanswered || result.exchange.attempts === 0) return false;
    return isLost(result.exchange);
  });
  return takeResults(world, lost.slice(0, MOST_LOST));
}

/** Removes the results of rejected creations that are repeated. Returns the cases. */
export function takeRejected(world: World, planned: readonly PlannedCase[]): PlannedCase[] {
  const rejected = planned.filter((plan) => {
    return plan.case.isRepeated && lastResultOf(world, plan)?.creation?.response === 'rejected';
  });
  return takeResults(world, rejected);
}

function takeResults(world: World, planned: PlannedCase[]): PlannedCase[] {
  const { results } = world.history;
  for (const plan of planned)
    results.splice(results.indexOf(lastResultOf(world, plan) as CaseResult), 1);
  return planned;
}

/** Sends a case and records its result, or why it can't be sent. */
export async function sendAndRecord(
  world: World,
  planned: PlannedCase,
  options: SendOptions = {},
): Promise<CaseResult | undefined> {
  const { results, skipped } = world.history;
  const labels = labelsOf(planned);
  const obstacle = whyUnproven(world, planned.case);
  if (obstacle) {
    skipped.push({ ...labels, ...obstacle });
    return undefined;
  }
  try {
    const result = { ...labels, ...(await sendCase(world, planned.case, options)) };
    results.push(result);
    return result;
  } catch (error) {
    if (!(error instanceof ExcludedError)) throw error;
    skipped.push({ ...labels, reason: error.message, isExcluded: true, exchanges: [] });
    return undefined;
  }
}

/** The names by which reports show a case. */
type Labels = Pick<CaseResult, 'slugs' | 'name' | 'operation'>;

function labelsOf({ case: { name, operation }, requirements }: PlannedCase): Labels {
  return { slugs: requirements.map(({ slug }) => slug), name, operation };
}

type SkipReason = Omit<SkippedCase, keyof Labels>;

/**
 * Returns why the usual request of a case is not proven good, with the exchanges that show it;
 * undefined if it is.
 */
function whyUnproven(world: World, testCase: Case): SkipReason | undefined {
  if (testCase.phase === 'before users') return undefined;
  if (testCase.operation === 'GET /users') return whyListUnproven(world);
  if (world.settings.readOnly) return whyReadOnlyUnproven(world, testCase);
  if (testCase.operation === 'POST /users') return whyCreationUnproven(world);
  return whyRetrievalUnproven(world);
}

function whyListUnproven({ history }: World): SkipReason | undefined {
  const { first } = history;
  if (first === undefined || first.ok) return undefined;
  return unproven('the list request fails with the right key as well', [first.exchange]);
}

const unproven = (reason: string, exchanges: Exchange[]): SkipReason => ({
  reason,
  isExcluded: false,
  exchanges,
});

function whyReadOnlyUnproven({ ledger }: World, { operation }: Case): SkipReason | undefined {
  if (operation === 'POST /users' || ledger.identified.length > 0) return undefined;
  const reason = 'read-only, and no user of the list is retrieved';
  return { reason, isExcluded: true, exchanges: [] };
}

function whyCreationUnproven({ history }: World): SkipReason | undefined {
  const users = history.firstUsers;
  const isAnyAccepted = users.some(({ response }) => response === 'accepted');
  if (users.length === 0 || isAnyAccepted) return undefined;
  const exchanges = users.flatMap(({ exchange }) => exchange ?? []);
  return unproven('no user could be created', exchanges);
}

function whyRetrievalUnproven({ history, ledger }: World): SkipReason | undefined {
  if (ledger.identified.length > 0) return undefined;
  const exchanges = history.firstUsers.flatMap(({ exchange, reads }) => {
    const retrievals = reads.map((read) => read.exchange);
    return exchange ? [exchange, ...retrievals] : retrievals;
  });
  return unproven('no user could be retrieved', exchanges);
}

/**
 * Cases of one requirement that are sent again, at most. A few show a fault as well as all, and
 * each may take a settle time.
 */
const MOST_RETRIES = 8;

/** Sends the cases whose responses are not as expected once more, alone. */
export async function retryFailures(
  world: World,
  planned: readonly PlannedCase[],
  results: readonly (CaseResult | undefined)[],
): Promise<void> {
  const retries = new Map<Requirement, number>();
  for (const [index, result] of results.entries()) {
    const plan = planned[index] as PlannedCase;
    // A request that timed out was already sent several times.
    if (result === undefined || result.unanswered) continue;
    const failing = failingOf(world, plan, result);
    // A 500 is not a rejection. If a retry does not get one, it was sporadic.
    const isDoubtful = failing.length > 0 || isServerError(result.exchange);
    if (wasCarriedOut(plan.case, result)) continue;
    if (isValidCase(plan.case) && (await isRightAlone(world, result))) continue;
    if (!isDoubtful) continue;
    const requirement = (failing[0] ?? plan.requirements[0]) as Requirement;
    const count = retries.get(requirement) ?? 0;
    retries.set(requirement, count + 1);
    if (count < MOST_RETRIES) await retryAlone(world, plan, result);
    else result.isUnconfirmed = true;
  }
}

function failingOf(world: World, { requirements }: PlannedCase, result: CaseResult): Requirement[] {
  return requirements.filter((requirement) => isFailing(requirement, result, world.history));
}

/**
 * Retrieves a new user once more, alone, if its identifier did not show this user alone. Whether
 * the response is right then, so that only the read was mixed up.
 */
async function isRightAlone(world: World, result: CaseResult): Promise<boolean> {
  const { creation, read: concurrent } = result;
  if (creation === undefined || concurrent === undefined) return false;
  if (!isAccepted(creation) || showsOnlyUser(concurrent) || !isTelling(concurrent.exchange))
    return false;
  const read = await findUser(world, creation);
  if (read === undefined) return false;
  world.history.rereads.push({ user: creation, read, why: 'concurrent', concurrent });
  if (!showsOnlyUser(read)) return false;
  result.read = read;
  return true;
}

/** Whether a request was carried out, or showed a user, although it must be rejected. */
function wasCarriedOut(testCase: Case, { exchange, leak }: CaseResult): boolean {
  if (isValidCase(testCase) || !isAnswered(exchange)) return false;
  return isSuccess(exchange) || leak !== undefined;
}

/**
 * Sends a case again with nothing else in flight, after the usual request if the case is valid. A
 * rejected creation is sent as it was; if it is rejected again, or was accepted, with another user.
 */
async function retryAlone(world: World, planned: PlannedCase, first: CaseResult): Promise<void> {
  const { results } = world.history;
  const { operation } = planned.case;
  const isValid = isValidCase(planned.case);
  const control = isValid ? await sendUsual(world, operation) : undefined;
  const isRejected = first.creation?.response === 'rejected';
  const user = isValid && isRejected ? first.creation?.user : undefined;
  let alone = await sendUnlessExcluded(world, planned.case, { user });
  if (user && alone?.creation?.response === 'rejected') {
    alone = await sendUnlessExcluded(world, planned.case);
  }
  if (alone === undefined) return;
  const result: CaseResult = { ...labelsOf(planned), ...alone, ...(control && { control }) };
  // A retry without a response proves nothing.
  const isRight = isTelling(result.exchange) && failingOf(world, planned, result).length === 0;
  if (isRight && !isServerError(result.exchange)) result.concurrent = attemptOf(first);
  results[results.indexOf(first)] = result;
}

/** Sends a case; undefined if it can't be sent. */
export async function sendUnlessExcluded(
  world: World,
  testCase: Case,
  options: SendOptions = {},
): Promise<BareResult | undefined> {
  try {
    return await sendCase(world, testCase, options);
  } catch (error) {
    if (error instanceof ExcludedError) return undefined;
    throw error;
  }
}

const attemptOf = ({ exchange, list, creation, read }: CaseResult): Attempt => ({
  exchange,
  ...(list && { list }),
  ...(creation && { creation }),
  ...(read && { read }),
});

/** Sends the usual request of an operation. */
export async function sendUsual(world: World, operation: Operation): Promise<Attempt> {
  if (operation === 'GET /users') {
    const list = await world.fetchList();
    return { exchange: list.exchange, list };
  }
  if (operation === 'POST /users') {
    const creation = await createUser(world);
    const read = creation.response === 'accepted' ? await findUser(world, creation) : undefined;
    const exchange = creation.exchange as Exchange;
    return { exchange, creation, ...(read && { read }) };
  }
  const [creation] = world.ledger.identified;
  if (creation?.identifier === undefined) throw new ExcludedError('no user could be retrieved');
  const read = await world.retrieve(creation, world.retrieval(creation.identifier.segment));
  return { exchange: read.exchange, read, user: creation };
}
