import { describe, test } from 'vitest';
import type { RequirementInfo } from '../requirement/requirement.ts';
import type { TestResult } from './test-result.ts';

/** The tests of requirements, and where each finds its result. */
export interface Registration {
  /** Which requirements are known to be left out when their tests are registered. */
  isLeftOut: (slug: string) => boolean;
  /** The result of a requirement, as soon as it is final; nothing where it is left out. Rejects where the suite itself breaks down. */
  resultOf: (info: RequirementInfo, signal: AbortSignal) => Promise<TestResult | undefined>;
  /** Milliseconds; absent: those of Vitest's configuration. */
  timeout?: number;
}

/** Registers a test for each requirement, a `describe` for each chapter. Each test waits for its result. */
export function registerTests(
  requirements: readonly RequirementInfo[],
  { isLeftOut, resultOf, ...options }: Registration,
): void {
  for (const chapter of new Set(requirements.map((one) => one.chapter))) {
    describe(chapter, () => {
      for (const info of requirements.filter((one) => one.chapter === chapter)) {
        test(info.slug, { ...options, skip: isLeftOut(info.slug) }, async ({ annotate, skip, signal }) => {
          const result = await resultOf(info, signal);
          if (result === undefined) return skip('left out by a filter');
          const { state, message } = result;
          if (state === 'fails') throw plainError(message);
          if (state === 'passes') return;
          // A test that only carries an annotation shows as green in most reports; a skipped one never does.
          if (state === 'warns') await annotate(message, 'warning');
          skip(message);
        });
      }
    });
  }
}

/** An error of a message alone: whatever else an error carries may end in a report. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
