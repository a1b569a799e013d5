import { setTimeout as sleep } from 'node:timers/promises';

/** The time of a run. Tests pass a clock of their own, so that they need not wait. */
export interface Clock {
  /** Returns the milliseconds since some moment. It never jumps. */
  now: () => number;
  /** Waits for a number of milliseconds, or until the signal aborts. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Calls back after a number of milliseconds. Returns a function that cancels the call. */
  after: (milliseconds: number, call: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  pause: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
  },
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
