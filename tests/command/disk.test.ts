import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  COMMAND,
  type Ended,
  FEW,
  inFolder,
  REPORT_NAMES,
  reportIn,
  run,
  runNode,
} from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** Returns the sentences on reports that could not be written. */
const missingIn = ({ stdout }: Ended) =>
  [...stdout.matchAll(/^ {2}missing +(.*)$/gm)].map(([, sentence]) => sentence);

test.concurrent('on a full disk one report is missing, and the verdict stays', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'reports'));
    writeFileSync(join(folder, 'reports/exchanges.har'), 'of an earlier run');
    // Shells count in blocks of 512 or 1,024 bytes. The archive of a run is larger than 500 KiB.
    const script = `ulimit -f 500; exec "${process.execPath}" "${COMMAND}"`;
    const ended = await run('sh', ['-c', script], {}, folder);
    expect(ended.stdout).toContain('Verdict: conformant. Every MUST holds.');
    expect(missingIn(ended)).toEqual(['exchanges.har could not be written (EFBIG)']);
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    expect(reportIn(folder)?.verdict).toBe('conformant');
    // The archive of the earlier run is gone: it would be taken for the archive of this run.
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual(
      REPORT_NAMES.filter((name) => name !== 'exchanges.har'),
    );
  });
});

test.concurrent('a run without conformance.json ends with 4, and follows no link', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'reports/conformance.json/mine'), { recursive: true });
    linkReports(folder, ['junit.xml', 'badge.json']);
    const ended = await runCommand(FEW, {}, folder);
    expect(ended.stdout).toContain('Verdict: conformant (partial).');
    expect(missingIn(ended)).toContain('conformance.json could not be written (EISDIR)');
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(4);
    expect(existsSync(join(folder, 'reports/conformance.json/mine'))).toBe(true);
    expectUnchanged(folder, ['junit.xml', 'badge.json']);
    expect(readFileSync(join(folder, 'reports/junit.xml'), 'utf8')).toContain('<testsuites');
  });
});

test.concurrent('without other reports the verdict decides the exit code', async () => {
  await inFolder(async (folder) => {
    for (const name of ['badge.json', 'junit.xml', 'summary.md'])
      mkdirSync(join(folder, 'reports', name), { recursive: true });
    linkReports(folder, ['conformance.json']);
    const env = { GITHUB_STEP_SUMMARY: folder, GITHUB_OUTPUT: join(folder, 'no/such/folder') };
    const ended = await runCommand(FEW, env, folder);
    expect(missingIn(ended)).toEqual(
      expect.arrayContaining([
        'badge.json could not be written (EISDIR)',
        'summary.md could not be written (EISDIR)',
        'junit.xml could not be written (EISDIR)',
        'The job summary could not be written (EISDIR)',
        "The step's output could not be written (ENOENT)",
      ]),
    );
    expect(ended.code).toBe(0);
    expectUnchanged(folder, ['conformance.json']);
    expect(reportIn(folder)?.verdict).toBe('conformant');
  });
});

/** Puts links to the user's files in the place of reports. */
function linkReports(folder: string, names: string[]): void {
  mkdirSync(join(folder, 'reports'), { recursive: true });
  for (const name of names) {
    writeFileSync(join(folder, name), 'mine');
    symlinkSync(join(folder, name), join(folder, 'reports', name));
  }
}

/** Expects that nothing was written to the user's files. */
function expectUnchanged(folder: string, names: string[]): void {
  for (const name of names) expect(readFileSync(join(folder, name), 'utf8'), name).toBe('mine');
}

test.concurrent.each([
  'setImmediate(() => { throw new Error("out of s3cret-key\\nand more") })',
  'Promise.reject(new Error("out of s3cret-key\\nand more"))',
])('an uncaught error is one sentence and exit code 4: %s', async (fault) => {
  await inFolder(async (folder) => {
    const main = join(folder, 'main.mjs');
    writeFileSync(main, `export const main = () => new Promise(() => { ${fault} });`);
    const { href } = pathToFileURL(join(COMMAND, '../start.mjs'));
    const script = `import { start } from '${href}'; await start('${pathToFileURL(main).href}');`;
    const args = ['--input-type=module', '-e', script];
    const ended = await runNode(args, { API_KEY: 's3cret-key' }, folder);
    expect(ended).toEqual({
      code: 4,
      stdout: '',
      stderr: 'The suite itself failed: out of <API_KEY>\n',
    });
  });
});
