import type { TestResult } from 'allure-js-commons';
import type { TestModule } from 'vitest/node';
import { allureName, allureResults } from '../reports/allure.ts';
import { publish } from '../reports/publish.ts';
import type { RunResult } from '../reports/run-result.ts';
import { ALLURE, listFiles, removeReports } from '../reports/written-files.ts';
import { attempt } from '../settings/files.ts';
import type { Settings } from '../settings/settings.ts';
import { EXIT } from '../verdict/verdict.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The result of the run, at the file with all requirements. */
    conformance?: RunResult;
  }
}

interface ConformanceReporter {
  onTestRunStart: () => void;
  onTestRunEnd: (modules: readonly TestModule[]) => void;
  /** A listener of allure-vitest, so that its results are those of the command. */
  beforeTestResultWrite: (result: TestResult) => void;
}

/** Returns a reporter that writes the reports of conformance.spec.ts and prints the verdict. */
export function makeReporter({ reportDir }: Omit<Settings, 'target'>): ConformanceReporter {
  let unremoved: string[] = [];
  let allure: ReadonlyMap<string, object> = new Map();
  return {
    onTestRunStart: () => {
      unremoved = removeReports(reportDir, false);
    },
    onTestRunEnd: (modules) => {
      const [result] = modules.flatMap((module) => module.meta().conformance ?? []);
      if (result === undefined) return;
      const exitCode = publish(result, { reportDir, unremoved, hasAllure: true });
      if (exitCode !== EXIT.conformant) process.exitCode ??= 1;
      allure = allureResults(result.report).results;
    },
    beforeTestResultWrite: (result) => {
      Object.assign(result, allure.get(result.name ?? ''));
      attempt(ALLURE, () => listFiles(reportDir, [`${ALLURE}/${allureName(result.uuid)}`]));
    },
  };
}
