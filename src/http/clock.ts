import { setTimeout as sleep } from 'node:timers/promises';

/** The time of a run: a test gives another one, so that it waits for nothing. */
export interface Clock {
  /** Milliseconds since some moment; it never jumps. */
  now: () => number;
  /** Waits for so many milliseconds, or until the signal aborts. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Calls back after so many milliseconds. Returns a function that takes that back. */
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
