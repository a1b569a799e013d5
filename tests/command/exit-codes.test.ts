import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// Node's fetch may use the dispatcher of this undici, and the other way round.
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { start } from '../services/service.ts';
import { FEW, inFolder, REPORT_NAMES, ROOT, reportIn, runNode, startNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

// golden/exit-codes.txt has the codes 1 and 3, golden/settings-errors.txt the code 2.

test.concurrent('0: the embedded reference service conforms', async () => {
  await inFolder(async (folder) => {
    const { code, stdout } = await runCommand([], {}, folder);
    expect(stdout).toMatch(
      /^target: http:\/\/127\.0\.0\.1:\d+\/v1 \(the embedded reference service\)$/m,
    );
    expect(stdout).toMatch(
      /\n\nThis was the embedded reference service: set BASE_URL and API_KEY to judge yours\.\n\nVerdict: conformant\. Every MUST holds\.\n$/,
    );
    expect(code).toBe(0);
    const report = reportIn(folder);
    expect(report?.requirements.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report?.target.name).toBe('embedded reference');
    expect(schemaError('report', report, 'report')).toBeUndefined();
    const { log } = JSON.parse(readFileSync(join(folder, 'reports/exchanges.har'), 'utf8'));
    const sent: { _requirements: string[]; request: { method: string } }[] = log.entries;
    // No requirement names the reads that check the service between phases, nor the malformed
    // creation at the end: only requirements on the whole run check them.
    const unnamed = sent.filter(({ _requirements }) => _requirements.length === 0);
    const unnamedCreations = unnamed.filter((entry) => entry.request.method !== 'GET');
    expect(unnamed.length).toBeLessThan(20);
    expect(unnamedCreations.length).toBeLessThanOrEqual(1);
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual(REPORT_NAMES);
  });
});

test.concurrent('the report directory is made again if it is deleted during the run', async () => {
  await inFolder(async (folder) => {
    const { baseUrl, apiKey, close } = await start((service) => {
      const { handle } = service;
      service.handle = (received) => {
        rmSync(join(folder, 'reports'), { recursive: true, force: true });
        return handle(received);
      };
    });
    const env = { BASE_URL: baseUrl, API_KEY: apiKey };
    const { stdout } = await runCommand(FEW, env, folder).finally(close);
    expect(stdout).not.toContain('missing');
    expect(readdirSync(join(folder, 'reports'))).toContain('junit.xml');
  });
});

test.concurrent('4: a run that waits for nothing says so, and writes nothing outside its folder', async () => {
  await inFolder(async (folder) => {
    const program = `import { start } from ${JSON.stringify(join(ROOT, 'bin/start.mjs'))};
      await start(() => ({ main: () => new Promise(() => {}) }));`;
    writeFileSync(join(folder, 'program.mjs'), program);
    const { code, stderr } = await runNode(['program.mjs'], { TMPDIR: folder }, folder);
    expect(code).toBe(4);
    expect(stderr).toBe('The suite itself failed: it waits for an event that never comes\n');
    // Others could write code into a cache below the system's temporary directory.
    expect(readdirSync(folder)).toEqual(['program.mjs']);
  });
});

test.concurrent('the reference service alone uses the port and the key that it gets', async () => {
  await inFolder(async (folder) => {
    const env = { PORT: '0', API_KEY: 'some-reference-key' };
    const { child, ended } = startNode([join(ROOT, 'bin/reference.mjs')], env, folder);
    const [line] = await once(child.stdout, 'data');
    const [baseUrl] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(`${line}`) ?? [];
    const headers = { authorization: 'Bearer some-reference-key' };
    const dispatcher = new Agent();
    const response = await request(`${baseUrl}/users`, { headers, dispatcher });
    expect(await response.body.json()).toEqual({ data: [], total: 0 });
    expect((await request(`${baseUrl}/users`, { dispatcher })).statusCode).toBe(401);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});
