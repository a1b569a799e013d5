#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { load } from './load.mjs';

const { module, close } = await load(fileURLToPath(new URL('../reference/command.ts', import.meta.url)));
process.exitCode = await module.main();
await close();
