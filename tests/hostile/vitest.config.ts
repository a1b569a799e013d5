import { defineConfig } from 'vitest/config';

/** Tests that take too long for `npm test`: see tests/README.md. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: { include: ['tests/**/*.heavy.ts'], testTimeout: 600_000, fileParallelism: false },
});
