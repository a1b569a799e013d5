import { defineConfig } from 'vitest/config';
import { suite } from './specs/suite.ts';
import { SettingsError } from './src/settings/settings-error.ts';
import { EXIT } from './src/verdict/verdict.ts';
import { configure } from './src/vitest/configure.ts';

/** One `vitest run` with this configuration is one conformance run. Unusable settings end it with one sentence. */
export default defineConfig(async () => {
  try {
    return (await configure(suite, import.meta.dirname)).configuration;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(EXIT.settings);
  }
});
