import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, inFolder, reportIn, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const FEW = ['--only', 'create.location', 'versioning.base-address'];

/** Runs the command several times in one folder, against a service that creates without a Location. */
async function against(
  action: (
    run: (...args: string[]) => ReturnType<typeof runCommand>,
    folder: string,
  ) => Promise<void>,
) {
  const service = await start(brokenBy('no Location'));
  const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
  await inFolder((folder) =>
    action(
      (...args) => runCommand(args, { ...env, PATH: `${folder}:${process.env.PATH}` }, folder),
      folder,
    ),
  ).finally(service.close);
}

describe.concurrent('the screen of the command', () => {
  test('--quiet prints the verdict alone, --verbose every requirement', async () => {
    await against(async (run) => {
      const quiet = await run(...FEW, '--quiet');
      expect(quiet.stdout).toMatch(/^Verdict: conformant \(partial\)\. .*\n$/);
      const { stdout } = await run(...FEW, '--verbose');
      expect(stdout).toContain('✓ Versioning 1');
      expect(stdout).toContain('  ✓ MUST   versioning.base-address\n');
      expect(stdout, 'what --only leaves out').not.toMatch(
        /Authentication|versioning\.needs-segment|not applicable/,
      );
    });
  });

  test('the last line names what failed; a failed SHOULD is one line, with --strict its details', async () => {
    await against(async (run) => {
      const lastOf = (text: string) => text.trimEnd().split('\n').at(-1);
      const { stdout } = await run(...FEW);
      expect(stdout).toMatch(/^ {2}! SHOULD create\.location {2}expected .*\n\n/m);
      expect(stdout).not.toContain('curl ');
      expect(lastOf(stdout)).toMatch(/^Verdict: conformant \(partial\)\./);
      const strict = await run(...FEW, '--strict');
      expect(strict.stdout).toMatch(/^ {4}repeat +curl /m);
      const because = '1 requirement failed: create.location.';
      expect(lastOf(strict.stdout)).toMatch(/^Verdict: non-conformant .*\. 1 requirement failed: /);
      expect(lastOf(strict.stdout)).toContain(because);
      expect((await run(...FEW, '--strict', '--quiet')).stdout.trimEnd()).toContain(because);
      expect((await run(...FEW, '--verbose')).stdout).toMatch(/^ {4}repeat +curl /m);
    });
  });

  test('--last-failed judges what failed in the run before, until nothing did', async () => {
    await against(async (run, folder) => {
      await run(...FEW);
      const { stdout, code } = await run('--last-failed', '--strict');
      expect(code).toBe(1);
      expect(stdout).toContain('✗ SHOULD create.location');
      const judged = reportIn(folder)?.requirements.filter(
        ({ outcome }) => outcome !== 'not-applicable',
      );
      expect(judged?.map(({ id }) => id)).toEqual(['create.location']);
      await run('--only', 'versioning.base-address');
      const { stderr, code: nothing } = await run('--last-failed');
      expect(stderr).toBe('Nothing failed in the last run: omit --last-failed.\n');
      expect(nothing).toBe(2);
    });
  });

  test('--open opens the page with a program that gets no key', async () => {
    await against(async (run, folder) => {
      const opener = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open');
      writeFileSync(opener, '#!/bin/sh\necho "$1 $API_KEY" > opened.tmp; mv opened.tmp opened\n');
      chmodSync(opener, 0o755);
      const { stderr } = await run(...FEW, '--open');
      expect(stderr).toBe('');
      const opened = join(folder, 'opened');
      await vi.waitFor(() => expect(existsSync(opened)).toBe(true), 30_000);
      expect(readFileSync(opened, 'utf8')).toBe(`${join(folder, 'reports/report.html')} \n`);
    });
  });
});

test.concurrent('help and -v say what --help and --version do', async () => {
  await inFolder(async (folder) => {
    const said = async (arg: string) => (await runCommand([arg], {}, folder)).stdout;
    expect(await said('help')).toBe(await said('--help'));
    expect((await runNode([COMMAND, '-v'], {}, folder)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
