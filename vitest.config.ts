import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { makeReporter } from './src/vitest/reporter.ts';
import { readVitestSettings } from './src/vitest/settings.ts';

const { target, settings, knownFailures } = await readVitestSettings();
const reporter = makeReporter(settings);

/** One `vitest run` with this configuration is one conformance run: its tests are the requirements. */
export default defineConfig({
  test: {
    include: ['src/vitest/conformance.spec.ts'],
    provide: { conformance: { target, settings, knownFailures } },
    reporters: [
      'default',
      reporter,
      [
        'allure-vitest/reporter',
        {
          resultsDir: join(settings.reportDir, 'allure-results'),
          reportMatchers: false,
          listeners: [{ beforeTestResultWrite: reporter.beforeTestResultWrite }],
        },
      ],
    ],
  },
});
