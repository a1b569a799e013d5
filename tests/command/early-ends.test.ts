import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, reportIn, runNode } from '../shell.ts';

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
      ...{
        PATH: process.env.PATH ?? '',
        HOME: folder,
        BASE_URL: service.baseUrl,
        API_KEY: service.apiKey,
      },
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
    expect(report?.requirements.find(({ id }) => id === 'versioning.base-address')?.outcome).toBe(
      'passed',
    );
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
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      BASE_URL: service.baseUrl,
      API_KEY: service.apiKey,
    };
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
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      BASE_URL: service.baseUrl,
      API_KEY: service.apiKey,
    };
    const few = ['--only', 'authentication.*', 'versioning.base-address'];
    const child = spawn(process.execPath, [COMMAND, ...few, '--thorough', '--seed', '3'], {
      cwd: folder,
      env,
    });
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
    expect(report?.coverage).toMatchObject({ seed: 3 });
    expect(report?.requirements.find(({ id }) => id === 'versioning.base-address')?.outcome).toBe(
      'passed',
    );
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual([
      ...[
        'allure-results',
        'badge.json',
        'conformance.json',
        'created-users.json',
        'exchanges.har',
        'junit.xml',
      ],
      ...['report.html', 'run.json.gz', 'summary.md'],
    ]);
  }).finally(service.close);
});

test.concurrent('a run that crashes ends with exit code 4, one sentence for each fault, and its reports', async () => {
  await inFolder(async (folder) => {
    // Only the suite calls it.
    const breaks = "String.prototype.isWellFormed = () => { throw new Error('a broken engine'); }";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(breaks)}`;
    const { code, stdout, stderr } = await runNode([COMMAND], { NODE_OPTIONS }, folder);
    expect(code, stderr).toBe(4);
    expect(stdout).toMatch(/^The suite itself failed: the run crashed: a broken engine$/m);
    expect(`${stdout}${stderr}`).not.toMatch(/^ +at /m);
    expect(reportIn(folder)?.verdict).toBe('inconclusive');
  });
});
