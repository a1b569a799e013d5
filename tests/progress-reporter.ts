import type { Reporter, TestCase } from 'vitest/node';

/** The time between two looks at the tests that run. */
const LOOK_MS = 30_000;

/**
 * Looks without the end of a test after which a run hangs: half an hour. The longest test takes half
 * a minute on a quiet machine.
 */
const LOOKS = 60;

/**
 * Names the tests that run whenever none has ended for a while. No test has a time limit, because
 * a busy machine would reach it. A run in which no test ends any more is a hang, and fails.
 */
export class ProgressReporter implements Reporter {
  readonly #running = new Set<TestCase>();
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.add(test);
  }

  onTestCaseResult(test: TestCase): void {
    this.#running.delete(test);
    this.#looks = 0;
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#looks += 1;
    const names = [...this.#running].map(
      (test) => `  ${test.module.relativeModuleId} ${test.name}`,
    );
    const seconds = (this.#looks * LOOK_MS) / 1000;
    process.stdout.write(`no test has ended for ${seconds} s; running:\n${names.join('\n')}\n`);
    if (this.#looks < LOOKS) return;
    process.stdout.write('The tests hang: none of these ends.\n');
    process.exit(1);
  }
}
