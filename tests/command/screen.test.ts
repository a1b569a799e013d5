import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { waitForFile } from '../events.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, type Ended, inFolder, lastLineOf, reportIn, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const FEW = ['--only', 'create.location', 'versioning.base-address'];

type RunInFolder = (...args: string[]) => Promise<Ended>;

/**
 * Calls a function that runs the command in one folder, as often as it wants to, against a service
 * that sends no Location. The command finds programs in the folder, too.
 */
async function withoutLocation(
  action: (runInFolder: RunInFolder, folder: string) => Promise<void>,
): Promise<void> {
  const { baseUrl, apiKey, close } = await start(brokenBy('no Location'));
  await inFolder((folder) => {
    const PATH = `${folder}:${process.env.PATH}`;
    const env = { BASE_URL: baseUrl, API_KEY: apiKey, PATH };
    return action((...args) => runCommand(args, env, folder), folder);
  }).finally(close);
}

describe.concurrent('the output of the command', () => {
  test('--quiet prints only the verdict, --verbose every requirement', async () => {
    await withoutLocation(async (runInFolder) => {
      const quiet = await runInFolder(...FEW, '--quiet');
      expect(quiet.stdout).toMatch(/^Verdict: conformant \(partial\)\. .*\n$/);
      const { stdout } = await runInFolder(...FEW, '--verbose');
      expect(stdout).toContain('✓ Versioning 1');
      expect(stdout).toContain('  ✓ MUST   versioning.base-address\n');
      expect(stdout, 'requirements that --only leaves out').not.toMatch(
        /Authentication|versioning\.needs-segment|not applicable/,
      );
    });
  });

  test('a failed SHOULD is one line, with --strict or --verbose also its request', async () => {
    await withoutLocation(async (runInFolder) => {
      const { stdout } = await runInFolder(...FEW);
      expect(stdout).toMatch(/^ {2}! SHOULD create\.location {2}expected .*\n\n/m);
      expect(stdout).not.toContain('curl ');
      const strict = await runInFolder(...FEW, '--strict');
      expect(strict.stdout).toMatch(/^ {4}repeat +curl /m);
      const verbose = await runInFolder(...FEW, '--verbose');
      expect(verbose.stdout).toMatch(/^ {4}repeat +curl /m);
    });
  });

  test('the last line is the verdict with the failed requirements', async () => {
    await withoutLocation(async (runInFolder) => {
      const { stdout } = await runInFolder(...FEW);
      expect(lastLineOf(stdout)).toMatch(/^Verdict: conformant \(partial\)\./);
      const failed = /^Verdict: non-conformant .*\. 1 requirement failed: create\.location\./;
      const strict = await runInFolder(...FEW, '--strict');
      expect(lastLineOf(strict.stdout)).toMatch(failed);
      const quiet = await runInFolder(...FEW, '--strict', '--quiet');
      expect(lastLineOf(quiet.stdout)).toMatch(failed);
    });
  });

  test('--last-failed judges the requirements that failed in the previous run', async () => {
    await withoutLocation(async (runInFolder, folder) => {
      await runInFolder(...FEW);
      const { stdout, code } = await runInFolder('--last-failed', '--strict');
      expect(code).toBe(1);
      expect(stdout).toContain('✗ SHOULD create.location');
      const judged = reportIn(folder)?.requirements.filter(
        ({ outcome }) => outcome !== 'not-applicable',
      );
      expect(judged?.map(({ id }) => id)).toEqual(['create.location']);
      await runInFolder('--only', 'versioning.base-address');
      const withoutFailures = await runInFolder('--last-failed');
      expect(withoutFailures.stderr).toBe('Nothing failed in the last run: omit --last-failed.\n');
      expect(withoutFailures.code).toBe(2);
    });
  });

  test('--open opens the page with a program that gets no key', async () => {
    await withoutLocation(async (runInFolder, folder) => {
      const opener = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open');
      // The file appears complete, because it is moved.
      writeFileSync(opener, '#!/bin/sh\necho "$1 $API_KEY" > opened.tmp; mv opened.tmp opened\n');
      chmodSync(opener, 0o755);
      const { stderr } = await runInFolder(...FEW, '--open');
      expect(stderr).toBe('');
      const opened = join(folder, 'opened');
      await waitForFile(opened);
      expect(readFileSync(opened, 'utf8')).toBe(`${join(folder, 'reports/report.html')} \n`);
    });
  });
});

test.concurrent('help prints the text of --help, and -v prints the version', async () => {
  await inFolder(async (folder) => {
    const help = await runCommand(['help'], {}, folder);
    expect(help.stdout).toBe((await runCommand(['--help'], {}, folder)).stdout);
    const version = await runNode([COMMAND, '-v'], {}, folder);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
