import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
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
    expect((await runCommand(FEW, {}, folder)).code).toBe(0);
    // Shells count in blocks of 512 or 1,024 bytes. The archive of a run is larger than 500 KiB.
    const script = `ulimit -f 500; exec "${process.execPath}" "${COMMAND}"`;
    const ended = await run('sh', ['-c', script], {}, folder);
    expect(ended.stdout).toContain('Verdict: conformant. Every MUST holds.');
    expect(missingIn(ended)).toEqual(['exchanges.har could not be written (file too large)']);
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    expect(reportIn(folder)?.verdict).toBe('conformant');
    // The archive of the earlier run is gone: it would be taken for the archive of this run.
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual(
      REPORT_NAMES.filter((name) => name !== 'exchanges.har'),
    );
  });
});

/** Runs the command against a service that, at its first response, puts links into the reports. */
async function runAmongLinks(folder: string, names: string[], env = {}): Promise<Ended> {
  writeFileSync(join(folder, 'mine'), 'mine');
  let isFirst = true;
  const { baseUrl, apiKey, close } = await start((service) => {
    const { handle } = service;
    service.handle = (request) => {
      const links = isFirst ? names : [];
      isFirst = false;
      for (const name of links) symlinkSync(join(folder, 'mine'), join(folder, 'reports', name));
      return handle(request);
    };
  });
  const variables = { BASE_URL: baseUrl, API_KEY: apiKey, ...env };
  const ended = await runCommand(FEW, variables, folder).finally(close);
  expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine');
  expect(ended.stdout).toContain('Verdict: conformant (partial).');
  expect(ended.stderr).toBe('');
  return ended;
}

test.concurrent('a run without conformance.json ends with 4, and follows no link', async () => {
  await inFolder(async (folder) => {
    const ended = await runAmongLinks(folder, ['conformance.json', 'junit.xml']);
    expect(missingIn(ended)).toEqual([
      'conformance.json could not be written (it exists already)',
      'junit.xml could not be written (it exists already)',
    ]);
    expect(ended.code).toBe(4);
  });
});

test.concurrent('without other reports the verdict decides the exit code', async () => {
  await inFolder(async (folder) => {
    const env = { GITHUB_STEP_SUMMARY: folder, GITHUB_OUTPUT: join(folder, 'no/such/folder') };
    const ended = await runAmongLinks(folder, ['badge.json', 'allure-results'], env);
    expect(missingIn(ended)).toEqual([
      'badge.json could not be written (it exists already)',
      'allure-results could not be written (not a directory)',
      'The job summary could not be written (illegal operation on a directory)',
      "The step's output could not be written (no such file or directory)",
    ]);
    expect(ended.code).toBe(0);
    expect(reportIn(folder)?.verdict).toBe('conformant');
  });
});

test.concurrent.each([
  'setImmediate(() => { throw new Error("out of s3cret-key\\nand more") })',
  'Promise.reject(new Error("out of s3cret-key\\nand more"))',
])('an uncaught error is one sentence and exit code 4: %s', async (fault) => {
  await inFolder(async (folder) => {
    const { href } = pathToFileURL(join(COMMAND, '../start.mjs'));
    const script = `import { start } from '${href}'; await start(() => ({ main: () => new Promise(() => { ${fault} }) }));`;
    const args = ['--input-type=module', '-e', script];
    const ended = await runNode(args, { API_KEY: 's3cret-key' }, folder);
    expect(ended).toEqual({
      code: 4,
      stdout: '',
      stderr: 'The suite itself failed: out of <API_KEY>\n',
    });
  });
});
