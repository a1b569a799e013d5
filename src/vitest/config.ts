import type { TestResult } from 'allure-js-commons';
import type { TestModule } from 'vitest/node';
import { requirements } from '../../specs/index.ts';
import { publish } from '../reports/publish.ts';
import { makeReportDir, removeReports } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import { type AllureResults, allureResults } from '../reports/test-results.ts';
import { sanitizeLine } from '../reports/text.ts';
import { SettingsError } from '../settings/errors.ts';
import { select } from '../settings/selection.ts';
import { messageWithoutKey, readSettings, type Settings } from '../settings/settings.ts';
import { isCi } from '../settings/variables.ts';
import { EXIT, listedFailures } from '../verdict/verdict.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of the file of all requirements: what the run came to. */
    conformance?: RunResult;
  }
  interface ProvidedContext {
    /** For the process of the tests; without a target they judge the embedded reference service. */
    conformance: Awaited<ReturnType<typeof settingsOfVitest>>;
  }
}

/** Reads the settings of the environment and of `.env`. Unusable ones end the process with one sentence. */
export async function settingsOfVitest() {
  try {
    const read = readSettings(process.env, process.cwd(), { needsTarget: isCi(process.env) });
    const { target, ...settings } = read;
    for (const notice of read.notices) process.stdout.write(`notice: ${sanitizeLine(notice)}\n`);
    if (/\*|vite/.test(process.env.DEBUG ?? '')) {
      throw new SettingsError(
        'DEBUG makes Vite print its configuration, and the key with it: unset it.',
      );
    }
    if (settings.start)
      throw new SettingsError(
        'CONFORMANCE_START is for the command: npm run conformance starts it.',
      );
    if (settings.baseline)
      throw new SettingsError('CONFORMANCE_BASELINE is for the command: npm run conformance.');
    select(requirements, settings.selection);
    makeReportDir(settings.reportDir);
    return { target, settings, knownFailures: await listedFailures(read) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const message = messageWithoutKey(error, process.env, process.cwd());
    process.stderr.write(`${sanitizeLine(message)}\n`);
    return process.exit(EXIT.settings);
  }
}

/** Writes the reports of the run that conformance.spec.ts makes, and prints its verdict. */
export function reportDirReporter(settings: Omit<Settings, 'target'>) {
  let unremoved: string[] = [];
  let allure: AllureResults | undefined;
  return {
    onTestRunStart: () => {
      unremoved = removeReports(settings.reportDir, false);
    },
    onTestRunEnd: (modules: readonly TestModule[]) => {
      const [result] = modules.flatMap((module) => module.meta().conformance ?? []);
      if (result === undefined) return;
      if (publish(result, { reportDir: settings.reportDir, unremoved, hasAllure: true }) !== 0)
        process.exitCode ??= 1;
      allure = allureResults(result.report, result.traced);
    },
    /** A listener for allure-vitest, which stands behind this reporter: the results of both ways are the same. */
    beforeTestResultWrite: (result: TestResult) => {
      Object.assign(result, allure?.results.get(result.name ?? ''));
    },
  };
}
