import { createRequire } from 'node:module';
import { suite } from '../../specs/suite.ts';
import { type JudgeSettings, prepare, propertyOf } from '../api/judge.ts';
import { registerRun } from './register.ts';

/** The settings of `judge` without `reportDir`, because the tests themselves are the report. */
export type ConformanceSettings = Omit<JudgeSettings, 'reportDir'>;

/** The major versions of Vitest with which `conformance` works. */
const MAJORS = ['4', '5'];

/**
 * Registers the requirements as tests of the calling file, a `describe` for each chapter. The
 * settings may be a function, which is called after earlier `beforeAll` hooks, such as one that
 * starts the service: the service is then expected to end with the tests.
 *
 * A failed MUST fails its test, and so does a failed SHOULD with `strict`. Other tests that do not
 * pass are skipped with the reason. If no test fails but the run is inconclusive, one test fails
 * with the reason. Unusable settings fail before the first test.
 */
export function conformance(
  settings: ConformanceSettings | (() => ConformanceSettings | Promise<ConformanceSettings>),
): void {
  const { version }: { version: string } = createRequire(import.meta.url)('vitest/package.json');
  if (!MAJORS.includes(version.split('.')[0] ?? '')) {
    throw new Error(
      `conformance() of ${suite.name} needs Vitest ${MAJORS.join(' or ')}; this is Vitest ${version}.`,
    );
  }
  try {
    const readSettings = async () => (typeof settings === 'function' ? settings() : settings);
    registerRun(async () => prepare(await readSettings()), {
      nameSetting: propertyOf,
      endsWithTests: typeof settings === 'function',
    });
  } catch (error) {
    if (!/failed to find the (runner|current suite)/i.test((error as Error).message)) throw error;
    throw new Error(
      `conformance() must be called in a test file, by the Vitest ${version} that ${suite.name} finds beside it.`,
    );
  }
}
