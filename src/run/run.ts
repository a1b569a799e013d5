import { type Creation, isAccepted } from '../history/creation.ts';
import type { CaseResult } from '../history/history.ts';
import { isLong, isReadable, type List } from '../history/list.ts';
import { members } from '../history/record.ts';
import { Ended } from '../http/deadline.ts';
import { isAnswered, isSuccess } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import type { CasePhase } from '../requirement/case.ts';
import { messageOf } from '../requirement/judge.ts';
import type { Part } from '../requirement/requirement.ts';
import { isBack, Stop } from './away.ts';
import { createTogether, readTogether, sendMixedBurst } from './concurrency.ts';
import { investigateTotals } from './counting.ts';
import { createUser } from './create-user.ts';

import { sendFinalReads } from './final.ts';
import { findPlace } from './find-user.ts';
import { kindOf } from './identifier.ts';
import { checkObstacle } from './obstacle.ts';
import { readInTurn, rejectAgain } from './old-snapshots.ts';
import type { Plan } from './plan.ts';
import { carryOut, casesInPhase, type PlannedCase, takeLost, takeRejected } from './runner.ts';
import { checkLockout, sendOneByOne, sendSerially } from './serial.ts';
import { latestSettledList, settledList } from './settled-list.ts';
import { takeStep } from './step.ts';
import type { World } from './world.ts';

/** Callbacks of a run. */
export interface RunHooks {
  /** Called after each phase. */
  onPhase?: () => void;
  /** Called before the final reads, when the run waits anyway. */
  onRest?: () => void;
  /** Sends the random cases of a thorough run, after the fixed ones. */
  explore?: (world: World) => Promise<void>;
}

/**
 * Carries out a plan. Only this function knows the order. Returns a sentence if the suite itself
 * crashed; the history has everything that the target did.
 */
export async function run(
  world: World,
  plan: Plan,
  { onPhase, onRest, explore }: RunHooks = {},
): Promise<string | undefined> {
  const { history } = world;
  const cases = (name: CasePhase) => casesInPhase(plan.cases, name);
  const ifWanted = async (part: Part, carryOutPart: () => Promise<void>) => {
    if (!plan.parts.has(part)) return;
    await carryOutPart();
    history.parts.push(part);
  };
  const phase = async (carryOutPhase: () => Promise<unknown>) => {
    await takeStep(world, carryOutPhase);
    onPhase?.();
  };
  /** Carries out a phase of which each request is a step. */
  const serialPhase = async (carryOutPhase: () => Promise<void>) => {
    await carryOutPhase();
    onPhase?.();
  };
  try {
    await phase(() => ifWanted('list', () => fetchFirstList(world)));
    await serialPhase(async () => {
      await sendOneByOne(world, cases('before users'));
      world.rejectsUnknownUsers = world.history.results.some(isRejectedLookup);
    });
    await phase(() => ifWanted('users', () => findFirstUsers(world)));
    await serialPhase(() => sendValidCases(world, cases('valid')));
    // Alone before duplicates at the same moment: then a request that ends the service is known.
    await serialPhase(() => sendSerially(world, cases('twins')));
    await phase(() =>
      ifWanted('plain users', async () => {
        await createTogether(world, cases('together'));
        await settledList(world);
      }),
    );
    await serialPhase(() => sendSerially(world, cases('disturbing')));
    await serialPhase(() => sendOneByOne(world, cases('one by one')));
    await serialPhase(() => sendNegativeCases(world, cases('negative')));
    await phase(() => carryOut(world, cases('free')));
    await phase(() => ifWanted('concurrency', () => beConcurrent(world)));
    onRest?.();
    await phase(() => explore?.(world) ?? Promise.resolve());
    await phase(() => carryOut(world, cases('valid at the end')));
    if (plan.parts.has('end')) await phase(() => endWithReads(world));
    await phase(() => carryOut(world, cases('end')));
    // Before this, a difference of totals may come from other clients, so the part ends here.
    await phase(() => ifWanted('end', () => investigateTotals(world)));
  } catch (error) {
    if (error instanceof Stop) {
      history.stopped = error.stopped;
    } else if (error instanceof Ended) {
      history.stopped = { reason: error.message, by: 'run', exchanges: [] };
    } else {
      return `the run crashed: ${messageOf(error)}`;
    }
  }
  return undefined;
}

/** Fetches the list before any creation. */
async function fetchFirstList(world: World): Promise<void> {
  const list = await settledList(world);
  world.history.first = list;
  await checkObstacle(world, list);
}

/** Whether the retrieval of an unknown identifier was rejected. */
const isRejectedLookup = ({ operation, exchange }: CaseResult): boolean =>
  operation === 'GET /users/:id' && isAnswered(exchange) && !isSuccess(exchange);

/** Finds two users, and the places of responses that hold their identifiers. */
async function findFirstUsers(world: World): Promise<void> {
  const { first } = world.history;
  const total = first?.total ?? 0;
  if (world.settings.readOnly) {
    const users = adoptListedUsers(world, first);
    if (users.length > 0) await findPlace(world, users);
    await settledList(world, { least: total });
    return;
  }
  const users = await createFirstUsers(world, total);
  if (users.length === 2) await findPlace(world, users);
  await latestSettledList(world, total + users.length);
}

/** The number of creations that are tried if the service rejects them. */
const TRIES = 3;

/** Creates two users, one after the other. `total` is that of the list before. */
async function createFirstUsers(world: World, total: number): Promise<Creation[]> {
  const { history } = world;
  const users: Creation[] = [];
  for (let tries = 1; users.length < 2 && tries <= TRIES; tries += 1) {
    const creation = await createUser(world);
    history.firstUsers.push(creation);
    if (!isAccepted(creation)) continue;
    users.push(creation);
    if (users.length > 1) break;
    // Some services fail with a list of one user.
    await settledList(world, { least: total + 1 });
    await retrieveFutureUser(world, creation);
  }
  return users;
}

/** With integer identifiers, requests a future user: a service must not cache the 404. */
async function retrieveFutureUser(world: World, creation: Creation): Promise<void> {
  const [likely] = world.candidates.get(creation) ?? [];
  if (likely === undefined || kindOf(likely.text) !== 'integer') return;
  await world.send(world.retrieval(`${BigInt(likely.text) + 5n}`));
}

/** In read-only mode, treats two users of the list as if the run had created them. */
function adoptListedUsers({ ledger, history }: World, list: List | undefined): Creation[] {
  if (list === undefined || !isReadable(list)) return [];
  return list.sample.slice(0, 2).flatMap((item) => {
    const email = textOf(members(item).email);
    const name = textOf(members(item).name);
    if (email === undefined || name === undefined) return [];
    const user = { email, name };
    const creation: Creation = {
      name: 'a user of the list',
      expected: 'created',
      user,
      traces: user,
      response: 'accepted',
      reads: [],
    };
    ledger.add(creation);
    history.firstUsers.push(creation);
    return [creation];
  });
}

/** The number of creations between two lists. */
const BETWEEN_LISTS = 20;

/** Sends equivalent requests, then users with unusual strings: some at a time, each time with a list. */
async function sendValidCases(world: World, cases: PlannedCase[]): Promise<void> {
  const creations = cases.filter((planned) => planned.case.operation === 'POST /users');
  const reads = cases.filter((planned) => !creations.includes(planned));
  await takeStep(world, () => carryOut(world, reads));
  for (let at = 0; at < creations.length; at += BETWEEN_LISTS) {
    await takeStep(world, async () => {
      await carryOut(world, creations.slice(at, at + BETWEEN_LISTS));
      if (!isLong(world.lists[0])) await settledList(world);
    });
  }
  // A value that the database rejects may keep a connection of a pool.
  await sendSerially(world, takeRejected(world, creations));
}

/**
 * Sends negative cases, and those without a response once more with nothing else in flight: then
 * the request that ended the service is known. Rejections prove nothing if the service then rejects
 * valid requests.
 */
async function sendNegativeCases(world: World, cases: PlannedCase[]): Promise<void> {
  const { results } = world.history;
  const before = results.length;
  // A service may mix up a negative request with an equal request that has the right key.
  const afterAuthorized = cases.filter((planned) => planned.case.before !== undefined);
  const others = cases.filter((planned) => !afterAuthorized.includes(planned));
  for (const planned of [others, afterAuthorized]) {
    await takeStep(world, () => carryOut(world, planned)).catch(async (error) => {
      if (error instanceof Stop && (await isBack(world)))
        await sendSerially(world, takeLost(world, planned));
      throw error;
    });
    await sendSerially(world, takeLost(world, planned));
  }
  const [last] = world.client.record.slice(-1);
  if (cases.length === 0 || last === undefined) return;
  try {
    await checkLockout(world, last);
  } catch (error) {
    if (error instanceof Stop) results.splice(before);
    throw error;
  }
}

async function beConcurrent(world: World): Promise<void> {
  await readTogether(world);
  await sendMixedBurst(world);
}

/** Creates a user while a list is in flight: a service must not cache that list. */
async function createDuringList(world: World): Promise<void> {
  // Together, so that both rejections are handled if the run ends meanwhile.
  await Promise.all([world.fetchList(), createUser(world)]);
}

/** Creates a last user, then one during a list, and sends the final reads. */
async function endWithReads(world: World): Promise<void> {
  if (!world.settings.readOnly && world.ledger.creations.some(isAccepted)) {
    const isAnyRejected = await rejectAgain(world);
    const last = await createUser(world, { request: (usual) => ({ ...usual, connection: 'new' }) });
    if (!isLong(world.lists[0])) await createDuringList(world);
    if (isAnyRejected) await readInTurn(world, last);
  }
  await sendFinalReads(world);
}
