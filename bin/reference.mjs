#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const command = fileURLToPath(new URL('../reference/command.ts', import.meta.url));
const { module } = await runnerImport(command, { configFile: false, logLevel: 'error' });
process.exitCode = await module.main();
