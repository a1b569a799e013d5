import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judge } from '../../src/api/judge.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

// reports.test.ts and docs/examples.test.ts check what reports show of known failures.

test('a run passes with the failures of an earlier run as known failures', async () => {
  const { baseUrl, apiKey, close } = await start(
    brokenBy('total is a string'),
    brokenBy('no Location'),
  );
  await inFolder(async (folder) => {
    const settings = { baseUrl, apiKey, settleMs: 200 };
    const first = await judge(settings);
    expect(first.verdict).toBe('non-conformant');
    const failed = first.requirements.filter(({ outcome }) => outcome === 'failed');
    const entries = failed.map(({ id, reason }) => ({ slug: id, reason }));
    const knownFailures = join(folder, 'known.json');
    writeFileSync(knownFailures, JSON.stringify(entries));
    const second = await judge({ ...settings, knownFailures, strict: true });
    expect(second.verdict).toBe('conformant');
    const accepted = second.requirements.filter(({ outcome }) => outcome === 'known-failure');
    expect(accepted.map(({ id }) => id).sort()).toEqual(['create.location', 'list.total-integer']);
  }).finally(close);
});

test('a stale entry fails the job, and the service still conforms', async () => {
  const { baseUrl, apiKey, close } = await start();
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'known.yml'), '- slug: create.location\n  reason: TICKET-1\n');
    const env = { BASE_URL: baseUrl, API_KEY: apiKey };
    const args = ['--known-failures', 'known.yml', '--only', 'create.location'];
    const { code, stdout } = await runCommand(args, env, folder);
    expect(stdout).toContain('\nVerdict: conformant (partial).');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Known failures are out of date, which fails the job: known.yml:1.',
    );
    expect(code).toBe(1);
    expect(reportIn(folder)?.verdict).toBe('conformant');
    expect(JSON.parse(readFileSync(join(folder, 'reports/badge.json'), 'utf8'))).toMatchObject({
      color: 'green',
    });
    expect((await runCommand([...args, '--repeat', '2'], env, folder)).code).toBe(1);
  }).finally(close);
});

test('every report of a strict run calls it strict', async () => {
  const { baseUrl, apiKey, close } = await start(brokenBy('no Location'));
  await inFolder(async (folder) => {
    const env = { BASE_URL: baseUrl, API_KEY: apiKey };
    const args = ['--strict', '--only', 'create.location'];
    const { code, stdout } = await runCommand(args, env, folder);
    const title = 'non-conformant (partial, strict)';
    expect(stdout).toContain(`\nVerdict: ${title}. `);
    expect(code).toBe(1);
    const comparison = await runCommand(['compare', 'reports', 'reports'], {}, folder);
    expect(comparison.stdout).toContain(`✗ ${title}, `);
    for (const file of ['badge.json', 'report.html', 'summary.md'])
      expect(readFileSync(join(folder, 'reports', file), 'utf8')).toContain(title);
  }).finally(close);
});
