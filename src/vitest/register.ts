import { afterAll, beforeAll, describe, type RunnerTestFile, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { makeRun, type RunInput } from '../api/run.ts';
import type { RunResult } from '../reports/run-result.ts';
import { chaptersOf, LEFT_OUT } from '../reports/selection.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { SettingsError } from '../settings/errors.ts';
import { type NameSetting, withNames } from '../settings/names.ts';
import { suiteFailed, type TestEnd, testEnds } from './test-ends.ts';

/** A run that was carried out, and the ends of its tests by slug. */
interface FinishedRun {
  result: RunResult;
  ends: ReadonlyMap<string, TestEnd>;
}

interface RegisterOptions {
  /** Called with the result of the run, and the file of the tests. */
  atEnd?: (result: RunResult, file: RunnerTestFile) => void;
  /** The names of settings in messages; absent: their variables. */
  nameSetting?: NameSetting;
}

/**
 * Registers the requirements as tests of the file that is being collected, a `describe` for each chapter. The first
 * test that is carried out makes the run, in this process. `prepare` is called after the `beforeAll` hooks that stand
 * before.
 */
export function registerRun(
  prepare: () => RunInput | Promise<RunInput>,
  { atEnd = () => {}, nameSetting = (variable) => variable }: RegisterOptions = {},
): void {
  describe(suite.name, () => {
    let input: RunInput;
    let running: Promise<FinishedRun> | undefined;
    let file: RunnerTestFile;
    const interrupt = new AbortController();
    beforeAll(async () => {
      try {
        input = await prepare();
      } catch (error) {
        throw error instanceof SettingsError ? plainError(error.message) : error;
      }
    });
    const makeAll = async (): Promise<FinishedRun> => {
      const carriedOut = namesOfTests(file);
      const result = await makeRun(input, { signal: interrupt.signal });
      const ends = testEnds(result.report, (slug) => carriedOut.has(slug), result.faults[0]);
      return { result, ends };
    };
    const register = ({ slug }: RequirementInfo) => {
      // The run has a deadline of its own, and the first test waits for all of it.
      test(slug, { timeout: 0 }, async ({ annotate, skip, signal, task }) => {
        file = task.file;
        signal.addEventListener('abort', () => interrupt.abort());
        running ??= withNames(nameSetting, makeAll);
        const { ends } = await running;
        const end = ends.get(slug);
        if (end === undefined) return skip(LEFT_OUT);
        if (end.state === 'fails') throw plainError(end.message);
        if (end.state === 'passes') return;
        // A test that only carries an annotation shows as green in most reports; a skipped one never does.
        if (end.state === 'warns') await annotate(end.message, 'warning');
        skip(end.reason);
      });
    };
    for (const [chapter, own] of chaptersOf(requirements))
      describe(chapter, () => own.forEach(register));
    afterAll(async () => {
      const finished = await running;
      if (finished === undefined) return;
      const { result, ends } = finished;
      atEnd(result, file);
      const [fault] = result.faults;
      if (fault === undefined) return;
      const message = suiteFailed(fault);
      if (![...ends.values()].some((end) => end.message === message)) throw plainError(message);
    });
  });
}

/** The names of the tests that Vitest carries out; a filter such as `-t` leaves out others. */
function namesOfTests({ tasks }: Pick<RunnerTestFile, 'tasks'>): Set<string> {
  const names = tasks.flatMap((task) => {
    if (task.type === 'suite') return [...namesOfTests(task)];
    return task.mode === 'run' ? [task.name] : [];
  });
  return new Set(names);
}

/** An error of a message alone: whatever else an error carries may end in a report. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
