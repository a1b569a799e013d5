import { defineConfig } from 'vitest/config';
import { ProgressReporter } from '../progress-reporter.ts';

/** Tests of stable outcomes: see tests/README.md. Most of their time is pauses. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/stable/*.stable.ts'],
    maxWorkers: 4,
    maxConcurrency: 4,
    chaiConfig: { truncateThreshold: 2000 },
    reporters: ['default', new ProgressReporter()],
    // ProgressReporter finds a hang. A busy machine reaches any time limit.
    testTimeout: 0,
  },
});
