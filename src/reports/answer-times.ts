import type { ShownExchange } from '../http/exchange.ts';
import { brief } from './text.ts';

/** How long a target took for its answers. Milliseconds. */
export interface AnswerTimes {
  /** Absent when nothing was answered, and in a merged report. */
  median?: number;
  /**
   * Of the answers that had few requests beside them. Those of many wait for one another, in the target and in the suite, which
   * reads them one after the other; absent where too few are quiet.
   */
  quiet?: { median: number; answers: number };
  /** The slowest answers, the slowest first. */
  slowest: { id: number; exchange: string; duration: number }[];
}

/** How many of the slowest answers are named. */
const NAMED = 3;

/** Other requests that may be under way at any time during a quiet answer. */
const FEW = 4;
/** Fewer quiet answers than these tell nothing. */
const ENOUGH = 5;

/** The times of all exchanges that were answered, from the moment at which the request was on the wire. Pure. */
export function answerTimes(exchanges: readonly ShownExchange[]): AnswerTimes {
  const answered = exchanges.filter(({ response }) => response !== undefined);
  const slowestFirst = [...answered].sort((a, b) => b.duration - a.duration || a.id - b.id);
  const isQuiet = quietIn(exchanges);
  const quiet = slowestFirst.filter(isQuiet);
  const median = medianOf(slowestFirst);
  const ofQuiet = medianOf(quiet);
  return {
    ...(median !== undefined && { median }),
    ...(ofQuiet !== undefined && quiet.length >= ENOUGH && { quiet: { median: ofQuiet, answers: quiet.length } }),
    slowest: slowestFirst
      .slice(0, NAMED)
      .map((exchange) => ({ id: exchange.id, exchange: brief(exchange), duration: exchange.duration })),
  };
}

function medianOf(sorted: readonly ShownExchange[]): number | undefined {
  return sorted[Math.floor(sorted.length / 2)]?.duration;
}

/** Says which exchanges had few others beside them. */
function quietIn(exchanges: readonly ShownExchange[]): (exchange: ShownExchange) => boolean {
  const ascending = (times: number[]) => times.sort((a, b) => a - b);
  // Times are whole milliseconds: what took none was there for a moment all the same.
  const endOf = ({ at, duration }: ShownExchange) => at + Math.max(1, duration);
  const begins = ascending(exchanges.map(({ at }) => at));
  const ends = ascending(exchanges.map(endOf));
  const before = (times: number[], time: number) => {
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((times[middle] as number) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (exchange) => before(begins, endOf(exchange)) - before(ends, exchange.at + 1) - 1 <= FEW;
}

/** The slowest answers of several runs. Pure. Their median can't be told of medians. */
export function mergeAnswerTimes(all: readonly AnswerTimes[]): AnswerTimes {
  const slowestFirst = all.flatMap(({ slowest }) => slowest).sort((a, b) => b.duration - a.duration || a.id - b.id);
  return { slowest: slowestFirst.slice(0, NAMED) };
}
