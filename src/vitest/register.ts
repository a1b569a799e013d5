import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, type RunnerTestFile, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { makeRun, type RunInput } from '../api/run.ts';
import { chaptersOf, reported } from '../reports/report.ts';
import type { RunResult } from '../reports/run-result.ts';
import { testResult } from '../reports/test-results.ts';
import { inert } from '../reports/text.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { entriesToChange, lineToChange } from '../verdict/known-failures.ts';

/**
 * Registers the requirements as tests of the file that is being collected, a `describe` for each chapter. The first test that
 * is carried out begins the run, in this process, and each waits for its outcome. `prepare` is called after the `beforeAll`
 * hooks that stand before; `atEnd` is given what the run came to, and the file.
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
    const outcomes = new Map<string, Outcome>();
    const told = new EventEmitter();
    const onOutcome = (outcome: Outcome) => {
      outcomes.set(outcome.slug, outcome);
      told.emit(outcome.slug);
    };
    const saidReasons = new Set<string>();
    beforeAll(async () => {
      input = await prepare();
    });
    const register = (info: RequirementInfo) => {
      // The run has a deadline of its own, and the first test may wait for all of it.
      test(info.slug, { timeout: 0 }, async ({ annotate, skip, signal, task }) => {
        file = task.file;
        signal.addEventListener('abort', () => interrupt.abort());
        running ??= makeRun(input, { signal: interrupt.signal, onOutcome });
        if (!outcomes.has(info.slug)) await Promise.race([once(told, info.slug), running]);
        const outcome = outcomes.get(info.slug);
        if (outcome === undefined) return skip('left out by a filter');
        const { state, message } = resultOf(info, outcome, input);
        // One cause is one red test: what could not be verified for the same reason is skipped.
        const isSaid = state === 'is open' && saidReasons.has(outcome.reason);
        if (state === 'is open') saidReasons.add(outcome.reason);
        if (state === 'fails' || (state === 'is open' && !isSaid)) throw plainError(message);
        if (state === 'passes') return;
        // A test that only carries an annotation shows as green in most reports; a skipped one never does.
        if (state === 'warns') await annotate(message, 'warning');
        skip(message);
      });
    };
    for (const [chapter, own] of chaptersOf(requirements)) describe(chapter, () => own.forEach(register));
    afterAll(async () => {
      const result = await running;
      if (result === undefined) return;
      atEnd(result, file);
      const [fault] = result.faults;
      if (fault !== undefined) throw plainError(`The suite itself failed: ${fault}`);
    });
  });
}

/** What becomes of the test of a requirement, and what it says. */
function resultOf(info: RequirementInfo, outcome: Outcome, { settings, knownFailures, target }: RunInput) {
  const entries = knownFailures.filter(({ slug }) => slug === info.slug);
  const toChange = entriesToChange(entries, [outcome]).map((one) => ({ ...one, message: lineToChange(one) }));
  const terms = { scope: settings, target, knownFailures: { toChange } };
  const { state, message, details } = testResult(reported(info, outcome), terms);
  return { state, message: inert([message, ...details].join('\n')) };
}

/** An error of a message alone: whatever else an error carries may end in a report. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
