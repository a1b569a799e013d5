#!/usr/bin/env node
import { isClone, start, version } from './start.mjs';

// What needs no TypeScript is answered before anything is loaded.
if (process.argv.some((one) => one === '--version' || one === '-v'))
  process.stdout.write(`${version}\n`);
else await start('../dist/src/cli/command.js', process.argv.slice(2), isClone);
