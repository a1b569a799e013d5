import { defineConfig } from 'vitest/config';

/** Tests of stable outcomes, one file after the other: see tests/README.md. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/stable/*.stable.ts'],
    fileParallelism: false,
    chaiConfig: { truncateThreshold: 2000 },
    testTimeout: 30 * 60_000,
  },
});
