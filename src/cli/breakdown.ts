import { getHeapStatistics } from 'node:v8';

/** Which part of the memory that Node may take is left for the reports. */
const RESERVE = 0.15;

/** Milliseconds between two looks. */
const EVERY_MS = 100;

/**
 * Tells once, by an error, when nearly all of the memory is in use that Node may take: at its end Node would end the process
 * with a trace, and without a report. Returns the timer.
 */
export function watchMemory(
  tell: (error: Error) => void,
  heap: () => { used_heap_size: number; heap_size_limit: number } = getHeapStatistics,
): NodeJS.Timeout {
  const timer = setInterval(() => {
    const { used_heap_size: used, heap_size_limit: limit } = heap();
    if (used < limit * (1 - RESERVE)) return;
    clearInterval(timer);
    tell(new Error(`nearly all of the ${Math.round(limit / 2 ** 20)} MiB of memory that Node may use are taken.`));
  }, EVERY_MS);
  return timer.unref();
}
