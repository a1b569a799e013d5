import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// Not Node's fetch: it would use the dispatcher of this undici, which is of another version.
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, inFolder, reportIn } from '../shell.ts';
import { judgeByCommand } from './judge-by-command.ts';
import { runCommand } from './kept-command.ts';

describe.concurrent('exit codes', () => {
  test('0: the embedded reference service conforms, and the run says what it judged', async () => {
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
      // What only the requirements on the whole run look at is named by none: looks after the service, and the
      // malformed creation at the end.
      const unnamed = sent.filter(({ _requirements }) => _requirements.length === 0);
      expect(unnamed.length).toBeLessThan(20);
      expect(unnamed.filter(({ request }) => request.method !== 'GET').length).toBeLessThanOrEqual(
        1,
      );
      const written = readdirSync(join(folder, 'reports'));
      expect(written).toEqual(
        expect.arrayContaining([
          'allure-results',
          'badge.json',
          'conformance.json',
          'exchanges.har',
          'junit.xml',
          'report.html',
          'summary.md',
        ]),
      );
    });
  });

  test('1: a service that forgets the key on one route', async () => {
    const patch = brokenBy('the guard matches the path exactly');
    const { code, stdout, report } = await judgeByCommand(patch, {}, [
      '--strict',
      '--only',
      'authentication.retrieve-*',
      'create.location',
    ]);
    expect(code).toBe(1);
    expect(report?.scope.strict).toBe(true);
    expect(stdout).toContain('✗ MUST authentication.retrieve-needs-key');
    expect(stdout).toContain('Verdict: non-conformant');
    const failed = report?.requirements.filter(({ outcome }) => outcome === 'failed') ?? [];
    expect(failed.map(({ id }) => id)).toEqual(['authentication.retrieve-needs-key']);
    expect(failed[0]?.exchanges.length).toBeGreaterThan(0);
    expect(schemaError('report', report, 'report')).toBeUndefined();
  });

  test.for([
    [
      'a target that does not answer',
      'Connection refused: is the service running, and is BASE_URL right?',
    ],
    [
      'a wrong key',
      'The service returns 401 for GET /users and POST /users with this API_KEY: is it the right key?',
    ],
  ] as const)('3: %s, and one reason in every report', async ([what, because]) => {
    const service = await start();
    if (what !== 'a wrong key') await service.close();
    await inFolder(async (folder) => {
      const { code, stdout } = await runCommand(
        [],
        { BASE_URL: service.baseUrl, API_KEY: 'another-key' },
        folder,
      );
      expect(code).toBe(3);
      const [question = ''] = because.slice(because.indexOf(': ') + 2).split(',');
      const timesIn = (text: string) => text.split(question).length - 1;
      expect(timesIn(stdout)).toBe(1);
      expect(stdout).toContain(`Verdict: inconclusive. ${because}`);
      expect(stdout).not.toContain('list.total-integer');
      expect(stdout).not.toMatch(/[ \t]$/m);
      const report = reportIn(folder);
      const said = expect.stringContaining(because);
      expect(report).toMatchObject({ verdict: 'inconclusive', because: said, obstacle: said });
      // Those of the first line of the plan, and a creation where the list is refused.
      expect(report?.requests).toBeLessThan(20);
      expect(schemaError('report', report, 'report')).toBeUndefined();
      expect(
        readFileSync(join(folder, 'reports/junit.xml'), 'utf8').match(/<error /g),
      ).toHaveLength(1);
      expect(timesIn(readFileSync(join(folder, 'reports/summary.md'), 'utf8'))).toBe(1);
    });
    if (what === 'a wrong key') await service.close();
  });
});

test.concurrent('flags win over the environment, which wins over .env; a failed SHOULD does not fail the run', async () => {
  await inFolder(async (folder) => {
    const service = await start(brokenBy('no Location'), (patched) => {
      const { handle } = patched;
      patched.handle = (request) => {
        rmSync(join(folder, 'elsewhere'), { recursive: true, force: true });
        return handle(request);
      };
    });
    writeFileSync(
      join(folder, '.env'),
      `BASE_URL=${service.baseUrl}\nAPI_KEY=${service.apiKey}\nCONFORMANCE_STRICT=1\n`,
    );
    const env = { CONFORMANCE_STRICT: '0', CONFORMANCE_ONLY: 'create.location create.status-201' };
    const args = ['--report-dir', 'elsewhere', '--name', 'Mine'];
    const { code, stdout } = await runCommand(args, env, folder).finally(service.close);
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
    // The folder that went away during the run was made again.
    expect(stdout).not.toContain('missing');
    expect(readdirSync(join(folder, 'elsewhere'))).toContain('junit.xml');
  });
});

test.concurrent('the reference service is served alone, on a given port with a given key', async () => {
  const child = spawn(process.execPath, [join(COMMAND, '../reference.mjs')], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', API_KEY: 'some-reference-key' },
  });
  const line = await new Promise<string>((said) =>
    child.stdout.once('data', (data) => said(String(data))),
  );
  const baseUrl = line.match(/http:\/\/127\.0\.0\.1:\d+\/v1/)?.[0] as string;
  const answer = await request(`${baseUrl}/users`, {
    headers: { authorization: 'Bearer some-reference-key' },
  });
  expect(await answer.body.json()).toEqual({ data: [], total: 0 });
  expect((await request(`${baseUrl}/users`)).statusCode).toBe(401);
  const ended = new Promise((end) => child.once('close', end));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
