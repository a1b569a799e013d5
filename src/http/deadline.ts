import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The run has ended before the plan was carried out; the message is a clause that says why. */
export class Ended extends Error {}

const PASSED = 'the deadline of the run has passed';

export type Deadline = ReturnType<typeof deadlineIn>;

/** The end of a run before its plan is carried out: so many milliseconds are over, or somebody interrupts it. */
export function deadlineIn(milliseconds: number) {
  const controller = new AbortController();
  /** Aborts at the end. */
  const signal: AbortSignal = controller.signal;
  // Every request and every pause listens to it.
  setMaxListeners(0, signal);
  const endsAt = performance.now() + milliseconds;
  /** Milliseconds until the time is up. */
  const left = () => endsAt - performance.now();
  /** Ends the run now; the first reason counts. */
  const end = (why: string) => controller.abort(new Ended(why));
  const timer = setTimeout(() => end(PASSED), milliseconds);
  /** Throws Ended when the run is over. Looks at the clock itself, because a busy process is late with its timers. */
  const check = () => {
    if (left() <= 0) end(PASSED);
    signal.throwIfAborted();
  };
  return {
    ...{ signal, left, end, check },
    /** Waits; not at all for a time that is negative. Throws Ended when the run ends meanwhile. */
    pause: async (pauseMs: number) => {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {});
      check();
    },
    /** Takes the deadline back, when all is done. */
    clear: () => clearTimeout(timer),
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
