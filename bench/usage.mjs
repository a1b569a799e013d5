import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Each measured process loads this file with --import: only the process itself knows its usage, and
// only at its end.
const file = process.env.BENCH_USAGE_FILE;
if (isMainThread && file) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeFileSync(
      file,
      JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 }),
    );
  });
}
