#!/usr/bin/env node
import { isClone, start, version } from './start.mjs';

const args = process.argv.slice(2);

// The version is printed even if nothing has been compiled.
if (args.includes('--version') || args.includes('-v')) process.stdout.write(`${version}\n`);
else await start('../dist/src/cli/command.js', args, isClone);
