#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// What needs no TypeScript is answered before anything is loaded.
if (process.argv.includes('--version')) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  const { runnerImport } = await import('vite');
  const command = fileURLToPath(new URL('./command.ts', import.meta.url));
  const { module } = await runnerImport(command, { configFile: false, logLevel: 'error' });
  process.exitCode = await module.main(process.argv.slice(2), () => import('vitest/node'));
}
