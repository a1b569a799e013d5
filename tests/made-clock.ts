import type { Clock } from '../src/http/clock.ts';

/** A clock whose pauses take no time, but advance it. */
export interface MadeClock extends Clock {
  /** The pauses so far, in milliseconds. */
  pauses: number[];
  /** Advances the clock and runs the callbacks that are due. */
  advance: (milliseconds: number) => void;
}

/** Makes a clock that starts at 0. */
export function madeClock(): MadeClock {
  let now = 0;
  const calls = new Map<() => void, number>();
  const pauses: number[] = [];
  const advance = (milliseconds: number) => {
    now += milliseconds;
    for (const [call, at] of calls) {
      if (at > now) continue;
      calls.delete(call);
      call();
    }
  };
  return {
    pauses,
    advance,
    now: () => now,
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
      advance(milliseconds);
    },
    after: (milliseconds, call) => {
      calls.set(call, now + milliseconds);
      return () => void calls.delete(call);
    },
  };
}
