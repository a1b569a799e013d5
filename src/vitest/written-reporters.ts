import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

const loadAllure = () => import('allure-vitest/reporter');

/** The results that Allure's reporter writes: all of them, or none. */
export class AllureFiles implements Reporter {
  readonly #results: AllureResults;
  readonly #missing: Missing;
  #loaded: ReturnType<typeof loadAllure> | undefined;

  constructor(results: AllureResults, missing: Missing) {
    this.#results = results;
    this.#missing = missing;
  }

  onTestRunStart(): void {
    // While the worker starts there is little to do here.
    this.#loaded ??= loadAllure();
    this.#loaded.catch(() => {});
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    try {
      const { default: AllureVitestReporter } = await (this.#loaded ?? loadAllure());
      const { directory, complete } = this.#results;
      const reporter = new AllureVitestReporter({
        resultsDir: directory,
        reportMatchers: false,
        listeners: [{ beforeTestResultWrite: (result) => complete(result as AllureResult) }],
      });
      // Without projects: into their workers it would load what the specs have no use for.
      reporter.onInit({ projects: [] as Vitest['projects'] } as Vitest);
      // Its own writer has the disk confirm each file, which takes longer on some than all requests of a run.
      Reflect.get(reporter, 'allureReporterRuntime').writer.writeResult = (result: { uuid: string }) =>
        writeFileSync(join(directory, `${result.uuid}-result.json`), JSON.stringify(result));
      mkdirSync(directory, { recursive: true });
      reporter.onTestRunEnd(modules);
    } catch (error) {
      rmSync(this.#results.directory, { recursive: true, force: true });
      this.#missing(notWritten('allure-results', error));
    }
  }
}
