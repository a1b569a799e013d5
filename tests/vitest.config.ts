import { defineConfig } from 'vitest/config';
import { MatrixReporter } from './judging/matrix-reporter.ts';

/** The suite's own tests. MATRIX=1 prints, after them, which broken services each requirement has caught. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['{schemas,src,tests}/**/*.test.ts'],
    pool: 'threads',
    // By default one core is left free; two files at a time are measured to be faster on two cores.
    maxWorkers: 2,
    isolate: false,
    reporters: ['default', new MatrixReporter(process.env.MATRIX === '1')],
    // Many services are judged at the same time; a run of the whole command takes a few seconds of its own.
    maxConcurrency: 10,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
