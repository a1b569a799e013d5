import { type Action, type CountTrial, decided } from '../src/plan/count.ts';
import type { Look } from '../src/plan/look.ts';
import { COUNTING_ROUNDS } from '../src/plan/steps/counting.ts';

/** What others have written up to a time, in milliseconds. */
type Written = (at: number) => number;
/** Draws what others write over the time of a simulation. */
export type Writers = (random: () => number) => Written;
/** By how much the total grows with an action that is done so often. */
export type Effect = (action: Action, times: number) => number;

/** The numbers of mulberry32: the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LENGTH_MS = 10_000;

/** Others who write one after the other: the pause before each, and how many users each writes. */
export function writing(pause: (random: () => number) => number, many: (random: () => number) => number): Writers {
  return (random) => {
    const writes: { at: number; many: number }[] = [];
    for (let at = -pause(random); at < LENGTH_MS; at += pause(random)) writes.push({ at, many: many(random) });
    return (now) => writes.reduce((sum, write) => (write.at <= now ? sum + write.many : sum), 0);
  };
}

/** A pause that is independent of all others, so long in the mean. */
export const nowAndThen = (mean: number) => (random: () => number) => -Math.log(1 - random()) * mean;

/** As the plan counts: each action in these sizes, and idle spans of the same length, in random order. */
const SIZES: Record<Exclude<Action, 'idle'>, number[]> = {
  creations: [2, 4, 8],
  'rejected creations': [1, 2, 3],
  reads: [2, 4, 8],
};
const IDLE = 6;
export const ACTIONS = Object.keys(SIZES) as Exclude<Action, 'idle'>[];

/**
 * Counts on a service that others write to, round by round as long as something is open; says what is decided then.
 * While the run is busy, others are slowed down by this part of their speed.
 */
export function simulate(seed: number, writers: Writers, effect: Effect, slowed = 0): Map<Action, number | undefined> {
  const random = randomOf(seed);
  const written = writers(random);
  const trials: CountTrial[] = [];
  let [now, ours, theirLoss] = [100, 0, 0];
  const look = (): Look => {
    const [at, duration] = [now, 3 + 6 * random()];
    now += duration;
    const exchange = { id: now, at: Math.round(at), duration: Math.round(duration) };
    return { total: 10 + ours + written(at - theirLoss + duration * random()), exchange } as unknown as Look;
  };
  let before = look();
  let open = ACTIONS;
  for (let round = 0; open.length > 0 && round < COUNTING_ROUNDS; round += 1) {
    for (const { action, size } of inRandomOrder(open, random)) {
      const busy = action === 'idle' ? usualSpan(trials) : 5 + size * (1 + 4 * random());
      if (action !== 'idle') theirLoss += busy * slowed;
      now += busy;
      ours += effect(action, size);
      const after = look();
      trials.push({ action, size, busy, before, after });
      before = after;
    }
    open = open.filter((action) => decided(trials, action) === undefined);
  }
  return new Map(ACTIONS.map((action) => [action, decided(trials, action)]));
}

function inRandomOrder(actions: typeof ACTIONS, random: () => number): { action: Action; size: number }[] {
  const busy = actions.flatMap((action) => SIZES[action].map((size) => ({ action: action as Action, size })));
  const idle = Array.from({ length: IDLE }, () => ({ action: 'idle' as Action, size: 0 }));
  return [...busy, ...idle]
    .map((trial) => ({ trial, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ trial }) => trial);
}

function usualSpan(trials: CountTrial[]): number {
  const busy = trials.filter(({ action }) => action !== 'idle');
  const spans = busy.map(({ before, after }) => after.exchange.at - before.exchange.at).sort((a, b) => a - b);
  return spans[Math.floor(spans.length / 2)] ?? 20;
}
