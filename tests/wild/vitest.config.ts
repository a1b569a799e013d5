import { defineConfig } from 'vitest/config';
import { ProgressReporter } from '../progress-reporter.ts';

/** Tests of services on real frameworks: see tests/README.md. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/wild/*.wild.ts'],
    reporters: ['default', new ProgressReporter()],
    // ProgressReporter finds a hang. A busy machine reaches any time limit.
    testTimeout: 0,
    hookTimeout: 0,
  },
});
