import { defineConfig } from 'vitest/config';

/** Tests of services on real frameworks: see tests/README.md. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: { include: ['tests/wild/*.wild.ts'], testTimeout: 300_000, hookTimeout: 120_000 },
});
