import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, reportIn, runNode, VITEST } from '../shell.ts';
import { judgeByCommand } from './judge-by-command.ts';

describe.concurrent('exit codes', () => {
  test('0: the embedded reference service conforms, and the run says what it judged', async () => {
    await inFolder(async (folder) => {
      const { code, stdout } = await runNode([COMMAND], {}, folder);
      expect(stdout).toMatch(/target: http:\/\/127\.0\.0\.1:\d+\/v1 \(the embedded reference service/);
      expect(stdout).toContain('Verdict: conformant');
      expect(stdout.trimEnd().split('\n').at(-1)).toBe(
        'This was the embedded reference service: set BASE_URL and API_KEY to judge yours.',
      );
      expect(code).toBe(0);
      const report = reportIn(folder);
      expect(report?.requirements.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
      expect(report?.target.name).toBe('embedded reference');
      expect(schemaError('report.schema.json', report, 'report')).toBeUndefined();
      const { log } = JSON.parse(readFileSync(join(folder, 'reports/exchanges.har'), 'utf8'));
      const sent: { _requirements: string[]; request: { method: string } }[] = log.entries;
      // A look after the service, which only the requirements on the whole run look at, is named by none.
      const unnamed = sent.filter(({ _requirements }) => _requirements.length === 0);
      expect(unnamed.length).toBeLessThan(20);
      expect(unnamed.map(({ request }) => request.method)).toEqual(unnamed.map(() => 'GET'));
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
    expect(schemaError('report.schema.json', report, 'report')).toBeUndefined();
  });

  test.each([
    [{ BASE_URL: 'http://127.0.0.1:9/v1' }, [], 'API_KEY is missing'],
    [{}, ['--timeout', 'soon'], '--timeout is "soon"'],
    [{}, ['--report-dir', '/dev/null/reports'], "Reports can't be written to /dev/null/reports (ENOTDIR)"],
    [{}, ['--api-key', 'secret-key'], 'the key has none, it is read from API_KEY'],
    [{ API_KEY: 's3cret-key' }, ['list.answers', 'S3CRET-KEY'], 'An argument holds the key'],
    [{ API_KEY: 's3cret-key' }, [], 'API_KEY is set and BASE_URL is not'],
    [{ CI: 'true' }, [], 'No service is set: set BASE_URL to its base address'],
    [{ CI: 'true', BASE_URL: '', API_KEY: 's3cret-key' }, [], 'BASE_URL is set but empty'],
    [{ BASE_URL: '', API_KEY: '' }, [], 'BASE_URL is set but empty'],
    [{ BASE_URL: '$BASE_URL', API_KEY: '$API_KEY' }, [], 'BASE_URL is a placeholder such as $NAME'],
    [{}, ['--only', `${'*'.repeat(28)}zz`], 'No requirement matches'],
    [{ CONFORMANCE_TIMEOUT_MS: 'soon' }, [], 'CONFORMANCE_TIMEOUT_MS is "soon"'],
    [{}, ['--verbos'], "Unknown option '--verbos': did you mean --verbose?"],
    [{}, ['complare'], '"complare" is no flag and no command: did you mean compare?'],
    [{}, ['--last-failed'], "can't be read (ENOENT): make a run first"],
    [{}, ['--last-failed', '--only', 'list.*'], '--only has no effect with --last-failed.'],
    [{}, ['--quiet', '--verbose'], '--quiet has no effect with --verbose.'],
    [{}, ['--list', '--open'], '--open has no effect with --list.'],
    [{}, ['--watch-path', 'src'], '--watch-path has no effect without --watch.'],
    [{}, ['--watch', '--watch-path', 'nowhere'], '--watch-path is "nowhere": there is no such directory.'],
    [{}, ['--seed', '1'], '--seed has no effect without --thorough.'],
    [{}, ['--json'], '--json has no effect without --list.'],
    [{}, ['--list', '--strict'], '--strict has no effect with --list.'],
    [{}, ['--list', '--watch'], '--watch has no effect with --list.'],
    [{ CONFORMANCE_STRICT: '1\n::set-output name=verdict::conformant' }, [], '1\\n\\u003a:set-output'],
  ])('2: unusable settings end in one sentence (%o %o)', async (env, args, sentence) => {
    await inFolder(async (folder) => {
      const { code, stdout, stderr } = await runNode([COMMAND, ...args], env as Record<string, string>, folder);
      expect(stderr).toContain(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toMatch(/s3cret/i);
      expect(stdout).toBe('');
      expect(code).toBe(2);
    });
  });

  test('3: a target that does not answer, with reports', async () => {
    const service = await start();
    await service.close();
    await inFolder(async (folder) => {
      const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
      const { code, stdout } = await runNode([COMMAND], env, folder);
      expect(code).toBe(3);
      // The reason is said once.
      expect(stdout.match(/connection refused/gi)).toHaveLength(1);
      expect(stdout).toContain(
        'Verdict: inconclusive. Connection refused: is the service running, and is BASE_URL right?',
      );
      expect(stdout).not.toContain('list.total-integer');
      expect(stdout).not.toMatch(/[ \t]$/m);
      // Those of the first line of the plan.
      expect(reportIn(folder)?.requests).toBeLessThan(6);
      expect(schemaError('report.schema.json', reportIn(folder), 'report')).toBeUndefined();
    });
  });

  test('a wrong key is one failed test of Vitest, and one reason in every report', async () => {
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
    const { code, stdout } = await runNode([COMMAND, ...args], env, folder).finally(service.close);
    expect(code).toBe(0);
    expect(stdout).toContain('! SHOULD create.location');
    expect(stdout).toContain('name: Mine\n');
    const report = JSON.parse(readFileSync(join(folder, 'elsewhere/conformance.json'), 'utf8'));
    expect(report.target).toEqual({ name: 'Mine', baseUrl: service.baseUrl, embeddedReference: false });
    expect(report.scope.strict).toBe(false);
    // The folder that went away during the run was made again.
    expect(stdout).not.toContain('missing');
    expect(readdirSync(join(folder, 'elsewhere'))).toContain('junit.xml');
  });
});

test.concurrent('a plain `vitest run` at the top makes the same run; a filtered one says so in every report', async () => {
  await inFolder(async (folder) => {
    const top = join(COMMAND, '../..');
    const env = {
      BASE_URL: 'embedded-reference',
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
      CONFORMANCE_ONLY: 'versioning.* create.location',
      CONFORMANCE_SKIP: '*.unknown-version',
      GITHUB_OUTPUT: join(folder, 'outputs'),
    };
    // Vite would print the configuration, in which the key is.
    const debugged = await runNode([VITEST, 'run'], { ...env, DEBUG: 'vite:*' }, top);
    expect(debugged.stderr).toContain('DEBUG makes Vite print its configuration, and the key with it: unset it.\n');
    expect(debugged.code).toBe(2);
    const { code, stdout } = await runNode([VITEST, 'run'], env, top);
    expect(code).toBe(0);
    expect(stdout).toContain('Verdict: conformant (partial). Every MUST that was judged holds.');
    const report = reportIn(folder);
    expect(report?.title).toBe('conformant (partial)');
    expect(report?.target.embeddedReference).toBe(true);
    const judged = report?.requirements.filter(({ outcome }) => outcome !== 'not-applicable').map(({ id }) => id);
    expect(judged).toEqual(['versioning.base-address', 'versioning.needs-segment', 'create.location']);
    // Of the page what it says, not how it looks.
    const shown = (text: string) => text.replaceAll(/<(style|script)>.*?<\/\1>|<[^>]*>/gs, '');
    const texts = [
      stdout,
      ...filesBelow(folder).map(({ path, content }) => (path.endsWith('.html') ? shown(content) : content)),
    ];
    const spoken = texts.flatMap((text) => text.match(/(?<!non-|"verdict": ")\bconformant\b.{0,10}/g) ?? []);
    expect(spoken.filter((words) => !words.startsWith('conformant (partial)'))).toEqual([]);
    const junit = filesBelow(folder).find(({ path }) => path.endsWith('junit.xml'))?.content;
    expect(junit).toContain('<testsuites name="user-management-conformance (partial)"');
  });
});

test.concurrent('the reference service is served alone, on a given port with a given key', async () => {
  const child = spawn(process.execPath, [join(COMMAND, '../reference.mjs')], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', API_KEY: 'some-reference-key' },
  });
  const line = await new Promise<string>((said) => child.stdout.once('data', (data) => said(String(data))));
  const baseUrl = line.match(/http:\/\/127\.0\.0\.1:\d+\/v1/)?.[0] as string;
  const answer = await fetch(`${baseUrl}/users`, { headers: { authorization: 'Bearer some-reference-key' } });
  expect(await answer.json()).toEqual({ data: [], total: 0 });
  expect((await fetch(`${baseUrl}/users`)).status).toBe(401);
  const ended = new Promise((end) => child.once('close', end));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test.concurrent('4: what nobody catches is one sentence without the key, and what was judged by then is kept', async () => {
  let child: ChildProcess | undefined;
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = (request) => {
      // Users exist by now, so something was judged.
      if (request.method === 'GET' && request.path.includes('/users/')) child?.kill('SIGUSR2');
      return handle(request);
    };
  });
  await inFolder(async (folder) => {
    writeFileSync(
      join(folder, 'fault.mjs'),
      "process.once('SIGUSR2', () => { throw new Error('sent: Bearer ' + process.env.API_KEY + '\\nand more'); });",
    );
    const env = {
      ...{ PATH: process.env.PATH ?? '', HOME: folder, BASE_URL: service.baseUrl, API_KEY: service.apiKey },
      NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'fault.mjs'))}`,
    };
    child = spawn(process.execPath, [COMMAND], { cwd: folder, env });
    const out = { stdout: '', stderr: '' };
    child.stdout?.on('data', (data) => {
      out.stdout += data;
    });
    child.stderr?.on('data', (data) => {
      out.stderr += data;
    });
    expect(await new Promise((end) => child?.once('close', end))).toBe(4);
    expect(out.stdout).toContain('The suite itself failed: sent: Bearer <API_KEY>\n');
    expect(`${out.stdout}${out.stderr}`).not.toContain('and more');
    const report = reportIn(folder);
    expect(report?.requirements.find(({ id }) => id === 'versioning.base-address')?.outcome).toBe('passed');
    expect(report?.verdict).toBe('inconclusive');
    for (const { path, content } of filesBelow(join(folder, 'reports'))) {
      expect(content, path).not.toContain(service.apiKey);
    }
  }).finally(service.close);
});

test.concurrent('a second signal ends the process, whatever it is at', async () => {
  let child: ChildProcess | undefined;
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = (request) => {
      // Before the run has found out of the first.
      for (const signal of ['SIGTERM', 'SIGINT'] as const) child?.kill(signal);
      return handle(request);
    };
  });
  await inFolder(async (folder) => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    child = spawn(process.execPath, [COMMAND], { cwd: folder, env, stdio: 'ignore' });
    expect(await new Promise((end) => child?.once('close', end))).toBe(3);
  }).finally(service.close);
});

test.concurrent('a run that is interrupted ends at once, with the reports of what was judged, and says how far it came', async () => {
  let stuck = false;
  let noAnswerAnyMore = () => {};
  const isStuck = new Promise<void>((tell) => {
    noAnswerAnyMore = tell;
  });
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      if (!stuck) return handle(request);
      noAnswerAnyMore();
      return new Promise(() => {});
    };
  });
  await inFolder(async (folder) => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const few = ['--only', 'authentication.*', 'versioning.base-address'];
    const child = spawn(process.execPath, [COMMAND, ...few, '--thorough', '--seed', '3'], { cwd: folder, env });
    let stdout = '';
    child.stdout.on('data', (data) => {
      stdout += data;
      stuck ||= stdout.includes('exploring: ');
    });
    const ended = new Promise((end) => child.once('close', end));
    await isStuck;
    child.kill('SIGHUP');
    expect(await ended).toBe(3);
    expect(stdout).toContain('the run was interrupted');
    expect(stdout).toContain('Verdict: inconclusive');
    const report = reportIn(folder);
    expect(report?.verdict).toBe('inconclusive');
    expect(report?.coverage).toMatchObject({ seeds: [3], ended: 'the run was interrupted' });
    expect(report?.requirements.find(({ id }) => id === 'versioning.base-address')?.outcome).toBe('passed');
    expect(readdirSync(join(folder, 'reports'))).toContain('junit.xml');
  }).finally(service.close);
});
