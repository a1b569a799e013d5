import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, type RunnerTestFile, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { makeRun, type RunInput } from '../api/run.ts';
import { reported } from '../reports/make-report.ts';
import type { RunResult } from '../reports/run-result.ts';
import { testResult } from '../reports/test-result.ts';
import { inert } from '../reports/text.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { entriesToChange, lineToChange } from '../verdict/entries-to-change.ts';

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
    let run: TestRun;
    beforeAll(async () => {
      run = new TestRun(await prepare());
    });
    for (const chapter of new Set(requirements.map((one) => one.chapter))) {
      describe(chapter, () => {
        for (const one of requirements.filter((each) => each.chapter === chapter)) register(one, () => run);
      });
    }
    afterAll(async () => {
      const result = await run?.result;
      if (result === undefined) return;
      atEnd(result, run.file as RunnerTestFile);
      const [fault] = result.faults;
      if (fault !== undefined) throw plainError(`The suite itself failed: ${fault}`);
    });
  });
}

function register(info: RequirementInfo, run: () => TestRun): void {
  // The run has a deadline of its own, and the first test may wait for all of it.
  test(info.slug, { timeout: 0 }, async ({ annotate, skip, signal, task }) => {
    run().file = task.file;
    const result = await run().resultOf(info, signal);
    if (result === undefined) return skip('left out by a filter');
    const { state, details } = result;
    const message = inert([result.message, ...details].join('\n'));
    if (state === 'fails' || state === 'is open') throw plainError(message);
    if (state === 'passes') return;
    // A test that only carries an annotation shows as green in most reports; a skipped one never does.
    if (state === 'warns') await annotate(message, 'warning');
    skip(message);
  });
}

/** One run in the process of the tests. */
class TestRun {
  /** The file of the tests. */
  file: RunnerTestFile | undefined;
  /** What the run comes to; nothing where no test has begun it. */
  result: Promise<RunResult> | undefined;
  readonly #input: RunInput;
  readonly #interrupt = new AbortController();
  readonly #outcomes = new Map<string, Outcome>();
  readonly #saidReasons = new Set<string>();
  readonly #told = new EventEmitter();

  constructor(input: RunInput) {
    this.#input = input;
  }

  /** What becomes of the test of a requirement, as soon as its outcome is final; nothing where a filter left it out. */
  async resultOf(info: RequirementInfo, signal: AbortSignal) {
    signal.addEventListener('abort', () => this.#interrupt.abort());
    this.result ??= makeRun(this.#input, {
      signal: this.#interrupt.signal,
      onOutcome: (outcome) => {
        this.#outcomes.set(outcome.slug, outcome);
        this.#told.emit(outcome.slug);
      },
    });
    if (!this.#outcomes.has(info.slug)) await Promise.race([once(this.#told, info.slug), this.result]);
    const outcome = this.#outcomes.get(info.slug);
    if (outcome === undefined) return undefined;
    const { settings, knownFailures, target } = this.#input;
    const row = reported(info, outcome);
    const entries = knownFailures.filter(({ slug }) => slug === info.slug);
    const toChange = entriesToChange(entries, [outcome]).map((one) => ({ ...one, message: lineToChange(one) }));
    const result = testResult(row, { scope: settings, target, knownFailures: { toChange } });
    // One cause is one red test: what could not be verified for the same reason is skipped.
    if (result.state !== 'is open') return result;
    const isSaid = this.#saidReasons.has(outcome.reason);
    this.#saidReasons.add(outcome.reason);
    return isSaid ? { ...result, state: 'skips' as const } : result;
  }
}

/** An error of a message alone: whatever else an error carries may end in a report. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
