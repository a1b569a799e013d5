import type { TestResult } from 'allure-js-commons';
import type { Reporter, TestModule } from 'vitest/node';
import type { AllureResults } from '../reports/allure/results.ts';
import { writeAttachments } from '../reports/allure/results.ts';
import { publish } from '../reports/publish.ts';
import { removeReports } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import type { Settings } from '../settings/settings.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of the file of all requirements: what the run came to. */
    conformance?: RunResult;
  }
}

/** Writes the reports of the run that conformance.spec.ts makes, and prints its verdict. */
export class ReportDirReporter implements Reporter {
  readonly #settings: Omit<Settings, 'target'>;
  #unremoved: string[] = [];
  #allure: AllureResults | undefined;

  constructor(settings: Omit<Settings, 'target'>) {
    this.#settings = settings;
  }

  onTestRunStart(): void {
    this.#unremoved = removeReports(this.#settings.reportDir, false);
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const [result] = modules.flatMap((module) => module.meta().conformance ?? []);
    if (result === undefined) return;
    const { text, exitCode } = await publish(result, {
      settings: this.#settings,
      unremoved: this.#unremoved,
      writeResults: (results, directory) => {
        this.#allure = results;
        writeAttachments(results, directory);
      },
    });
    process.stdout.write(text);
    if (exitCode !== 0) process.exitCode ??= 1;
  }

  /** A listener for allure-vitest, which stands behind this reporter: the results of both ways are the same. */
  readonly beforeTestResultWrite = (result: TestResult): void => {
    Object.assign(result, this.#allure?.results.get(result.name ?? ''));
  };
}
