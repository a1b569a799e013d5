import { beforeAll, describe } from 'vitest';
import { requirements, topics } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { registerTests } from '../vitest/register.ts';
import { TestRun } from '../vitest/test-run.ts';
import { type JudgeSettings, type Prepared, prepare } from './given.ts';

/** What `judge` takes but for what it writes: here the tests alone tell what a run finds. */
export type ConformanceSettings = Omit<JudgeSettings, 'reportDir' | 'writeKnownFailures'>;

/**
 * Registers the requirements as tests of the file that calls it, a `describe` for each chapter. The settings may be a
 * function, which is called after the `beforeAll` hooks that stand before: where only they know the address. A MUST that fails
 * or can't be verified fails its test; a failed SHOULD skips it with the reason, or with `strict` fails it. Unusable settings
 * fail all of them.
 */
export function conformance(
  settings: ConformanceSettings | (() => ConformanceSettings | Promise<ConformanceSettings>),
): void {
  let prepared: Prepared | undefined;
  const run = new TestRun(requirements, topics, () => {
    if (prepared === undefined) throw new Error('The settings of the conformance tests could not be read.');
    return prepared;
  });
  inThisVitest(() =>
    describe(suite.name, () => {
      beforeAll(async () => {
        prepared = await prepare(typeof settings === 'function' ? await settings() : settings);
      });
      // The run has a deadline of its own, and the first test may wait for all of it.
      registerTests(requirements, {
        isLeftOut: () => false,
        resultOf: (info, signal) => run.resultOf(info, signal),
        timeout: 0,
      });
    }),
  );
}

/** Vitest's tests can be registered only by the very copy of it that runs them. */
function inThisVitest(registering: () => void): void {
  try {
    registering();
  } catch (error) {
    if (!/failed to find the (runner|current suite)/i.test((error as Error).message)) throw error;
    throw new Error(
      `conformance() must be called in a test file, by the version of Vitest on which ${suite.name} depends: see its package.json.`,
    );
  }
}
