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
import { COMMAND, type Ended, inFolder, reportIn, run, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** Few requests. */
const ONLY = ['--only', 'create.location'];

/** The sentences on reports that are not there. */
const missing = ({ stdout }: Ended) =>
  stdout.split('\n').flatMap((line) => /^ {2}missing +(.*)$/.exec(line)?.[1] ?? []);

test.concurrent('a disk that is full takes the report that has no room, and no verdict; an older one does not stay', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'reports'));
    writeFileSync(join(folder, 'reports/exchanges.har'), 'of an earlier run');
    // No file may be larger than 250 or 500 KiB, as shells count; the archive of a run is.
    const script = `ulimit -f 500; exec "${process.execPath}" "${COMMAND}"`;
    const ended = await run('sh', ['-c', script], {}, folder);
    expect(ended.stdout).toContain('Verdict: conformant. Every MUST holds.');
    expect(missing(ended)).toEqual(['exchanges.har could not be written (EFBIG)']);
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    expect(reportIn(folder)?.verdict).toBe('conformant');
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual(
      [
        ...[
          'allure-results',
          'badge.json',
          'conformance.json',
          'created-users.json',
          'junit.xml',
          'report.html',
        ],
        ...['run.json.gz', 'summary.md'],
      ].sort(),
    );
  });
});

test.concurrent('without conformance.json the run ends in 4, with its verdict on the terminal; no symbolic link is followed', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'reports/conformance.json/mine'), { recursive: true });
    const linked = linkReports(folder, ['junit.xml', 'badge.json']);
    const ended = await runCommand(ONLY, {}, folder);
    expect(ended.stdout).toContain('Verdict: conformant (partial).');
    expect(missing(ended)).toContain('conformance.json could not be written (EISDIR)');
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(4);
    expect(existsSync(join(folder, 'reports/conformance.json/mine'))).toBe(true);
    expect(linked.touched()).toEqual([]);
    expect(readFileSync(join(folder, 'reports/junit.xml'), 'utf8')).toContain('<testsuites');
  });
});

test.concurrent('folders in the place of other reports, and summaries that can not be opened, leave the verdict its code', async () => {
  await inFolder(async (folder) => {
    for (const name of ['badge.json', 'junit.xml', 'summary.md'])
      mkdirSync(join(folder, 'reports', name), { recursive: true });
    const linked = linkReports(folder, ['conformance.json']);
    const env = { GITHUB_STEP_SUMMARY: folder, GITHUB_OUTPUT: join(folder, 'no/such/folder') };
    const ended = await runCommand(ONLY, env, folder);
    expect(missing(ended)).toEqual(
      expect.arrayContaining([
        'badge.json could not be written (EISDIR)',
        'summary.md could not be written (EISDIR)',
        'junit.xml could not be written (EISDIR)',
        'The job summary could not be written (EISDIR)',
        "The step's output could not be written (ENOENT)",
      ]),
    );
    expect(ended.code).toBe(0);
    expect(linked.touched()).toEqual([]);
    expect(reportIn(folder)?.verdict).toBe('conformant');
  });
});

/** Puts links in the place of reports; `touched` says which of the files that they lead to were written to. */
function linkReports(folder: string, names: string[]) {
  mkdirSync(join(folder, 'reports'), { recursive: true });
  for (const name of names) {
    writeFileSync(join(folder, name), 'mine');
    symlinkSync(join(folder, name), join(folder, 'reports', name));
  }
  return {
    touched: () => names.filter((name) => readFileSync(join(folder, name), 'utf8') !== 'mine'),
  };
}

test.concurrent.each([
  'setImmediate(() => { throw new Error("out of s3cret-key\\nand more") })',
  'Promise.reject(new Error("out of s3cret-key\\nand more"))',
])('what nobody catches is one sentence and 4: %s', async (fault) => {
  await inFolder(async (folder) => {
    const main = join(folder, 'main.mjs');
    writeFileSync(main, `export const main = () => new Promise(() => { ${fault} });`);
    const { href } = pathToFileURL(join(COMMAND, '../start.mjs'));
    const script = `import { start } from '${href}'; await start('${pathToFileURL(main).href}');`;
    const ended = await runNode(
      ['--input-type=module', '-e', script],
      { API_KEY: 's3cret-key' },
      folder,
    );
    expect(ended).toEqual({
      code: 4,
      stdout: '',
      stderr: 'The suite itself failed: out of <API_KEY>\n',
    });
  });
});
