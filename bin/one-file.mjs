#!/usr/bin/env node
import { startCommand } from './start.mjs';

await startCommand(() => import('../dist/src/cli/command.js'));
