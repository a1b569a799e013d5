import { isAccepted } from '../history/creation.ts';
import type { History } from '../history/history.ts';
import { type Exchange, endOf, isAnswered } from '../http/exchange.ts';

/** How deep a thorough run looked. */
export interface Coverage {
  /** All cases follow from it. */
  seed: number;
  /** What the exploration was allowed to use. */
  bounds: { seconds: number; requests: number; users: number };
  /** Why the exploration ended, a clause. */
  ended: string;
  rounds: number;
  /** Users that were created, by the default run before it, too. */
  users: number;
  /** Items of the longest list that was seen. */
  widestPage: number;
  /** The most requests in flight at the same time. */
  mostAtOnce: number;
  /** The most creations in flight at the same time. */
  creationsAtOnce: number;
  /** The longest time without any request. Milliseconds. */
  longestPauseMs: number;
  /** How many different cases of each kind were sent, by the name of the kind. */
  kinds: Record<string, number>;
  /** How many different cases each requirement was judged by, by slug. */
  judged: Record<string, number>;
}

/** What an exploration says about itself. */
export type Explored = Pick<Coverage, 'seed' | 'bounds' | 'ended' | 'rounds'> & {
  kinds: DistinctCases;
  judged: DistinctCases;
};

/** Counts different cases by a name: a case counts once, however often it is sent. */
export class DistinctCases {
  readonly #names = new Map<string, Set<string>>();

  add(name: string, caseName: string): void {
    const before = this.#names.get(name) ?? new Set();
    this.#names.set(name, before.add(caseName));
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.#names].map(([name, cases]) => [name, cases.size]));
  }
}

/** Tells what an exploration covered and how deep the whole run went. Pure. */
export function coverageOf(
  { exchanges, creations, lists }: Pick<History, 'exchanges' | 'creations' | 'lists'>,
  { kinds, judged, ...explored }: Explored,
): Coverage {
  const { mostAtOnce, longestPauseMs } = overlapOf(
    exchanges.filter(({ attempts }) => attempts > 0),
  );
  const posts = exchanges.filter((exchange) => {
    return exchange.request.method === 'POST' && isAnswered(exchange);
  });
  const inFlight = overlapOf(posts.map(({ at, wait = 0 }) => ({ at, duration: wait })));
  return {
    ...explored,
    users: creations.filter((creation) => creation.exchange && isAccepted(creation)).length,
    widestPage: lists.reduce((most, { size }) => Math.max(most, size), 0),
    mostAtOnce,
    creationsAtOnce: inFlight.mostAtOnce,
    longestPauseMs,
    kinds: kinds.counts(),
    judged: judged.counts(),
  };
}

type Span = Pick<Exchange, 'at' | 'duration'>;

/** How many spans of time overlap, and the longest time that is in none of them. */
function overlapOf(spans: readonly Span[]): { mostAtOnce: number; longestPauseMs: number } {
  const begins = spans.map((span) => ({ time: span.at, by: 1 }));
  const ends = spans.map((span) => ({ time: endOf(span), by: -1 }));
  // A span that ends as another one begins does not overlap it.
  const changes = [...begins, ...ends].sort((a, b) => a.time - b.time || a.by - b.by);
  let inFlight = 0;
  let mostAtOnce = 0;
  let longestPauseMs = 0;
  let idleSince = 0;
  for (const { time, by } of changes) {
    if (inFlight === 0) longestPauseMs = Math.max(longestPauseMs, time - idleSince);
    inFlight += by;
    mostAtOnce = Math.max(mostAtOnce, inFlight);
    if (inFlight === 0) idleSince = time;
  }
  return { mostAtOnce, longestPauseMs: Math.round(longestPauseMs) };
}
