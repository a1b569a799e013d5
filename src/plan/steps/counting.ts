import { type Context, settledLook, untilSettled } from '../context.ts';
import { type Action, type CountTrial, decided, falls } from '../count.ts';
import { Missing, type OrMissing } from '../evidence.ts';
import { segmentOf, unknownIdentifiers } from '../identifier.ts';
import { isContradictory, isPaged, isReadable, type Look } from '../look.ts';
import { createUser } from '../requests.ts';
import { caseStep, maybe, step } from '../step.ts';
import { type FirstUsers, firstKnown, firstLook, firstUsers } from './first.ts';
import { type LastLooks, lastLooks } from './last.ts';

/** How often counts are taken before what others make impossible to tell is left alone. */
export const COUNTING_ROUNDS = 3;

/** How often an action is done in each of the trials of a round. */
const SIZES: Record<Action, number[]> = {
  // These say how much others write.
  idle: [0, 0, 0, 0, 0, 0],
  creations: [2, 4, 8],
  // Each time is all of them at once.
  'rejected creations': [1, 2, 3],
  reads: [2, 4, 8],
};

/**
 * Finds out what moves the total: creations, refused creations, or reads. What tells cause from chance is that the
 * effect grows with the cause: each is done a few times and many times between two counts, in random order, with idle
 * spans of the same length between. Nothing is sent where the total has moved by just what the run did.
 */
export const counting = step({
  name: 'counting',
  needs: { users: maybe(firstUsers), looks: lastLooks },
  each: async (run, _, { users, looks }) => {
    // Counts, where the total has moved by more or less than the run explains, and the list with nothing done between.
    const found: { trials: CountTrial[]; atRest: Look[] } = { trials: [], atRest: [] };
    let open = doubtful(run, looks);
    let before = open.length === 0 ? looks.later : await settledLook(run, looks.later);
    for (let round = 0; open.length > 0 && round < COUNTING_ROUNDS; round += 1) {
      for (const turn of shuffled(open)) {
        const trial = await countAround(run, turn, before, () => act(run, turn, users, found.trials));
        found.trials.push(trial);
        before = trial.after;
        if (!isReadable(before)) return found;
      }
      open = open.filter((action) => decided(found.trials, action) === undefined);
    }
    if (falls(run.lists)) {
      await untilSettled(run);
      while (found.atRest.length < 12) found.atRest.push(await run.look({ digest: true }));
    }
    return found;
  },
});

/** What may have moved the total in a way that the run does not explain; empty where all is explained. */
function doubtful({ settings }: Context, looks: LastLooks): Action[] {
  const { first, last, later, made } = looks;
  if (isRefuted(looks)) return [];
  if (![first, last, later].every((look) => isReadable(look) && Number.isSafeInteger(look.total))) return [];
  const moved = last.total - first.total;
  const whole = !isPaged(last) && !isPaged(first);
  // A list that shows all users tells of each whose it is: only others can have made more of them.
  const more = whole ? last.others > first.others : moved > made.most;
  const creations = moved < made.least || (!whole && moved > made.most);
  const doubts = { idle: false, creations, 'rejected creations': more, reads: more || !isUnchanged(looks) };
  const actions: Action[] = settings.readOnly ? ['reads'] : ['creations', 'rejected creations', 'reads'];
  return actions.filter((action) => doubts[action]);
}

/**
 * Whether the list is wrong anyway: it contradicts itself, or lacks users who are there. Then counting tells nothing
 * more.
 */
export const isRefuted = (looks: LastLooks): boolean =>
  [looks.last, looks.later].every(isContradictory) || isUncounted(looks) || isRetrieved(looks);

/** Whether users whom the last list lacks were retrieved after it. */
const isRetrieved = ({ unlisted }: LastLooks) => [...unlisted.values()].some(({ record }) => record !== undefined);

/** Whether the total has grown too little by users of whom it is plain that no other client has deleted them. */
export function isUncounted(looks: LastLooks): boolean {
  const { first, last, made } = looks;
  const moved = last.total - first.total;
  const isThere = last.shown > last.total || (last.shown === last.total && isRetrieved(looks));
  // A created user stays: there are as many as the run has made, whatever others do. For the total to stay as it was
  // they would have to undo ten creations one by one.
  const isTooSmall = last.total < made.least || (moved === 0 && made.least >= 10);
  return moved < made.least && (isThere || isTooSmall);
}

/** Whether the last list counts as many as the one before, or the user more who was created meanwhile. */
export function isUnchanged({ last, later, created }: LastLooks): boolean {
  const isOneMore = !(created instanceof Missing) && created.first.answered !== 'refused';
  return later.total === last.total || (isOneMore && later.total === last.total + 1);
}

/** What is done between two counts, and how often. */
type Turn = Pick<CountTrial, 'action' | 'size'>;

/** One for each action and size, and idle ones, in random order. */
function shuffled(actions: readonly Action[]): Turn[] {
  const all = (['idle', ...actions] as const).flatMap((action) =>
    SIZES[action].map((size) => ({ action, size, at: Math.random() })),
  );
  return all.sort((a, b) => a.at - b.at);
}

async function countAround(run: Context, { action, size }: Turn, before: Look, act: () => Promise<unknown>) {
  const begun = run.client.now();
  const sent = [await act()].flat() as ({ ok?: boolean } | undefined)[];
  const busy = run.client.now() - begun;
  // Only a total that is still too small may lag.
  const expected = before.total + (action === 'creations' ? size : 0);
  const after = await run.lookUntil(({ total }) => total >= expected);
  // What is taken this time was not refused, and tells nothing.
  const isTaken = action === 'rejected creations' && sent.some((one) => one?.ok);
  return { action, size: isTaken ? 0 : size, busy, before, after };
}

/** Does nothing for as long as a trial with an action takes, in the median. */
function pauseAsUsual({ client }: Context, trials: readonly CountTrial[]): Promise<void> {
  const busy = trials.filter(({ action }) => action !== 'idle');
  const spans = busy.map(({ before, after }) => after.exchange.at - before.exchange.at).sort((a, b) => a - b);
  // The first has nothing to be compared with.
  return client.deadline.pause(spans[Math.floor(spans.length / 2)] ?? 20);
}

/** Does it so many times, all at once. */
function act(run: Context, { action, size }: Turn, users: OrMissing<FirstUsers>, trials: CountTrial[]) {
  const once = (): Promise<unknown>[] => {
    if (action === 'creations') return [createUser(run)];
    if (action === 'rejected creations') return refusedCreations(run).map((request) => run.send(request, 'text'));
    const { identifier } = firstKnown(users);
    const [nobody = 'nobody'] = unknownIdentifiers([identifier.text]);
    const segments = [identifier.segment, segmentOf(nobody)];
    return [...segments.map((segment) => run.send(run.retrieval(segment))), run.look()];
  };
  return action === 'idle' ? pauseAsUsual(run, trials) : Promise.all(Array.from({ length: size }, once).flat());
}

/**
 * Some of the creations that were refused: those of which nothing would show, such as a second one, and about a dozen
 * others of every kind.
 */
function refusedCreations(run: Context) {
  const { path } = run.creating({});
  const refused = run.ledger.creations.filter(({ fate, answered, exchange }) => {
    return answered === 'refused' && (fate === 'must-not' || (fate === 'may' && exchange?.request.path === path));
  });
  const traced = refused.filter(({ fate, traces }) => fate === 'must-not' && Object.keys(traces).length > 0);
  const hidden = refused.filter((creation) => !traced.includes(creation));
  const every = Math.max(1, Math.ceil(traced.length / 12));
  const chosen = [...hidden, ...traced.filter((_, index) => index % every === 0)];
  return chosen.flatMap(({ exchange }) => (exchange ? [exchange.request] : []));
}

/**
 * Whether a query has an effect on the list that is asked for next. Queries have their question marks, and are sent one
 * after the other, each followed by a list as usual.
 */
export const queriesInTurn = caseStep({
  name: 'queries, each with a list after it',
  needs: { look: firstLook },
  each: async (run, { queries }: { what: string; queries: string[] }) => {
    const found: NonNullable<Awaited<ReturnType<typeof tried>>>[] = [];
    let before = await run.look();
    for (const query of queries) {
      let sticky = await tried(run, query, before);
      if (!sticky) continue;
      before = sticky.later;
      // A list that comes from another replica may only lag.
      await untilSettled(run);
      // Once may be chance, three times is none: others may delete users and create others.
      for (let times = 1; sticky && times < 3; times += 1) sticky = await tried(run, query, sticky.later);
      if (sticky) found.push(sticky);
    }
    return found;
  },
});

/** Tells where the next list counts fewer users than the one before the query, and the list after it does not. */
async function tried(run: Context, query: string, before: Look) {
  await run.send({ ...run.listing(), path: `${run.listing().path}${query}` }, 'text');
  const next = await run.look();
  if (![before, next].every(isReadable) || next.total >= before.total) return undefined;
  const later = await run.look();
  return isReadable(later) && later.total >= before.total ? { query, before, next, later } : undefined;
}
