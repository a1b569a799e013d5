/** How long a target at hand may be silent while requests wait and connections are idle: then these may hold its workers. */
const SILENCE_MS = 150;

/** How many times as long as the quickest answer the target may be silent. */
const UNUSUAL = 3;

/**
 * How soon after connections were closed an answer comes for that reason, and how long a silence is once that is known.
 * Milliseconds.
 */
const SOON_MS = 50;

/** How often closing must have helped: once may be chance. */
const OFTEN = 2;

/**
 * Watches for a target that is silent because idle connections hold its workers: requests wait, nothing comes, and something
 * comes soon after these connections are closed. `free` closes idle connections, and says whether there were any; `onHeld` is
 * called when that has helped. What is returned watches a request that was just written: call its result when the request is
 * answered, and at its end.
 */
export function watchSilence(free: () => boolean, onHeld: () => void): () => (isAnswered: boolean) => void {
  /** Requests that were written and got no answer yet. */
  let waiting = 0;
  let quickest = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let freedAt = Number.NEGATIVE_INFINITY;
  let helped = 0;

  const heard = (waited: number) => {
    quickest = Math.min(quickest, waited);
    if (performance.now() - freedAt <= Math.max(SOON_MS, quickest)) {
      helped += 1;
      if (helped === OFTEN) onHeld();
    }
    freedAt = Number.NEGATIVE_INFINITY;
  };
  /** Waits for the next answer. */
  const listen = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === 0 || !Number.isFinite(quickest)) return;
    const least = helped < OFTEN ? SILENCE_MS : SOON_MS;
    const end = () => {
      if (own !== timer || !free()) return;
      freedAt = performance.now();
      listen();
    };
    // What has come meanwhile is looked at first: the suite may have been busy itself.
    const own = setTimeout(() => setImmediate(end), Math.max(least, UNUSUAL * quickest));
    timer = own;
  };
  return () => {
    const writtenAt = performance.now();
    let isOver = false;
    waiting += 1;
    if (timer === undefined) listen();
    return (isAnswered) => {
      if (isOver) return;
      isOver = true;
      waiting -= 1;
      if (isAnswered) heard(performance.now() - writtenAt);
      listen();
    };
  };
}
