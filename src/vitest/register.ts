import { afterAll, beforeAll, describe, type RunnerTestFile, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { makeRun, type RunInput } from '../api/run.ts';
import { chaptersOf, LEFT_OUT } from '../reports/report.ts';
import type { RunResult } from '../reports/run-result.ts';
import { testResult } from '../reports/test-results.ts';
import { inert } from '../reports/text.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { lineToChange } from '../verdict/verdict.ts';

/**
 * Registers the requirements as tests of the file that is being collected, a `describe` for each chapter. The first
 * test that is carried out makes the run, in this process. `prepare` is called after the `beforeAll` hooks that stand
 * before; `atEnd` is given what the run came to, and the file.
 */
export function registerRun(
  prepare: () => RunInput | Promise<RunInput>,
  atEnd: (result: RunResult, file: RunnerTestFile) => void = () => {},
): void {
  describe(suite.name, () => {
    let input: RunInput;
    let running: Promise<RunResult> | undefined;
    let file: RunnerTestFile;
    const interrupt = new AbortController();
    const saidReasons = new Set<string>();
    beforeAll(async () => {
      input = await prepare();
    });
    const register = ({ slug }: RequirementInfo) => {
      // The run has a deadline of its own, and the first test waits for all of it.
      test(slug, { timeout: 0 }, async ({ annotate, skip, signal, task }) => {
        file = task.file;
        signal.addEventListener('abort', () => interrupt.abort());
        running ??= makeRun(input, { signal: interrupt.signal });
        const { report } = await running;
        const [row] = report.requirements.filter(({ id }) => id === slug);
        if (row === undefined || row.reason === LEFT_OUT) return skip(LEFT_OUT);
        const toChange = report.knownFailures.toChange.map((one) => ({
          ...one,
          message: lineToChange(one),
        }));
        const { state, ...said } = testResult(row, {
          ...report,
          knownFailures: { ...report.knownFailures, toChange },
        });
        const message = inert([said.message, ...said.details].join('\n'));
        // One cause is one red test: what could not be verified for the same reason is skipped.
        const isSaid = state === 'is open' && saidReasons.has(row.reason);
        if (state === 'is open') saidReasons.add(row.reason);
        if (state === 'fails' || (state === 'is open' && !isSaid)) throw plainError(message);
        if (state === 'passes') return;
        // A test that only carries an annotation shows as green in most reports; a skipped one never does.
        if (state === 'warns') await annotate(message, 'warning');
        skip(message);
      });
    };
    for (const [chapter, own] of chaptersOf(requirements))
      describe(chapter, () => own.forEach(register));
    afterAll(async () => {
      const result = await running;
      if (result === undefined) return;
      atEnd(result, file);
      const [fault] = result.faults;
      if (fault !== undefined) throw plainError(`The suite itself failed: ${fault}`);
    });
  });
}

/** An error of a message alone: whatever else an error carries may end in a report. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
