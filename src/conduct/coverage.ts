import { endOf, isAnswered } from '../http/exchange.ts';
import type { Run } from '../plan/run.ts';
import type { Bounds, Cases, Explored } from './explore.ts';

/** How deep a thorough run looked. */
export type Coverage = ReturnType<typeof coverageOf>;

/** Tells what an exploration covered. Pure. */
export function coverageOf(run: Run, explored: Explored, bounds: Bounds) {
  const { seed, budgetMs, maxRequests, maxUsers } = bounds;
  const { kinds, judged, ended, expected, fresh } = explored;
  const { mostAtOnce, longestPauseMs } = depthOf(run.record);
  const creations = run.record.filter((one) => one.request.method === 'POST' && isAnswered(one));
  const inFlight = depthOf(creations.map(({ at, wait = 0 }) => ({ at, duration: wait })));
  const half = Math.ceil(fresh.length / 2);
  return {
    /** Everything was drawn from it. */
    seed,
    /** What the exploration was allowed to use. */
    bounds: { seconds: Math.round(budgetMs / 1000), requests: maxRequests, users: maxUsers },
    /** Why it ended, a clause. */
    ended,
    rounds: fresh.length,
    /** Users that the whole run created. */
    users: run.ledger.creations.filter(({ answered, exchange }) => exchange && answered === 'created').length,
    /** Items of the longest list that was seen. */
    widestPage: run.looks.reduce((most, { shown }) => (shown > most ? shown : most), 0),
    /** The most requests that were in flight at once. */
    mostAtOnce,
    /** The most creations that were in flight at once: sent whole, and the head of the answer not there. */
    creationsAtOnce: inFlight.mostAtOnce,
    /** The longest time without any request. Milliseconds. */
    longestPauseMs,
    /** Requests that there was time for, as far as could be told before it, and those of them that were kept for the end. */
    expected,
    /** Cases that were not tried before, and what failed by them, in the first half of the rounds and in the second. */
    halves: [fresh.slice(0, half), fresh.slice(half)].map(sumOf),
    /** How many different cases of each kind were tried. */
    kinds: countsOf(kinds),
    /** By how many different cases that were drawn each requirement was judged. */
    judged: countsOf(judged),
  };
}

const countsOf = (cases: Cases): Record<string, number> =>
  Object.fromEntries([...cases].map(([name, { size }]) => [name, size]));

function sumOf(all: readonly { cases: number; failed: number }[]) {
  const add = (name: 'cases' | 'failed') => all.reduce((sum, one) => sum + one[name], 0);
  return { cases: add('cases'), failed: add('failed') };
}

/** How many spans of time overlapped, and for how long there was none. */
function depthOf(spans: readonly { at: number; duration: number }[]): { mostAtOnce: number; longestPauseMs: number } {
  const changes = spans
    .flatMap((one) => [
      { time: one.at, by: 1 },
      { time: endOf(one), by: -1 },
    ])
    // What ends as another begins does not overlap it.
    .sort((a, b) => a.time - b.time || a.by - b.by);
  let [underWay, mostAtOnce, longestPauseMs, idleSince] = [0, 0, 0, 0];
  for (const { time, by } of changes) {
    if (underWay === 0) longestPauseMs = Math.max(longestPauseMs, time - idleSince);
    underWay += by;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    if (underWay === 0) idleSince = time;
  }
  return { mostAtOnce, longestPauseMs };
}
