import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from './clock.ts';

/** An early end of the run. The message is a clause with the reason. */
export class Ended extends Error {}

/** The end of a run, and its pauses until then. */
export interface Deadline {
  clock: Clock;
  /** Aborts at the end. */
  signal: AbortSignal;
  /** Returns the milliseconds until the end. */
  left: () => number;
  /** Ends the run now. Only the first reason counts. */
  end: (reason: string) => void;
  /** Throws Ended when the run is over. */
  check: () => void;
  /** Waits; a negative time is no time. Throws Ended when the run ends meanwhile. */
  pause: (milliseconds: number) => Promise<void>;
  /** Cancels the deadline after the last request. */
  clear: () => void;
}

const DEADLINE_PASSED = 'the deadline of the run has passed';

/** Makes a deadline that ends the run after a number of milliseconds, unless it is ended before. */
export function makeDeadline(milliseconds: number, clock: Clock = systemClock): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  // Each request and each pause adds a listener.
  setMaxListeners(0, signal);
  const endsAt = clock.now() + milliseconds;
  const left = () => endsAt - clock.now();
  const end = (reason: string) => controller.abort(new Ended(reason));
  const clear = clock.after(milliseconds, () => end(DEADLINE_PASSED));
  const check = () => {
    // The timers of a busy process are late, the clock is not.
    if (left() <= 0) end(DEADLINE_PASSED);
    signal.throwIfAborted();
  };
  const pause = async (pauseMs: number) => {
    if (pauseMs > 0) await clock.pause(pauseMs, signal);
    check();
  };
  return { clock, signal, left, end, check, pause, clear };
}

/** A timer that counts milliseconds and turns of the event loop. */
export interface TurnTimer {
  /** Starts the time again from the beginning. */
  restart: () => void;
  stop: () => void;
}

/**
 * Calls `onTimeout` after a number of milliseconds, and after a number of turns of the event loop
 * at least. A process that was busy has not yet read the responses that arrived meanwhile, and a
 * service in the same process has not yet sent its own.
 */
export function startTurnTimer(
  milliseconds: number,
  turns: number,
  onTimeout: () => void,
): TurnTimer {
  let turnsLeft = turns;
  const takeTurn = () => {
    turnsLeft -= 1;
    if (turnsLeft === 0) onTimeout();
    else if (turnsLeft > 0) timer.refresh();
  };
  const timer = setTimeout(() => setImmediate(takeTurn), milliseconds / turns);
  return {
    restart: () => {
      if (turnsLeft <= 0) return;
      turnsLeft = turns;
      timer.refresh();
    },
    stop: () => {
      turnsLeft = 0;
      clearTimeout(timer);
    },
  };
}
