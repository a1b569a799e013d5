import { createRunnableDevEnvironment, createServerModuleRunnerTransport, resolveConfig } from 'vite';
import { createDefaultImportMeta, ModuleRunner } from 'vite/module-runner';

/**
 * Imports a TypeScript module of this package, which Node 20 can't do itself; `close` ends what that takes. Vite's own
 * `runnerImport` would forbid what the module imports later, and on Node 20 send every import through a thread of hooks
 * for `import.meta.resolve`, which nothing here uses.
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
    runner: ({ hot }) =>
      new ModuleRunner({
        transport: createServerModuleRunnerTransport({ channel: hot }),
        hmr: false,
        createImportMeta: createDefaultImportMeta,
      }),
    hot: false,
  });
  await environment.init();
  return { module: await environment.runner.import(file), close: () => environment.close() };
}
