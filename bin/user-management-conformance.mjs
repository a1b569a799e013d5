#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// What needs no TypeScript is answered before anything is loaded.
if (process.argv.includes('--version')) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  const { load } = await import('./load.mjs');
  const { module, close } = await load(fileURLToPath(new URL('./command.ts', import.meta.url)));
  process.exitCode = await module.main(process.argv.slice(2));
  await close();
}
