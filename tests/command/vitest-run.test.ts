import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, inFolder, reportIn, runNode, VITEST } from '../shell.ts';

test.concurrent('a wrong key is one failed test of Vitest, and one reason in every report', async () => {
  const service = await start();
  await inFolder(async (folder) => {
    const env = {
      BASE_URL: service.baseUrl,
      API_KEY: 'another-key',
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
    };
    const { code, stdout } = await runNode([VITEST, 'run'], env, join(COMMAND, '../..'));
    const because = 'The service returns 401 for GET /users and POST /users with this API_KEY: is it the right key?';
    expect(stdout).toMatch(/ 1 failed \| 1 passed \| \d+ skipped /);
    expect(stdout).toContain(`Verdict: inconclusive. ${because}`);
    expect(code).toBe(1);
    expect(reportIn(folder)).toMatchObject({ verdict: 'inconclusive', because, obstacle: because });
    const junit = readFileSync(join(folder, 'reports/junit.xml'), 'utf8');
    expect(junit.match(/<error /g)).toHaveLength(1);
    const [, rest = ''] = readFileSync(join(folder, 'reports/summary.md'), 'utf8').split(because);
    expect(rest).not.toContain('the right key');
  }).finally(service.close);
});

test.concurrent('Vite may not print its configuration, in which the key is', async () => {
  await inFolder(async (folder) => {
    const env = { BASE_URL: 'embedded-reference', CONFORMANCE_REPORT_DIR: join(folder, 'reports'), DEBUG: 'vite:*' };
    const { code, stderr } = await runNode([VITEST, 'run'], env, join(COMMAND, '../..'));
    expect(stderr).toContain('DEBUG makes Vite print its configuration, and the key with it: unset it.\n');
    expect(code).toBe(2);
  });
});
