import { defineConfig } from 'vitest/config';

/** The suite's own tests. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'threads',
    // Many services are judged at the same time; a run of the whole command takes a few seconds of its own.
    maxConcurrency: 12,
    testTimeout: 60_000,
  },
});
