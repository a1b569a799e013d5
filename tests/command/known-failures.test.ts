import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judge } from '../../src/api/judge.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

// What a run says of its list is in reports.test.ts, and in docs/examples.test.ts.

test('the failures of one run, listed, do not fail the next', async () => {
  const { baseUrl, apiKey, close } = await start(
    brokenBy('total is a string'),
    brokenBy('no Location'),
  );
  await inFolder(async (folder) => {
    const known = join(folder, 'known.json');
    const first = await judge({ baseUrl, apiKey, settleMs: 200 });
    expect(first.verdict).toBe('non-conformant');
    const failed = first.requirements.filter(({ outcome }) => outcome === 'failed');
    writeFileSync(known, JSON.stringify(failed.map(({ id, reason }) => ({ slug: id, reason }))));
    const second = await judge({
      baseUrl,
      apiKey,
      settleMs: 200,
      knownFailures: known,
      strict: true,
    });
    expect(second.verdict).toBe('conformant');
    const accepted = second.requirements
      .filter(({ outcome }) => outcome === 'known-failure')
      .map(({ id }) => id);
    expect(accepted.sort()).toEqual(['create.location', 'list.total-integer']);
  }).finally(close);
});

test('an entry that is out of date fails the job, and not the service', async () => {
  const { baseUrl: BASE_URL, apiKey: API_KEY, close } = await start();
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'known.yml'), '- slug: create.location\n  reason: TICKET-1\n');
    const args = ['--known-failures', 'known.yml', '--only', 'create.location'];
    const run = (more: string[]) => runCommand([...args, ...more], { BASE_URL, API_KEY }, folder);
    const { code, stdout } = await run([]);
    expect(stdout).toContain('\nVerdict: conformant (partial).');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Known failures are out of date, which fails the job: known.yml:1.',
    );
    expect(code).toBe(1);
    expect(reportIn(folder)?.verdict).toBe('conformant');
    expect(JSON.parse(readFileSync(join(folder, 'reports/badge.json'), 'utf8'))).toMatchObject({
      color: 'green',
    });
    expect((await run(['--repeat', '2'])).code).toBe(1);
  }).finally(close);
});

test('a strict run says so in its verdict, in the badge, on the page and in a comparison', async () => {
  const { baseUrl: BASE_URL, apiKey: API_KEY, close } = await start(brokenBy('no Location'));
  await inFolder(async (folder) => {
    const env = { BASE_URL, API_KEY };
    const args = ['--strict', '--only', 'create.location'];
    const { code, stdout } = await runCommand(args, env, folder);
    const title = 'non-conformant (partial, strict)';
    expect(stdout).toContain(`\nVerdict: ${title}. `);
    expect(code).toBe(1);
    const { stdout: compared } = await runCommand(['compare', 'reports', 'reports'], {}, folder);
    expect(compared).toContain(`✗ ${title}, `);
    for (const file of ['badge.json', 'report.html', 'summary.md'])
      expect(readFileSync(join(folder, 'reports', file), 'utf8')).toContain(title);
  }).finally(close);
});
