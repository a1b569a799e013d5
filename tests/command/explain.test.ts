import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { guides } from '../../specs/guides.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, inFolder, run, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const SLUG = 'list.total-integer';

const guide = guides[SLUG];

test.concurrent('a failure names the explain command, and report.html has the guide', async () => {
  const { baseUrl, apiKey, close } = await start(brokenBy('total is a string'));
  await inFolder(async (folder) => {
    const env = { BASE_URL: baseUrl, API_KEY: apiKey };
    const { stdout, code } = await runNode([COMMAND, '--only', 'list.*'], env, folder);
    expect(code).toBe(1);
    const [, line = ''] = /^ {4}explain {3}(.*)$/m.exec(stdout) ?? [];
    expect(line).toBe(`node ${COMMAND} explain ${SLUG}`);
    const explained = await run('sh', ['-c', line], {}, folder);
    expect(explained.code).toBe(0);
    expect(explained.stdout).toContain(`\n\n${guide?.markdown}`);
    const page = readFileSync(join(folder, 'reports/report.html'), 'utf8');
    expect(page).toContain(guide?.html);
    const junit = readFileSync(join(folder, 'reports/junit.xml'), 'utf8');
    expect(junit).toContain(` explain ${SLUG}`);
  }).finally(close);
});

test.concurrent('explain suggests the slug for a misspelt one, with exit code 2', async () => {
  await inFolder(async (folder) => {
    expect(await runCommand(['explain', 'list.total-integr'], {}, folder)).toEqual({
      code: 2,
      stdout: '',
      stderr: `No requirement matches "list.total-integr": did you mean ${SLUG}?\n`,
    });
  });
});
