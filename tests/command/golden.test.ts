import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { runScript } from './script.ts';

const SCRIPTS = join(import.meta.dirname, 'golden');

test.concurrent.for(readdirSync(SCRIPTS))('%s', async (name, { expect }) => {
  const file = join(SCRIPTS, name);
  await expect(await runScript(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
});
