import { defineConfig } from 'vitest/config';

/** What takes minutes, on the clock: `npm run test:stress`, one file after the other. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/stress/*.stress.ts'],
    fileParallelism: false,
    testTimeout: 30 * 60_000,
  },
});
