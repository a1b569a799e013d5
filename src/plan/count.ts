import { endOf } from '../http/exchange.ts';
import type { Look } from './look.ts';

/** What is done between two counts. */
export type Action = 'idle' | 'creations' | 'rejected creations' | 'reads';

/** Two counts with something done between, so many times. */
export interface CountTrial {
  action: Action;
  size: number;
  /** How long that took, in milliseconds: while the run is busy, others may be slowed down by it. */
  busy: number;
  before: Look;
  after: Look;
}

/** How sure a judgement must be, in standard errors of what others may have written. */
const [PROVEN, CLEARED] = [5, 2];

/** The effect of one creation, refusal or read from which on it is a fault. */
const FAULT = 0.5;

/**
 * What the trials say of an action: by how many users each time of it counts too many (or too few); 0 where it counts
 * as it should; undefined where others write so much that it can't be told. Pure.
 *
 * The trials without any action say how fast the total moves by itself, and how evenly. What an action moves besides
 * must grow with how often it is done: the slope is fitted, and a fault is proven only where it is far from what chance
 * can be, and where every single trial is nearer to the fault than to a right service. Too few are only creations that
 * are not counted; that must show even if the others stood still while the run was busy.
 */
export function decided(trials: readonly CountTrial[], action: Action): number | undefined {
  const ours = trials.filter((trial) => trial.action === action);
  const idle = trials.filter((trial) => trial.action === 'idle');
  const [first] = idle;
  if (ours.length === 0 || first === undefined) return undefined;
  const rate = sum(idle.map(moved)) / sum(idle.map(spanOf));
  // Each look itself may count: that is the same in every trial, however long it takes.
  const isByLooks = idle.length >= 3 && idle.every((trial) => moved(trial) === moved(first));
  const drift = (trial: CountTrial) => (isByLooks ? moved(first) : rate * spanOf(trial));
  const noise = deviation(idle.map((trial) => moved(trial) - drift(trial)));
  const weight = sum(ours.map(({ size }) => size * size));
  const fitted = (expected: (trial: CountTrial) => number) => {
    const off = (trial: CountTrial) => moved(trial) - expected(trial) - (action === 'creations' ? trial.size : 0);
    const slope = sum(ours.map((trial) => trial.size * off(trial))) / weight;
    // A burst of others' may fall into our trials alone: what does not lie on the slope is noise as well.
    const scatter = deviation(ours.map((trial) => off(trial) - slope * trial.size));
    const atRest = noise === 0 && scatter === 0;
    // Even where nothing was seen to move a count may be off by chance.
    const least = atRest ? 0.5 : 1;
    const error = Math.max(noise, scatter, least) * Math.sqrt((1 + ours.length / idle.length) / weight);
    const everyTrial = ours.every((trial) => (Math.sign(slope) * off(trial)) / trial.size >= FAULT);
    // At rest one round shows it; where others write, it must show in two.
    const enough = ours.length >= (atRest ? 3 : 6);
    const isProven = enough && everyTrial && Math.abs(slope) >= Math.max(FAULT, PROVEN * error);
    return { slope, isProven, isCleared: Math.abs(slope) + CLEARED * error < FAULT };
  };
  const { slope, isProven, isCleared } = fitted(drift);
  // The part of each in which the run was not busy.
  const atMost = fitted((trial) => rate * Math.max(0, spanOf(trial) - trial.busy));
  const isFault = slope > 0 || (action === 'creations' && atMost.slope < 0 && atMost.isProven);
  if (isProven && isFault) return Math.round(100 * slope) / 100;
  return isCleared ? 0 : undefined;
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

const moved = ({ before, after }: CountTrial) => after.total - before.total;

/** When a list was counted, as near as can be told: milliseconds of the run. */
const countedAt = ({ exchange: { at, duration } }: Look) => at + duration / 2;

const spanOf = ({ before, after }: CountTrial) => Math.max(1, countedAt(after) - countedAt(before));

/** The standard deviation of numbers whose mean is 0. */
const deviation = (numbers: number[]): number =>
  Math.sqrt(sum(numbers.map((one) => one * one)) / Math.max(1, numbers.length - 1));

/**
 * Whether the total moves up and down while nothing else does: three times within a few looks that show the same users.
 * Pure.
 */
export function wobbles(looks: readonly Look[]): boolean {
  const [first] = looks;
  if (first === undefined || looks.some(({ digest }) => digest !== first.digest)) return false;
  const steps = looks.slice(1).map(({ total }, index) => Math.sign(total - (looks[index]?.total ?? total)));
  const moves = steps.filter((step) => step !== 0);
  return moves.filter((step, index) => index > 0 && step !== moves[index - 1]).length >= 3;
}

/** Whether a list counts fewer users than another that was there before it was asked for. */
export const falls = (looks: readonly Look[]): boolean =>
  looks.some((look) => looks.some(({ total, exchange }) => total > look.total && endOf(exchange) <= look.exchange.at));
