import { createRunnableDevEnvironment, resolveConfig } from 'vite';
import { createDefaultImportMeta } from 'vite/module-runner';

/**
 * Imports a TypeScript module of this package, which Node 20 can't do itself. Vite's own `runnerImport` would forbid what
 * the module imports later, and starts a thread that this needs not. `close` ends it.
 */
export async function load(file) {
  const environments = {
    package: {
      consumer: 'server',
      dev: { moduleRunnerTransform: true },
      resolve: { external: true, mainFields: [], conditions: ['node'] },
    },
  };
  const config = await resolveConfig({ configFile: false, envDir: false, logLevel: 'error', environments }, 'serve');
  const environment = createRunnableDevEnvironment('package', config, {
    runnerOptions: { hmr: { logger: false }, createImportMeta: createDefaultImportMeta },
    hot: false,
  });
  await environment.init();
  return { module: await environment.runner.import(file), close: () => environment.close() };
}
