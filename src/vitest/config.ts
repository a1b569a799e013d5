import type { TestResult } from 'allure-js-commons';
import type { TestModule } from 'vitest/node';
import { requirements } from '../../specs/index.ts';
import { publish } from '../reports/publish.ts';
import { makeReportDir, removeReports } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import { allureResults } from '../reports/test-results.ts';
import { sanitizeLine } from '../reports/text.ts';
import { SettingsError } from '../settings/errors.ts';
import { select } from '../settings/selection.ts';
import {
  messageWithoutKey,
  readSettings,
  type Settings,
  type Target,
} from '../settings/settings.ts';
import { isCi } from '../settings/variables.ts';
import { EXIT, type ListedFailure, listedFailures } from '../verdict/verdict.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The result of the run, at the file with all requirements. */
    conformance?: RunResult;
  }
  interface ProvidedContext {
    conformance: VitestSettings;
  }
}

/** The settings that the process of the tests gets. */
export interface VitestSettings {
  /** Absent if the tests judge the embedded reference service. */
  target: Target | undefined;
  settings: Omit<Settings, 'target'>;
  knownFailures: ListedFailure[];
}

/** Reads the settings from the environment and `.env`. Ends the process if they are unusable. */
export async function readVitestSettings(): Promise<VitestSettings> {
  try {
    const allSettings = readSettings(process.env, process.cwd(), {
      needsTarget: isCi(process.env),
    });
    const { target, ...settings } = allSettings;
    for (const notice of settings.notices)
      process.stdout.write(`notice: ${sanitizeLine(notice)}\n`);
    if (/\*|vite/.test(process.env.DEBUG ?? ''))
      throw new SettingsError(
        'DEBUG makes Vite print its configuration, and the key with it: unset it.',
      );
    if (settings.start)
      throw new SettingsError(
        'CONFORMANCE_START is for the command: npm run conformance starts it.',
      );
    if (settings.baseline)
      throw new SettingsError('CONFORMANCE_BASELINE is for the command: npm run conformance.');
    select(requirements, settings.selection);
    makeReportDir(settings.reportDir);
    return { target, settings, knownFailures: await listedFailures(allSettings) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const message = messageWithoutKey(error, process.env, process.cwd());
    process.stderr.write(`${sanitizeLine(message)}\n`);
    return process.exit(EXIT.settings);
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
      allure = allureResults(result.report, result.traced).results;
    },
    beforeTestResultWrite: (result) => {
      Object.assign(result, allure.get(result.name ?? ''));
    },
  };
}
