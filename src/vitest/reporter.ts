import type { TestResult } from 'allure-js-commons';
import type { TestModule } from 'vitest/node';
import { publish } from '../reports/publish.ts';
import { removeReports } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import { type AllureResults, writeAttachments } from '../reports/test-results.ts';
import type { Settings } from '../settings/settings.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of the file of all requirements: what the run came to. */
    conformance?: RunResult;
  }
}

/** Writes the reports of the run that conformance.spec.ts makes, and prints its verdict. */
export function reportDirReporter(settings: Omit<Settings, 'target'>) {
  let unremoved: string[] = [];
  let allure: AllureResults | undefined;
  const writeResults = (results: AllureResults, directory: string) => {
    allure = results;
    writeAttachments(results, directory);
  };
  return {
    onTestRunStart: () => {
      unremoved = removeReports(settings.reportDir, false);
    },
    onTestRunEnd: (modules: readonly TestModule[]) => {
      const [result] = modules.flatMap((module) => module.meta().conformance ?? []);
      if (result === undefined) return;
      if (publish(result, { settings, unremoved, writeResults }) !== 0) process.exitCode ??= 1;
    },
    /** A listener for allure-vitest, which stands behind this reporter: the results of both ways are the same. */
    beforeTestResultWrite: (result: TestResult) => {
      Object.assign(result, allure?.results.get(result.name ?? ''));
    },
  };
}
