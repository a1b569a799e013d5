import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { FEW, inFolder, run } from '../shell.ts';
import { runCommand } from './kept-command.ts';
import { target, wrapped } from './started.ts';

// Scripts in golden/ have what init prints and writes; package.test.ts calls the installed one.

const API_KEY = 'Init-key_of $4711';
const BASE_URL = 'https://api.example.com/v1';

test.concurrent.each([
  'npm run token-server',
  'API_KEY=$KEY npm start',
  "sh -c 'npm start'",
  'npm start # `x` "y" \\n ~',
])('a shell and the suite read the same from .env with the command %s', async (command) => {
  await inFolder(async (folder) => {
    const args = ['init', '--base-url', BASE_URL, '--start', command];
    expect((await runCommand(args, { API_KEY }, folder)).stderr).toBe('');
    const text = readFileSync(join(folder, '.env'), 'utf8');
    const { stdout } = await run('sh', ['-c', 'set -a; . ./.env; env'], {}, folder);
    const expected = { API_KEY, BASE_URL, CONFORMANCE_START: command };
    expect(parse(text)).toEqual(expected);
    for (const [name, value] of Object.entries(expected))
      expect(stdout.split('\n')).toContain(`${name}=${value}`);
  });
});

test.concurrent('the first run after init passes for a conforming service', async () => {
  await inFolder(async (folder) => {
    const variables = await target();
    writeFileSync(join(folder, 'service.mjs'), wrapped(''));
    const args = ['init', '--base-url', variables.BASE_URL, '--start', 'node service.mjs'];
    const { stdout } = await runCommand(args, {}, folder);
    expect(stdout).toContain('The key in .env is a new one: replace it unless');
    const { API_KEY: newKey } = parse(readFileSync(join(folder, '.env'), 'utf8'));
    expect(newKey).toMatch(/^[0-9a-f]{32}$/);
    expect(stdout).not.toContain(newKey);
    const firstRun = await runCommand(FEW, { PORT: variables.PORT }, folder);
    expect(firstRun.stderr).toBe('');
    expect(firstRun.stdout).toContain('Verdict: conformant (partial).');
    expect(firstRun.code).toBe(0);
  });
});
