import { randomInt } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { ViteUserConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import type { Report } from '../reports/report.ts';
import { makeReportDir } from '../reports/report-dir.ts';
import { SEED_LIMIT } from '../settings/limits.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { listedFailures } from '../verdict/listed-failures.ts';
import { Conductor } from './conductor.ts';
import type { ConformanceReporter } from './reporter.ts';

// A list of 200,000 users leaves much behind each time it is read. By default V8 would let that grow to several times of
// what is in use before it is collected; measured, the lower bounds cost no time.
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--max-semi-space-size=8');

/** What one conformance run is, as Vitest's configuration, and the reporter that knows its exit code. */
export interface Configured {
  configuration: ViteUserConfig;
  reporter: ConformanceReporter;
  settings: Settings;
  conductor: Conductor;
}

/**
 * Reads the settings and makes a run of them. `root` is the suite's own folder. Rejects with a SettingsError where they are
 * unusable.
 */
export async function configure(suite: Report['suite'], root: string): Promise<Configured> {
  // Read here and handed on: in the workers Vitest puts its own BASE_URL in the environment's place.
  const read = readSettings(process.env, process.cwd());
  const settings = read.thorough ? { ...read, seed: read.seed ?? randomInt(SEED_LIMIT) } : read;
  if (settings.start && /\*|child_process/i.test(process.env.NODE_DEBUG ?? '')) {
    throw new SettingsError('NODE_DEBUG would print the key that the started service is given: unset it.');
  }
  makeReportDir(settings.reportDir);
  // In a thread NODE_DEBUG would print every request, and some carry the key in the query; Node prints the environment there.
  for (const name of ['NODE_DEBUG', 'API_KEY', 'CONFORMANCE_HEADERS']) delete process.env[name];
  const knownFailures = await listedFailures(settings);
  const conductor = new Conductor(pathToFileURL(`${root}/thread/thread.js`), settings, knownFailures);
  // What makes the reports is loaded beside the thread, which takes longer.
  const [{ ConformanceReporter }, written] = await Promise.all([
    import('./reporter.ts'),
    import('./written-reporters.ts'),
  ]);
  const reporter = new ConformanceReporter({ suite, settings, knownFailures, conductor });
  const partial = settings.selection.only.length + settings.selection.skip.length > 0;
  const junit = {
    suiteName: partial ? `${suite.name} (partial)` : suite.name,
    includeConsoleOutput: false,
    classnameTemplate: suite.name,
  };
  const reporters = [
    reporter,
    new written.JUnitFile(settings.reportDir, junit, reporter.missing),
    new written.AllureFiles(reporter.allure, reporter.missing),
  ];
  return { configuration: configurationOf(settings, conductor, reporters, root), reporter, settings, conductor };
}

function configurationOf(
  settings: Settings,
  { channel }: Conductor,
  reporters: Reporter[],
  root: string,
): ViteUserConfig {
  const deadlineMs = settings.deadlineMs + (settings.thorough ? settings.budgetMs : 0);
  return {
    root,
    // Nothing of the project in which the suite is installed is loaded: its configuration would run beside the key.
    envDir: false,
    publicDir: false,
    css: { postcss: { plugins: [] } },
    test: {
      // What is compiled needs no more of Vite: Node loads it.
      server: { deps: { external: [/\/dist\//] } },
      // The package may be installed where nothing can be written.
      cache: false,
      include: ['specs/conformance.spec.js'],
      exclude: [],
      provide: { channel },
      // One worker, and all tests at once: each waits for its outcome.
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      sequence: { concurrent: true },
      maxConcurrency: 1000,
      // The deadline of the run is the suite's own; Vitest's is only there to end a suite that hangs.
      testTimeout: deadlineMs + 5000,
      hookTimeout: deadlineMs + 5000,
      reporters,
    },
  };
}
