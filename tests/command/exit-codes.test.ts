import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// Node's fetch would use the dispatcher of this undici, which has another version.
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { freePort } from '../free-port.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder, REPORT_NAMES, ROOT, reportIn, startNode } from '../shell.ts';
import { judgeByCommand } from './judge-by-command.ts';
import { runCommand } from './kept-command.ts';

describe.concurrent('exit codes', () => {
  test('0: the embedded reference service conforms, and the output names it', async () => {
    await inFolder(async (folder) => {
      const { code, stdout } = await runCommand([], {}, folder);
      expect(stdout).toMatch(
        /target: http:\/\/127\.0\.0\.1:\d+\/v1 \(the embedded reference service/,
      );
      expect(stdout).toContain('Verdict: conformant');
      expect(stdout.trimEnd().split('\n').slice(-3)).toEqual([
        'This was the embedded reference service: set BASE_URL and API_KEY to judge yours.',
        '',
        'Verdict: conformant. Every MUST holds.',
      ]);
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
      const unnamedCreations = unnamed.filter(({ request }) => request.method !== 'GET');
      expect(unnamed.length).toBeLessThan(20);
      expect(unnamedCreations.length).toBeLessThanOrEqual(1);
      expect(readdirSync(join(folder, 'reports')).sort()).toEqual(REPORT_NAMES);
    });
  });

  test('1: one route of the service needs no key', async () => {
    const patch = brokenBy('the guard matches the path exactly');
    const args = ['--strict', '--only', 'authentication.retrieve-*', 'create.location'];
    const { code, stdout, report } = await judgeByCommand(patch, {}, args);
    expect(code).toBe(1);
    expect(report?.scope.strict).toBe(true);
    expect(stdout).toContain('✗ MUST authentication.retrieve-needs-key');
    expect(stdout).toContain('Verdict: non-conformant');
    const failed = report?.requirements.filter(({ outcome }) => outcome === 'failed') ?? [];
    expect(failed.map(({ id }) => id)).toEqual(['authentication.retrieve-needs-key']);
    expect(failed[0]?.exchanges.length).toBeGreaterThan(0);
    expect(schemaError('report', report, 'report')).toBeUndefined();
  });

  /** Expects an inconclusive run after few requests, with one reason in each report. */
  async function expectInconclusive(baseUrl: string, because: string, question: string) {
    await inFolder(async (folder) => {
      const env = { BASE_URL: baseUrl, API_KEY: 'another-key' };
      const { code, stdout } = await runCommand([], env, folder);
      expect(code).toBe(3);
      const timesIn = (text: string) => text.split(question).length - 1;
      expect(timesIn(stdout)).toBe(1);
      expect(stdout).toContain(`Verdict: inconclusive. ${because}`);
      expect(stdout).not.toContain('list.total-integer');
      expect(stdout).not.toMatch(/[ \t]$/m);
      const report = reportIn(folder);
      const reason = expect.stringContaining(because);
      expect(report).toMatchObject({ verdict: 'inconclusive', because: reason, obstacle: reason });
      // The run ends after its first requests; it tries a creation if the list is rejected.
      expect(report?.requests).toBeLessThan(20);
      expect(schemaError('report', report, 'report')).toBeUndefined();
      const junit = readFileSync(join(folder, 'reports/junit.xml'), 'utf8');
      expect(junit.match(/<error /g)).toHaveLength(1);
      expect(timesIn(readFileSync(join(folder, 'reports/summary.md'), 'utf8'))).toBe(1);
    });
  }

  test('3: no service listens', async () => {
    const because = 'Connection refused: is the service running, and is BASE_URL right?';
    const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
    await expectInconclusive(baseUrl, because, 'is the service running');
  });

  test('3: a wrong key', async () => {
    const { baseUrl, close } = await start();
    const because =
      'The service returns 401 for GET /users and POST /users with this API_KEY: is it the right key?';
    await expectInconclusive(baseUrl, because, 'is it the right key?').finally(close);
  });
});

test.concurrent('flags override the environment, and the environment overrides .env', async () => {
  await inFolder(async (folder) => {
    const service = await start(brokenBy('no Location'), (patched) => {
      const { handle } = patched;
      patched.handle = (request) => {
        rmSync(join(folder, 'elsewhere'), { recursive: true, force: true });
        return handle(request);
      };
    });
    const envFile = [
      `BASE_URL=${service.baseUrl}`,
      `API_KEY=${service.apiKey}`,
      'CONFORMANCE_STRICT=1',
      '',
    ];
    writeFileSync(join(folder, '.env'), envFile.join('\n'));
    const env = { CONFORMANCE_STRICT: '0', CONFORMANCE_ONLY: 'create.location create.status-201' };
    const args = ['--report-dir', 'elsewhere', '--name', 'Mine'];
    const { code, stdout } = await runCommand(args, env, folder).finally(service.close);
    // Without --strict a failed SHOULD does not fail the run.
    expect(code).toBe(0);
    expect(stdout).toContain('! SHOULD create.location');
    expect(stdout).toContain('name: Mine\n');
    const report = JSON.parse(readFileSync(join(folder, 'elsewhere/conformance.json'), 'utf8'));
    expect(report.target).toEqual({
      name: 'Mine',
      baseUrl: service.baseUrl,
      embeddedReference: false,
    });
    expect(report.scope.strict).toBe(false);
    // The service deleted the report directory during the run; the suite created it again.
    expect(stdout).not.toContain('missing');
    expect(readdirSync(join(folder, 'elsewhere'))).toContain('junit.xml');
  });
});

test.concurrent('the reference service alone uses the port and the key that it gets', async () => {
  await inFolder(async (folder) => {
    const env = { PORT: '0', API_KEY: 'some-reference-key' };
    const { child, ended } = startNode([join(ROOT, 'bin/reference.mjs')], env, folder);
    const [line] = await once(child.stdout, 'data');
    const [baseUrl] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(`${line}`) ?? [];
    const headers = { authorization: 'Bearer some-reference-key' };
    const response = await request(`${baseUrl}/users`, { headers });
    expect(await response.body.json()).toEqual({ data: [], total: 0 });
    expect((await request(`${baseUrl}/users`)).statusCode).toBe(401);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});
