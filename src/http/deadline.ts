import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from './clock.ts';

/** The run has ended before the plan was carried out; the message is a clause that says why. */
export class Ended extends Error {}

const PASSED = 'the deadline of the run has passed';

/** The end of a run, and its pauses until then. */
export interface Deadline {
  clock: Clock;
  /** Aborts at the end. */
  signal: AbortSignal;
  /** Returns the milliseconds until the time is up. */
  left: () => number;
  /** Ends the run now; the first reason counts. */
  end: (why: string) => void;
  /** Throws Ended when the run is over. */
  check: () => void;
  /** Waits; not at all for a time that is negative. Throws Ended when the run ends meanwhile. */
  pause: (milliseconds: number) => Promise<void>;
  /** Takes the deadline back, when all is done. */
  clear: () => void;
}

/** The end of a run before its plan is carried out: so many milliseconds are over, or somebody interrupts it. */
export function deadlineIn(milliseconds: number, clock: Clock = systemClock): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  // Every request and every pause listens to it.
  setMaxListeners(0, signal);
  const endsAt = clock.now() + milliseconds;
  const left = () => endsAt - clock.now();
  const end = (why: string) => controller.abort(new Ended(why));
  const clear = clock.after(milliseconds, () => end(PASSED));
  // Looks at the clock itself, because a busy process is late with its timers.
  const check = () => {
    if (left() <= 0) end(PASSED);
    signal.throwIfAborted();
  };
  return {
    clock,
    signal,
    left,
    end,
    check,
    pause: async (pauseMs) => {
      if (pauseMs > 0) await clock.pause(pauseMs, signal);
      check();
    },
    clear,
  };
}

/**
 * Calls `over` when a time has passed, in so many turns of the event loop at least: a process that was held up has not
 * looked yet at what has come meanwhile, and a service in the same process has not answered. Milliseconds.
 */
export function timerInTurns(milliseconds: number, turns: number, over: () => void) {
  let left = turns;
  const pass = () => {
    left -= 1;
    if (left === 0) over();
    else if (left > 0) timer.refresh();
  };
  const timer = setTimeout(() => setImmediate(pass), milliseconds / turns);
  return {
    /** Begins the time anew. */
    restart: (): void => {
      if (left <= 0) return;
      left = turns;
      timer.refresh();
    },
    stop: (): void => {
      left = 0;
      clearTimeout(timer);
    },
  };
}
