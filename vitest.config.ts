import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { refresh } from './bin/build.mjs';

/** One `vitest run` with this configuration is one conformance run: what the command runs, compiled if need be. */
export default defineConfig(async () => {
  refresh();
  // By its address: what is named in an import here, Vite looks for before anything is compiled.
  const compiled = pathToFileURL(`${import.meta.dirname}/dist/src/cli/plain-vitest.js`).href;
  const { configurationOrExit }: typeof import('./src/cli/plain-vitest.ts') = await import(compiled);
  return configurationOrExit();
});
