import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { makeReporter, readVitestSettings } from './src/vitest/config.ts';

const { target, settings, knownFailures } = await readVitestSettings();
const reporter = makeReporter(settings);

/** One `vitest run` with this configuration is one conformance run: its tests are the requirements. */
export default defineConfig({
  test: {
    include: ['specs/conformance.spec.ts'],
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
