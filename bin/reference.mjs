#!/usr/bin/env node
import { importBuilt } from './built.mjs';
import { start } from './start.mjs';

await start(() => importBuilt('../dist/reference/command.js'));
