import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import type { VitestPluginContext } from 'vitest/node';
import packageJson from './package.json' with { type: 'json' };
import { REQUIREMENT_SET } from './specs/requirement-set.ts';
import { makeReportDir } from './src/reports/files.ts';
import { readSettings, type Settings } from './src/settings/settings.ts';
import { SettingsError } from './src/settings/settings-error.ts';
import { EXIT } from './src/verdict/verdict.ts';
import { ConformanceReporter } from './src/vitest/reporter.ts';

// A list of 200,000 users leaves much behind each time it is read. By default V8 would let that grow to several times of
// what is in use before it is collected; measured, the lower bounds cost no time.
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--max-semi-space-size=8');

/**
 * What one conformance run is, as Vitest's configuration, and the reporter that knows its exit code. Ends the process
 * with one sentence when the settings are unusable.
 */
export async function configure(): Promise<{ configuration: ViteUserConfig; reporter: ConformanceReporter }> {
  // Read here and handed on: in the workers Vitest puts its own BASE_URL in the environment's place.
  const settings = await settingsOrExit();
  const { name, version } = packageJson;
  const partial = settings.selection.only.length + settings.selection.skip.length > 0;
  const reporter = new ConformanceReporter(settings, { name, version, requirementSet: REQUIREMENT_SET });
  const configuration: ViteUserConfig = {
    root: import.meta.dirname,
    // Read while the worker starts, which else would ask for one file after the other.
    plugins: [{ name: 'shards', configureVitest: spread }],
    server: { warmup: { ssrFiles: ['specs/*.ts', 'src/**/*.ts'] } },
    test: {
      // The package may be installed where nothing can be written.
      cache: false,
      include: ['specs/conformance.spec.ts'],
      exclude: [],
      provide: { settings, ...(settings.target && { target: settings.target }) },
      globalSetup: settings.target ? [] : ['reference/embedded.ts'],
      // One worker, because checks share what they find out, and all at once, because requests take longer than checks.
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      sequence: { concurrent: true },
      maxConcurrency: 1000,
      // The deadline of the run is the suite's own; Vitest's is only there to end a suite that hangs.
      testTimeout: settings.deadlineMs + 5000,
      hookTimeout: settings.deadlineMs + 5000,
      reporters: [
        reporter,
        [
          'junit',
          {
            outputFile: join(settings.reportDir, 'junit.xml'),
            suiteName: partial ? `${name} (partial)` : name,
            includeConsoleOutput: false,
            classnameTemplate: name,
          },
        ],
        [
          'allure-vitest/reporter',
          {
            resultsDir: reporter.allureDirectory,
            reportMatchers: false,
            listeners: [{ beforeTestResultWrite: reporter.completeAllureResult.bind(reporter) }],
          },
        ],
      ],
    },
  };
  return { configuration, reporter };
}

/** With `--shard` a run is spread over the files that Vitest shares out; otherwise one file has all, for speed. */
function spread({ vitest, project }: VitestPluginContext): void {
  if (vitest.config.shard) project.config.include = ['specs/shards/*.spec.ts'];
}

async function settingsOrExit(): Promise<Settings> {
  try {
    const settings = await readSettings(process.env, process.cwd());
    makeReportDir(settings.reportDir);
    return settings;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(EXIT.settings);
  }
}

/** One `vitest run` with this configuration is one conformance run. */
export default defineConfig(async () => (await configure()).configuration);
