import { afterAll, beforeAll, describe, type RunnerTestFile, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { makeRun, type RunInput } from '../api/run.ts';
import type { RunResult } from '../reports/run-result.ts';
import { chaptersOf, LEFT_OUT } from '../reports/selection.ts';
import type { TestResult } from '../reports/test-result.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { SettingsError } from '../settings/errors.ts';
import { type NameSetting, withNames } from '../settings/names.ts';
import { suiteFailed, testEnds } from './test-ends.ts';

/** A finished run and the ends of its tests by slug. */
interface FinishedRun {
  result: RunResult;
  ends: ReadonlyMap<string, TestResult>;
}

interface RegisterOptions {
  /** Called with the result of the run and the file of the tests. */
  atEnd?: (result: RunResult, file: RunnerTestFile) => void;
  /** Returns the names of settings in messages. By default these are their variables. */
  nameSetting?: NameSetting;
  /** Whether the service ends with the tests, so that no command outside them reaches it. */
  endsWithTests?: boolean;
}

/**
 * Registers the requirements as tests of the current file, a `describe` for each chapter. The first
 * test makes the run, in this process. `prepare` is called after earlier `beforeAll` hooks.
 */
export function registerRun(
  prepare: () => RunInput | Promise<RunInput>,
  {
    atEnd = () => {},
    nameSetting = (variable) => variable,
    endsWithTests = false,
  }: RegisterOptions = {},
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
    const makeFinishedRun = async (): Promise<FinishedRun> => {
      const runnable = namesOfTests(file);
      const result = await makeRun(input, { signal: interrupt.signal });
      const ends = testEnds(result.report, {
        isRunnable: (slug) => runnable.has(slug),
        fault: result.faults[0],
        testFile: endsWithTests ? file.name : undefined,
      });
      return { result, ends };
    };
    const register = ({ slug }: RequirementInfo) => {
      // The first test waits for the whole run, which has its own deadline.
      test(slug, { timeout: 0 }, async ({ annotate, skip, signal, task }) => {
        file = task.file;
        signal.addEventListener('abort', () => interrupt.abort());
        running ??= withNames(nameSetting, makeFinishedRun);
        const { ends } = await running;
        const end = ends.get(slug);
        if (end === undefined) return skip(LEFT_OUT);
        if (end.state === 'fails') throw plainError(end.text);
        if (end.state === 'passes') return;
        // Most reports show a test with an annotation as passed, but not a skipped one.
        if (end.state === 'warns') await annotate(end.text, 'warning');
        skip(end.message);
      });
    };
    for (const [chapter, members] of chaptersOf(requirements))
      describe(chapter, () => members.forEach(register));
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

/** Returns the names of the tests that Vitest runs: a filter such as `-t` may skip others. */
function namesOfTests({ tasks }: Pick<RunnerTestFile, 'tasks'>): Set<string> {
  const names = tasks.flatMap((task) => {
    if (task.type === 'suite') return [...namesOfTests(task)];
    return task.mode === 'run' ? [task.name] : [];
  });
  return new Set(names);
}

/** Returns an error without a stack trace, which some reports would print. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
