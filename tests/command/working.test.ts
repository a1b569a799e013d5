import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, inFolder, reportIn, runNode } from '../shell.ts';

test.concurrent('--list prints the requirements and sends nothing', async () => {
  await inFolder(async (folder) => {
    const env = { BASE_URL: '' };
    const [all, few, wrong] = await Promise.all([
      runNode([COMMAND, '--list', '--json'], env, folder),
      runNode([COMMAND, '--list', '--only', 'http.json', 'create.*'], env, folder),
      runNode([COMMAND, '--only', 'lists.*'], env, folder),
    ]);
    const rows: { slug: string; level: string; sentence: string; explored: string[] }[] = JSON.parse(all.stdout);
    expect(rows.length).toBeGreaterThan(60);
    for (const { slug, level, sentence } of rows)
      expect(`${slug} ${level} ${sentence}`).toMatch(/^\S+ (MUST|SHOULD) ./);
    expect(rows.find(({ slug }) => slug === 'retrieve.repeatable')?.explored).not.toEqual([]);
    expect(rows.find(({ slug }) => slug === 'versioning.base-address')?.explored).toEqual([]);
    expect(few.stdout).toContain('  MUST    http.json ');
    expect(few.stdout).not.toContain('list.answers');
    expect(wrong).toEqual({
      code: 2,
      stdout: '',
      stderr: 'No requirement matches "lists.*": --list shows all slugs.\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.concurrent('--watch runs again on Enter, and shows first what has changed', async () => {
  let fixed = false;
  const service = await start((patched) => {
    patched.total = () => (fixed ? patched.users.length : `${patched.users.length}`);
  });
  await inFolder(async (folder) => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const child = spawn(process.execPath, [COMMAND, '--watch'], { cwd: folder, env });
    const ended = new Promise((end) => child.once('close', end));
    const runs: string[] = [''];
    child.stdout.on('data', (data) => {
      runs[runs.length - 1] += String(data);
      if (!runs.at(-1)?.includes('Enter runs again')) return;
      runs.push('');
      fixed = true;
      child.stdin.write(runs.length === 2 ? '\n' : 'q\n');
    });
    expect(await ended).toBe(0);
    const [first = '', second = ''] = runs;
    expect(first).toContain('Verdict: non-conformant.');
    expect(second).toMatch(/^(JUNIT.*\n)?\nChanged since the run before\n/);
    expect(second).toContain('✓ MUST   list.total-integer: failed → passed');
    expect(second).toContain('Verdict: conformant.');
    expect(reportIn(folder)?.verdict).toBe('conformant');
  }).finally(service.close);
});
