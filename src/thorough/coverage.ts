import { isAccepted } from '../history/creation.ts';
import type { History } from '../history/history.ts';
import { type Exchange, endOf } from '../http/exchange.ts';

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
  /** The longest time without any request. Milliseconds. */
  longestPauseMs: number;
  /** Different cases that were sent, by the name of their kind. */
  kinds: Record<string, number>;
}

/** The part of the coverage that the history of a run shows. */
type Depth = Pick<Coverage, 'users' | 'widestPage' | 'mostAtOnce' | 'longestPauseMs'>;

/** Returns how deep a run went. Pure. */
export function depthOf({ exchanges, creations, lists }: History): Depth {
  const created = creations.filter((creation) => creation.exchange && isAccepted(creation));
  return {
    users: created.length,
    widestPage: lists.reduce((most, { size }) => Math.max(most, size), 0),
    ...overlapOf(exchanges.filter(({ attempts }) => attempts > 0)),
  };
}

/** Returns the most exchanges at the same time, and the longest time outside all of them. */
function overlapOf(exchanges: readonly Exchange[]): Pick<Depth, 'mostAtOnce' | 'longestPauseMs'> {
  const begins = exchanges.map(({ at }) => ({ time: at, step: 1 }));
  const ends = exchanges.map((exchange) => ({ time: endOf(exchange), step: -1 }));
  // An exchange that ends as another one begins does not overlap it.
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
