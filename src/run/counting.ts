import type { Creation } from '../history/creation.ts';
import { type Burst, countCreatedUsers, type History } from '../history/history.ts';
import { isBefore, isContradictory, isPaginated, isReadable, type List } from '../history/list.ts';
import { isAborted, type Request } from '../http/exchange.ts';
import { createUser } from './create-user.ts';
import { segmentOf, unknownIdentifiers } from './identifier.ts';
import { settledList } from './settled-list.ts';
import type { World } from './world.ts';

/** How often each action is compared with idle spans of the same length; more often while other clients write. */
const ROUNDS = 3;
const ROUNDS_BESIDE_WRITERS = 6;

/** How many creations, rejected creations and reads a burst has. */
const SIZES: Record<Exclude<Burst['action'], 'idle'>, number> = {
  creations: 6,
  'rejected creations': 1,
  reads: 6,
};

/** Lists that are fetched one after the other if a total has fallen, or if a list has contradicted itself. */
const AT_REST = 24;

/** The shortest idle span. Milliseconds. */
const SHORTEST_MS = 20;

/**
 * Finds out what moves the total of the list, if it did not move by what the run has done: other clients, creations,
 * rejected creations, or reads. Each is done in bursts, with idle spans of the same length between.
 */
export async function count(world: World): Promise<void> {
  const { history } = world;
  for (let round = 0; round < roundsFor(history); round += 1) {
    for (const action of round === 0 ? doubtfulActions(history) : actionsOf(history)) {
      const before = await settledList(world);
      const began = world.client.now();
      await act(world, action);
      const after = await countAfter(world, before, action === 'creations' ? SIZES.creations : 0);
      const tookMs = Math.max(SHORTEST_MS, world.client.now() - began);
      history.bursts.push(burst(world, action, SIZES[action], before, after));
      await world.client.deadline.pause(tookMs);
      const idle = await settledList(world);
      history.bursts.push(burst(world, 'idle', 0, after, idle));
    }
  }
  if (!hasFallen(history.lists) && !history.lists.some(isContradictory)) return;
  // No replica lags any more then.
  await world.client.deadline.pause(
    world.ledger.lastEnd() + world.settings.settleMs - world.client.now(),
  );
  for (let times = 0; times < AT_REST; times += 1) {
    history.atRest.push(world.lists.indexOf(await world.fetchList()));
  }
}

const roundsFor = ({ bursts, lists }: History): number =>
  bursts.some(
    ({ action, before, after }) =>
      action === 'idle' && lists[before]?.total !== lists[after]?.total,
  )
    ? ROUNDS_BESIDE_WRITERS
    : ROUNDS;

/** Counts again while the total may lag. */
const countAfter = (world: World, before: List, made: number): Promise<List> =>
  world.until(
    () => world.fetchList(),
    ({ total }) => total >= before.total + made,
  );

function burst(
  { lists }: World,
  action: Burst['action'],
  size: number,
  before: List,
  after: List,
): Burst {
  return { action, size, before: lists.indexOf(before), after: lists.indexOf(after) };
}

type Action = keyof typeof SIZES;

const actionsOf = ({ bursts }: History): Action[] => [
  ...new Set(bursts.map(({ action }) => action).filter((action) => action !== 'idle')),
];

/** What may have moved the total in a way that the run does not explain; nothing if all is explained. */
function doubtfulActions(history: History): Action[] {
  const [first, last, later] = [history.first, history.last, history.later].map(
    (index) => history.lists[index ?? -1],
  );
  if (!first || !last || !later || ![first, last, later].every(isReadable)) return [];
  if (isContradictory(last) && isContradictory(later)) return [];
  const { least, most } = countCreatedUsers(history);
  const moved = last.total - first.total;
  const isWhole = !isPaginated(first) && !isPaginated(last);
  // A list that shows everybody shows which users are the run's.
  const isMore = isWhole ? last.others > first.others : moved > most;
  const isMovedByReads = later.total !== last.total;
  const isLess = moved < least && last.total >= least;
  const doubts: Record<Action, boolean> = {
    creations: !history.isReadOnly && (isLess || (!isWhole && moved > most)),
    'rejected creations': !history.isReadOnly && isMore,
    reads: isMore || isMovedByReads,
  };
  return (Object.keys(doubts) as Action[]).filter((action) => doubts[action]);
}

async function act(world: World, action: Action): Promise<void> {
  const times = (send: () => Promise<unknown>) => Array.from({ length: SIZES[action] }, send);
  if (action === 'creations') return void (await Promise.all(times(() => createUser(world))));
  if (action === 'rejected creations') {
    await Promise.all(rejectedRequests(world).map((request) => world.send(request, 'text')));
    return;
  }
  const known = world.ledger.identified[0]?.identifier;
  const [unknown = 'nobody'] = unknownIdentifiers([known?.text ?? '']);
  const segments = [...(known ? [known.segment] : []), segmentOf(unknown)];
  await Promise.all(
    times(() => Promise.all(segments.map((segment) => world.send(world.retrieval(segment))))),
  );
  await Promise.all(times(() => world.fetchList()));
}

/** Rejected creations of which a user would show in the list, in one burst. */
const MOST_TRACED = 12;

/** Rejected creations: all of which nothing would show in the list, and some of the others. */
function rejectedRequests(world: World): Request[] {
  const rejected = world.ledger.creations.filter(({ response, exchange }) => {
    return response === 'rejected' && !(exchange && isAborted(exchange.request));
  });
  const isTraced = ({ expected, traces }: Creation) =>
    expected === 'rejected' && Object.keys(traces).length > 0;
  const traced = rejected.filter(isTraced);
  const every = Math.max(1, Math.ceil(traced.length / MOST_TRACED));
  const chosen = [
    ...rejected.filter((creation) => !isTraced(creation)),
    ...traced.filter((_, index) => index % every === 0),
  ];
  const { path } = world.listing();
  const requests = chosen.flatMap(({ exchange }) => exchange?.request ?? []);
  return requests.filter((request) => request.path === path);
}

/** Whether a list counts fewer users than one that was complete before it was requested. */
const hasFallen = (lists: readonly List[]): boolean =>
  lists.some((list) =>
    lists.some((before) => before.total > list.total && isBefore(before.exchange, list.exchange)),
  );
