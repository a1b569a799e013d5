import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Each measured process loads this file with --import: only the process itself knows its usage, and
// only at its end.
const file = process.env.BENCH_USAGE_FILE;
if (isMainThread && file) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const peak = (readPeak() ?? maxRSS) / 1024;
    writeFileSync(file, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peak }));
  });
}

/**
 * Returns the peak of memory in KiB, as Linux reports it; undefined elsewhere. `maxRSS` of a process
 * that another one has started is at least the peak of that one.
 */
function readPeak() {
  try {
    const [, peak] = /^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return peak && Number(peak);
  } catch {
    return undefined;
  }
}
