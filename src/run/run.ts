import { type Creation, isAccepted } from '../history/creation.ts';
import type { CaseResult } from '../history/history.ts';
import { isLong, isReadable, type List } from '../history/list.ts';
import { members } from '../history/record.ts';
import { Ended } from '../http/deadline.ts';
import { isAnswered, isSuccess } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import { isAfterAuthorized } from '../requirement/case.ts';
import { messageOf } from '../requirement/judge.ts';
import type { Part } from '../requirement/requirement.ts';
import { checkPresence, markNow, type StartedService, Stop } from './away.ts';
import { createTogether, readTogether, sendMixedBurst } from './concurrency.ts';
import { investigateTotals } from './counting.ts';
import { createUser } from './create-user.ts';
import { checkLockout, sendDisturbing, sendOneByOne } from './disturbing.ts';
import { sendFinalReads } from './final.ts';
import { findPlace } from './find-user.ts';
import { kindOf } from './identifier.ts';
import { checkObstacle } from './obstacle.ts';
import type { Plan } from './plan.ts';
import { carryOut, casesInPhase, type PlannedCase } from './runner.ts';
import { settledList } from './settled-list.ts';
import { checkSlowness } from './slowness.ts';
import type { World } from './world.ts';

/** How a run is followed and ended. */
export interface RunHooks {
  service?: StartedService | undefined;
  /** Called after each phase. */
  onPhase?: () => void;
  /** Called before the last looks, when the run waits anyway. */
  onRest?: () => void;
  /** More cases, after the fixed ones: a thorough run. */
  explore?: (world: World) => Promise<void>;
}

/**
 * Carries out a plan. This is the only place that knows the order. Returns a sentence if the suite itself crashed;
 * everything that a target does is in the history.
 */
export async function run(
  world: World,
  plan: Plan,
  hooks: RunHooks = {},
): Promise<string | undefined> {
  const { history } = world;
  const cases = (phase: Parameters<typeof casesInPhase>[1]) => casesInPhase(plan.cases, phase);
  const ifWanted = async (part: Part, carryOutPart: () => Promise<void>) => {
    if (!plan.parts.has(part)) return;
    await carryOutPart();
    history.parts.push(part);
  };
  /** Looks after each phase whether the target is still there. */
  const phase = async (carryOutPhase: () => Promise<void>) => {
    const mark = markNow(world);
    try {
      await Promise.race([carryOutPhase(), overIn(world)]);
    } catch (error) {
      // A service that has ended is no obstacle of another kind.
      if (error instanceof Stop && hooks.service) await checkPresence(world, mark, hooks.service);
      throw error;
    }
    await checkPresence(world, mark, hooks.service);
    await checkSlowness(world);
    hooks.onPhase?.();
  };
  try {
    await phase(() => ifWanted('list', () => fetchFirstList(world)));
    await phase(async () => {
      await carryOut(world, cases('before users'));
      world.rejectsUnknownUsers = world.history.results.some(isRejectedLookup);
    });
    await phase(() => ifWanted('users', () => createFirstUsers(world)));
    await phase(() => sendValidCases(world, cases('valid')));
    await phase(() =>
      ifWanted('plain users', async () => {
        await createTogether(world, cases('together'));
        await settledList(world);
      }),
    );
    await phase(() => carryOut(world, cases('twins')));
    await Promise.race([sendDisturbing(world, cases('disturbing'), hooks.service), overIn(world)]);
    hooks.onPhase?.();
    await Promise.race([sendOneByOne(world, cases('one by one'), hooks.service), overIn(world)]);
    hooks.onPhase?.();
    await phase(() => sendNegativeCases(world, cases('negative')));
    await phase(() => carryOut(world, cases('free')));
    await phase(() => ifWanted('concurrency', () => beConcurrent(world)));
    hooks.onRest?.();
    await phase(() => hooks.explore?.(world) ?? Promise.resolve());
    await phase(() => carryOut(world, cases('valid at the end')));
    await phase(() => ifWanted('end', () => lookAtEnd(world)));
    await phase(() => carryOut(world, cases('end')));
    if (plan.parts.has('end')) await phase(() => investigateTotals(world));
  } catch (error) {
    if (error instanceof Stop) history.stopped = error.stopped;
    else if (error instanceof Ended)
      history.stopped = { reason: error.message, by: 'run', exchanges: [] };
    else return `the run crashed: ${messageOf(error)}`;
  }
  return undefined;
}

/** How long a phase has to end by itself when the run is over. */
const GRACE_MS = 1000;

/** Rejects when the run is over and a phase does not end, whatever it waits for. */
function overIn({ client }: World): Promise<never> {
  const { signal } = client.deadline;
  return new Promise((_, reject) => {
    const over = () => setTimeout(() => reject(signal.reason), GRACE_MS).unref();
    if (signal.aborted) over();
    else signal.addEventListener('abort', over);
  });
}

/** The list before anything is created. */
async function fetchFirstList(world: World): Promise<void> {
  const list = await settledList(world);
  world.history.first = world.lists.indexOf(list);
  await checkObstacle(world, list);
}

/** Whether an unknown identifier got another status than a 2xx. */
const isRejectedLookup = ({ operation, exchange }: CaseResult): boolean =>
  operation === 'GET /users/:id' && isAnswered(exchange) && !isSuccess(exchange);

/** How often a first user is created if the service rejects it. */
const TRIES = 3;

/** Two users, one after the other, and where responses carry their identifiers. */
async function createFirstUsers(world: World): Promise<void> {
  const { ledger, history, settings } = world;
  const first = world.lists[history.first ?? -1];
  const users: Creation[] = [];
  if (settings.readOnly) {
    users.push(...listedUsers(world, first));
  } else {
    for (let tries = 1; users.length < 2 && tries <= TRIES; tries += 1) {
      const creation = await createUser(world);
      history.firstUsers.push(ledger.creations.indexOf(creation));
      if (!isAccepted(creation)) continue;
      users.push(creation);
      // A list of one user is a case of its own.
      if (users.length === 1) await settledList(world, { least: (first?.total ?? 0) + 1 });
      if (users.length === 1) await askAhead(world, creation);
    }
  }
  if (users.length === 2 || (settings.readOnly && users.length === 1))
    await findPlace(world, users);
  await settledList(world, { least: (first?.total ?? 0) + (settings.readOnly ? 0 : users.length) });
}

/** With integer identifiers, requests a future user: a service must not cache the 404. */
async function askAhead(world: World, creation: Creation): Promise<void> {
  const [likely] = world.candidates.get(creation) ?? [];
  if (likely === undefined || kindOf(likely.text) !== 'integer') return;
  await world.send(world.retrieval(`${BigInt(likely.text) + 5n}`));
}

/** In read-only mode: two users of the list, as if the run had created them. */
function listedUsers({ ledger, history }: World, list: List | undefined): Creation[] {
  if (list === undefined || !isReadable(list)) return [];
  return list.sample.slice(0, 2).flatMap((item) => {
    const [email, name] = [textOf(members(item).email), textOf(members(item).name)];
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
    history.firstUsers.push(ledger.creations.indexOf(creation));
    return [creation];
  });
}

/** Valid cases that are sent between two lists of all users so far. */
const BETWEEN_LISTS = 12;

/** Requests written in other ways, and users with unusual strings: a few at a time, and then the list. */
async function sendValidCases(world: World, cases: PlannedCase[]): Promise<void> {
  const creations = cases.filter(({ case: one }) => one.operation === 'POST /users');
  await carryOut(
    world,
    cases.filter((one) => !creations.includes(one)),
  );
  for (let at = 0; at < creations.length; at += BETWEEN_LISTS) {
    await carryOut(world, creations.slice(at, at + BETWEEN_LISTS));
    if (!isLong(world.lists[0])) await settledList(world);
    await checkSlowness(world);
  }
}

/** Negative cases, a few at a time; if no valid request is answered correctly afterwards, they prove nothing. */
async function sendNegativeCases(world: World, cases: PlannedCase[]): Promise<void> {
  const { results } = world.history;
  const before = results.length;
  // A response to the right key must not be in flight beside a request that a service may take for the same.
  const afterAuthorized = cases.filter(({ case: one }) => isAfterAuthorized(one));
  await carryOut(
    world,
    cases.filter((one) => !afterAuthorized.includes(one)),
  );
  await carryOut(world, afterAuthorized);
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

/** A list that is begun before a creation and ends after it must not be kept in a cache. */
async function createBesideList(world: World): Promise<void> {
  const list = world.fetchList();
  await createUser(world);
  await list;
}

/** A last creation, one beside a list, and the last looks. */
async function lookAtEnd(world: World): Promise<void> {
  if (!world.settings.readOnly && world.ledger.creations.some(isAccepted)) {
    await createUser(world, { request: (usual) => ({ ...usual, connection: 'new' }) });
    if (!isLong(world.lists[0])) await createBesideList(world);
  }
  await sendFinalReads(world);
}
