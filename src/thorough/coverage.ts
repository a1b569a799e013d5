import { isAccepted } from '../history/creation.ts';
import type { History } from '../history/history.ts';
import { type Exchange, endOf, isAnswered } from '../http/exchange.ts';

/** The depth of a thorough run. */
export interface Coverage {
  /** The seed from which all cases follow. */
  seed: number;
  /** The limits of the exploration. */
  bounds: { seconds: number; requests: number; users: number };
  /** A clause that says why the exploration ended. */
  ended: string;
  rounds: number;
  /** Users that were created, including those of the default run before. */
  users: number;
  /** Items of the longest list. */
  widestPage: number;
  /** The most requests in flight at the same time. */
  mostAtOnce: number;
  /** The most creations in flight at the same time. */
  creationsAtOnce: number;
  /** The longest time without any request. Milliseconds. */
  longestPauseMs: number;
  /** Different cases that were sent, by the name of their kind. */
  kinds: Record<string, number>;
  /** Different cases that requirements were judged by, by slug. */
  judged: Record<string, number>;
}

/** The parts of the coverage that an exploration counts itself. */
export interface ExplorationInfo extends Pick<Coverage, 'seed' | 'bounds' | 'ended' | 'rounds'> {
  kinds: DistinctCases;
  judged: DistinctCases;
}

/** Counts different cases by a name. A case counts once, however often it is sent. */
export class DistinctCases {
  readonly #cases = new Map<string, Set<string>>();

  add(name: string, caseName: string): void {
    const cases = this.#cases.get(name) ?? new Set();
    cases.add(caseName);
    this.#cases.set(name, cases);
  }

  counts(): Record<string, number> {
    const counts = [...this.#cases].map(([name, cases]) => [name, cases.size]);
    return Object.fromEntries(counts);
  }
}

/** Returns the coverage of an exploration and of the run that it belongs to. Pure. */
export function coverageOf(
  { exchanges, creations, lists }: Pick<History, 'exchanges' | 'creations' | 'lists'>,
  { kinds, judged, ...info }: ExplorationInfo,
): Coverage {
  const sent = exchanges.filter(({ attempts }) => attempts > 0);
  const { mostAtOnce, longestPauseMs } = overlapOf(sent);
  const posts = exchanges.filter((exchange) => {
    return exchange.request.method === 'POST' && isAnswered(exchange);
  });
  const waits = posts.map(({ at, wait = 0 }) => ({ at, duration: wait }));
  const created = creations.filter((creation) => creation.exchange && isAccepted(creation));
  return {
    ...info,
    users: created.length,
    widestPage: lists.reduce((most, { size }) => Math.max(most, size), 0),
    mostAtOnce,
    creationsAtOnce: overlapOf(waits).mostAtOnce,
    longestPauseMs,
    kinds: kinds.counts(),
    judged: judged.counts(),
  };
}

type Span = Pick<Exchange, 'at' | 'duration'>;

type Overlap = Pick<Coverage, 'mostAtOnce' | 'longestPauseMs'>;

/** Returns the most spans of time that overlap, and the longest time outside all of them. */
function overlapOf(spans: readonly Span[]): Overlap {
  const begins = spans.map((span) => ({ time: span.at, step: 1 }));
  const ends = spans.map((span) => ({ time: endOf(span), step: -1 }));
  // A span that ends as another one begins does not overlap it.
  const changes = [...begins, ...ends].sort((a, b) => a.time - b.time || a.step - b.step);
  let inFlight = 0;
  let mostAtOnce = 0;
  let longestPauseMs = 0;
  let idleSince = 0;
  for (const { time, step } of changes) {
    if (inFlight === 0) longestPauseMs = Math.max(longestPauseMs, time - idleSince);
    inFlight += step;
    mostAtOnce = Math.max(mostAtOnce, inFlight);
    if (inFlight === 0) idleSince = time;
  }
  return { mostAtOnce, longestPauseMs: Math.round(longestPauseMs) };
}
