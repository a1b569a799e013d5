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
