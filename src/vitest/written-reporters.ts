import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JUnitOptions, Reporter, TestModule, Vitest } from 'vitest/node';
import type { AllureResult } from '../reports/allure/result.ts';
import type { AllureResults } from '../reports/allure/results.ts';
import { notWritten } from '../reports/replace-file.ts';

/** Takes the sentence on a report that could not be written: without it such a fault would take the verdict along. */
type Missing = (sentence: string) => void;

/** Vitest's JUnit report, written beside its place and moved there. */
export class JUnitFile implements Reporter {
  readonly #file: string;
  readonly #options: JUnitOptions;
  readonly #missing: Missing;
  #vitest: Vitest | undefined;

  constructor(reportDir: string, options: JUnitOptions, missing: Missing) {
    this.#file = join(reportDir, 'junit.xml');
    this.#options = options;
    this.#missing = missing;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const beside = `${this.#file}.${process.pid}.part`;
    try {
      const { JUnitReporter } = await import('vitest/node');
      const reporter = new JUnitReporter({ ...this.#options, outputFile: beside });
      rmSync(beside, { force: true });
      await reporter.onInit(this.#vitest as Vitest);
      // It has its file open by now, and would print this name.
      Reflect.deleteProperty(reporter, 'reportFile');
      await reporter.onTestRunEnd(modules);
      renameSync(beside, this.#file);
    } catch (error) {
      rmSync(beside, { force: true });
      this.#missing(notWritten('junit.xml', error));
    }
  }
}

/** The results that Allure's reporter writes: all of them, or none. */
export class AllureFiles implements Reporter {
  readonly #results: AllureResults;
  readonly #missing: Missing;
  #reporter: Required<Pick<Reporter, 'onTestRunEnd'>> | undefined;

  constructor(results: AllureResults, missing: Missing) {
    this.#results = results;
    this.#missing = missing;
  }

  async onInit(vitest: Vitest): Promise<void> {
    const { default: AllureVitestReporter } = await import('allure-vitest/reporter');
    const { directory, complete } = this.#results;
    const reporter = new AllureVitestReporter({
      resultsDir: directory,
      reportMatchers: false,
      listeners: [{ beforeTestResultWrite: (result) => complete(result as AllureResult) }],
    });
    reporter.onInit(vitest);
    this.#reporter = reporter;
  }

  onTestRunEnd(...ended: Parameters<Required<Reporter>['onTestRunEnd']>): void {
    try {
      this.#reporter?.onTestRunEnd(...ended);
    } catch (error) {
      rmSync(this.#results.directory, { recursive: true, force: true });
      this.#missing(notWritten('allure-results', error));
    }
  }
}
