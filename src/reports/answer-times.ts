import type { Exchange } from '../http/exchange.ts';
import { brief } from './text.ts';

/** How long a target took for its answers. Milliseconds. */
export interface AnswerTimes {
  /** Absent when nothing was answered, and in a merged report. */
  median?: number;
  /** The slowest answers, the slowest first. */
  slowest: { id: number; exchange: string; duration: number }[];
}

/** How many of the slowest answers are named. */
const NAMED = 3;

/** The times of all exchanges that were answered. Pure. */
export function answerTimes(exchanges: readonly Exchange[]): AnswerTimes {
  const answered = exchanges.filter(({ response }) => response !== undefined);
  const slowestFirst = [...answered].sort((a, b) => b.duration - a.duration || a.id - b.id);
  const middle = slowestFirst[Math.floor(slowestFirst.length / 2)];
  return {
    ...(middle && { median: middle.duration }),
    slowest: slowestFirst
      .slice(0, NAMED)
      .map((exchange) => ({ id: exchange.id, exchange: brief(exchange), duration: exchange.duration })),
  };
}

/** The slowest answers of several runs. Pure. Their median can't be told of medians. */
export function mergeAnswerTimes(all: readonly AnswerTimes[]): AnswerTimes {
  const slowestFirst = all.flatMap(({ slowest }) => slowest).sort((a, b) => b.duration - a.duration || a.id - b.id);
  return { slowest: slowestFirst.slice(0, NAMED) };
}
