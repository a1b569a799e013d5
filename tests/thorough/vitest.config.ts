import { defineConfig } from 'vitest/config';
import { ProgressReporter } from '../progress-reporter.ts';

/** Tests that take too long for `npm test`: see tests/README.md. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/thorough/*.thorough.ts'],
    pool: 'threads',
    maxWorkers: 3,
    isolate: false,
    maxConcurrency: 4,
    chaiConfig: { truncateThreshold: 2000 },
    reporters: ['default', new ProgressReporter()],
    // ProgressReporter finds a hang. A busy machine reaches any time limit.
    testTimeout: 0,
  },
});
