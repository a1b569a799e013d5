import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { FEW, inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';
import { API_KEY, target } from './started.ts';

test('a notice names the variables from .env before a service is started', async () => {
  await inFolder(async (folder) => {
    const { BASE_URL, PORT } = await target();
    const env = `BASE_URL=${BASE_URL}\nAPI_KEY=${API_KEY}\nCONFORMANCE_START='exit 7'\n`;
    writeFileSync(join(folder, '.env'), env);
    const notice = 'notice: from .env: BASE_URL, API_KEY, CONFORMANCE_START\n';
    const { code, stdout, stderr } = await runCommand(FEW, { PORT }, folder);
    expect(stdout).toBe(notice);
    expect(stderr).toContain('The service ended with exit code 7');
    expect(code).toBe(2);
    const quiet = await runCommand([...FEW, '--quiet'], { PORT }, folder);
    expect(quiet.stdout).toBe('');
    expect(quiet.stderr).toContain(notice);
  });
});

test('in CI a notice names the variables of .env that have no effect', async () => {
  const { baseUrl, apiKey, close } = await start();
  await inFolder(async (folder) => {
    const env = `BASE_URL=${baseUrl}\nAPI_KEY=${apiKey}\nCONFORMANCE_KNOWN_FAILURES=known.yml\n`;
    writeFileSync(join(folder, '.env'), env);
    const { code, stdout } = await runCommand(FEW, { CI: 'true' }, folder);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'notice: from .env: BASE_URL, API_KEY',
      'notice: not from .env, because CI is set: CONFORMANCE_KNOWN_FAILURES',
    ]);
    expect(code).toBe(0);
  }).finally(close);
});
