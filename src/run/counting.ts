import type { Creation } from '../history/creation.ts';
import { type Burst, countCreatedUsers, type History } from '../history/history.ts';
import { isBefore, isContradictory, isPaginated, isReadable, type List } from '../history/list.ts';
import { isAborted, type Request } from '../http/exchange.ts';
import { createUser } from './create-user.ts';
import { segmentOf, unknownIdentifiers } from './identifier.ts';
import { settledList } from './settled-list.ts';
import type { World } from './world.ts';

/** An action that may change the total of the list. */
type Action = Exclude<Burst['action'], 'idle'>;

/** The requests in a burst of each action. */
const SIZES: Record<Action, number> = {
  creations: 6,
  'rejected creations': 1,
  reads: 6,
};

/**
 * Finds out what changes the total of the list, if the run does not explain it: other clients,
 * creations, rejected creations, or reads. Sends each in bursts, with idle spans of the same length
 * between.
 */
export async function investigateTotals(world: World): Promise<void> {
  const { history } = world;
  const actions = doubtfulActions(history);
  const bursts: Burst[] = [];
  for (let round = 0; round < roundsFor(bursts); round += 1) {
    for (const action of actions) bursts.push(...(await compareWithIdle(world, action)));
  }
  // If the run ends before this, it has too few bursts to rule out other clients.
  history.bursts.push(...bursts);
  if (hasFallen(history.lists) || history.lists.some(isContradictory)) await listAtRest(world);
}

/** Comparisons of each action with an idle span. */
const ROUNDS = 3;
const ROUNDS_BESIDE_WRITERS = 6;

function roundsFor(bursts: readonly Burst[]): number {
  const hasOtherWriters = bursts.some(({ action, before, after }) => {
    return action === 'idle' && before.total !== after.total;
  });
  return hasOtherWriters ? ROUNDS_BESIDE_WRITERS : ROUNDS;
}

/** Returns the actions that may have changed the total in a way that the run does not explain. */
function doubtfulActions(history: History): Action[] {
  const { first, last, later } = history;
  if (!first || !last || !later) return [];
  if (![first, last, later].every(isReadable)) return [];
  if (isContradictory(last) && isContradictory(later)) return [];
  const { least, most } = countCreatedUsers(history);
  const change = last.total - first.total;
  // Only a list of all users shows which users are not the run's.
  const isWhole = !isPaginated(first) && !isPaginated(last);
  const isMore = isWhole ? last.others > first.others : change > most;
  const isLess = change < least;
  const actions: Action[] = [];
  if (!history.isReadOnly) {
    if (isLess || (!isWhole && change > most)) actions.push('creations');
    if (isMore) actions.push('rejected creations');
  }
  if (isMore || later.total !== last.total) actions.push('reads');
  return actions;
}

/** The shortest idle span. Milliseconds. */
const SHORTEST_MS = 20;

/** Returns the totals before and after an action, and after an idle span of the same length. */
async function compareWithIdle(world: World, action: Action): Promise<Burst[]> {
  const { client } = world;
  const size = SIZES[action];
  const before = await settledList(world);
  const began = client.now();
  await act(world, action);
  const after = await listAfter(world, before, action === 'creations' ? size : 0);
  const tookMs = Math.max(SHORTEST_MS, client.now() - began);
  await client.deadline.pause(tookMs);
  const idle = await settledList(world);
  return [
    { action, size, before, after },
    { action: 'idle', size: 0, before: after, after: idle },
  ];
}

/** Fetches the list again while it may lag behind so many new users. */
function listAfter(world: World, before: List, created: number): Promise<List> {
  const fetch = () => world.fetchList();
  return world.until(fetch, ({ total }) => total >= before.total + created);
}

async function act(world: World, action: Action): Promise<void> {
  if (action === 'creations') {
    await startTimes(SIZES[action], () => createUser(world));
  } else if (action === 'rejected creations') {
    const requests = rejectedRequests(world);
    await Promise.all(requests.map((request) => world.send(request, 'text')));
  } else {
    await startTimes(SIZES[action], () => readKnownAndUnknown(world));
    await startTimes(SIZES[action], () => world.fetchList());
  }
}

async function startTimes(times: number, start: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: times }, start));
}

/** Retrieves a known and an unknown user. */
async function readKnownAndUnknown(world: World): Promise<void> {
  const identifier = world.ledger.identified[0]?.identifier;
  const [unknown = 'nobody'] = unknownIdentifiers([identifier?.text ?? '']);
  const segments = [segmentOf(unknown)];
  if (identifier) segments.unshift(identifier.segment);
  await Promise.all(segments.map((segment) => world.send(world.retrieval(segment))));
}

/** Rejected creations in one burst whose user the list would show. */
const MOST_TRACED = 12;

/**
 * Returns rejected creations to repeat: all whose user the list would not show, and some of the
 * others.
 */
function rejectedRequests(world: World): Request[] {
  const rejected = world.ledger.creations.filter(({ response, exchange }) => {
    return response === 'rejected' && !(exchange && isAborted(exchange.request));
  });
  const traced = rejected.filter(isTraced);
  const untraced = rejected.filter((creation) => !isTraced(creation));
  const step = Math.max(1, Math.ceil(traced.length / MOST_TRACED));
  const sample = traced.filter((_, index) => index % step === 0);
  const requests = [...untraced, ...sample].flatMap(({ exchange }) => exchange?.request ?? []);
  const { path } = world.listing();
  return requests.filter((request) => request.path === path);
}

const isTraced = ({ expected, traces }: Creation): boolean =>
  expected === 'rejected' && Object.keys(traces).length > 0;

/** Whether a list counts fewer users than one that was complete before it was requested. */
function hasFallen(lists: readonly List[]): boolean {
  const isLower = (list: List, before: List) =>
    before.total > list.total && isBefore(before.exchange, list.exchange);
  return lists.some((list) => lists.some((before) => isLower(list, before)));
}

/** Lists that are fetched one after the other. */
const LISTS_AT_REST = 24;

/** Fetches lists after the settle time, when no replica lags. */
async function listAtRest(world: World): Promise<void> {
  const { client, history, ledger, settings } = world;
  await client.deadline.pause(ledger.lastEnd() + settings.settleMs - client.now());
  for (let times = 0; times < LISTS_AT_REST; times += 1) {
    history.atRest.push(await world.fetchList());
  }
}
