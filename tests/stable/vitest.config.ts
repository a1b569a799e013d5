import { defineConfig } from 'vitest/config';

/** The same outcomes each time, one file after the other: see tests/README.md. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/stable/*.stable.ts'],
    fileParallelism: false,
    chaiConfig: { truncateThreshold: 2000 },
    testTimeout: 30 * 60_000,
  },
});
