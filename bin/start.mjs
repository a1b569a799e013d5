import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const { version, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/**
 * Calls `main` of a TypeScript file and ends with the exit code that it returns. What keeps it from being loaded is the
 * suite's own fault: Node would end with the code of a service that does not conform.
 */
export async function start(file, ...args) {
  // A reader that has seen enough (`| head`) ends no run.
  process.stdout.on('error', () => {});
  try {
    const { load } = await import('./load.mjs');
    const { module, close } = await load(fileURLToPath(new URL(file, import.meta.url)));
    process.exitCode = await module.main(...args);
    await close();
  } catch (error) {
    const needs = `It needs Node ${engines.node} (this is ${process.versions.node}) and all of its dependencies.`;
    process.stderr.write(`The suite itself failed: ${error.message}\n${needs}\n`);
    process.exitCode = 4;
  }
}
