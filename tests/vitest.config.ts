import { defineConfig } from 'vitest/config';
import { MatrixReporter } from './matrix-reporter.ts';

/** The suite's own tests. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'threads',
    reporters: ['default', new MatrixReporter()],
    // Many services are judged at the same time; a run of the whole command takes a few seconds of its own.
    maxConcurrency: 16,
    testTimeout: 60_000,
  },
});
