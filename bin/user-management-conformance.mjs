#!/usr/bin/env node
import { importBuilt, isClone } from './built.mjs';
import { startCommand } from './start.mjs';

await startCommand(() => importBuilt('../dist/command.mjs'), isClone);
