import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(fileURLToPath(new URL('./bench.ts', import.meta.url)), {
  configFile: false,
});
await module.main(process.argv.slice(2));
