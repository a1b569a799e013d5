#!/usr/bin/env node
import { start } from './start.mjs';

await start('../dist/reference/command.js');
