import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refresh } from '../../bin/build.mjs';
import packageJson from '../../package.json' with { type: 'json' };
import packageLock from '../../package-lock.json' with { type: 'json' };
import { read } from '../docs/text.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, REPORT_NAMES, ROOT, run, runNode } from '../shell.ts';

const FILE = 'user-management-conformance.mjs';

/** The words by which the file and the command call themselves. */
const CALL = new RegExp(`node (${COMMAND}|${FILE})`, 'g');

/** The results for Allure have names that are drawn. */
const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

describe('the command in one file', () => {
  let made = '';

  beforeAll(async () => {
    made = mkdtempSync(join(tmpdir(), 'conformance-bundle-'));
    await refresh();
    const args = ['bin/bundle.mjs', 'bin/one-file.mjs', 'dist', join(made, FILE)];
    const { code, stderr } = await runNode(args, {}, ROOT);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  afterAll(() => rmSync(made, { recursive: true, force: true }));

  /** Calls a function with a folder that has nothing but the file. */
  const withFile = (action: (folder: string) => Promise<void>) =>
    inFolder(async (folder) => {
      copyFileSync(join(made, FILE), join(folder, FILE));
      await action(folder);
    });

  test('is smaller than 3 MB, and has the licence of each package in it', () => {
    const text = readFileSync(join(made, FILE), 'utf8');
    expect(Buffer.byteLength(text)).toBeLessThan(3_000_000);
    const folders = Object.entries(packageLock.packages)
      .filter(([, entry]) => !('dev' in entry || 'devOptional' in entry))
      .map(([path]) => join(ROOT, path));
    expect(folders.length).toBeGreaterThan(Object.keys(packageJson.dependencies).length);
    for (const folder of folders) {
      const licence = readdirSync(folder).find((name) => /^licen[cs]e(\.md)?$/i.test(name)) ?? '';
      expect(text, folder).toContain(readFileSync(join(folder, licence), 'utf8').trim());
    }
  });

  test('judges a service in an empty folder, and writes the reports of the command', () =>
    withFile(async (folder) => {
      const { baseUrl, apiKey, close } = await start(brokenBy('total is a string'));
      // Some of these requests have connections of their own.
      const args = [FILE, '--base-url', baseUrl, '--only', 'list.*', 'guard.trusted-headers'];
      const env = { API_KEY: apiKey };
      const { code, stdout, stderr } = await runNode(args, env, folder).finally(close);
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(stdout).toContain(
        'Verdict: non-conformant (partial). 1 requirement failed: list.total-integer.',
      );
      expect(readdirSync(join(folder, 'reports')).sort()).toEqual(REPORT_NAMES);
      const [, explain = ''] = /^ {4}explain {3}(.*)$/m.exec(stdout) ?? [];
      expect(explain).toBe(`node ${FILE} explain list.total-integer`);

      const judgeAgain = async (program: string) => {
        const words = ['again', 'reports/run.json.gz', '--report-dir', 'again'];
        const ended = await runNode([program, ...words], {}, folder);
        // The list has hashes of files that name the program.
        rmSync(join(folder, 'again/.conformance-files'));
        const contents = filesBelow(join(folder, 'again'))
          .map(({ content }) => content.replaceAll(CALL, 'node').replaceAll(UUID, 'uuid'))
          .sort();
        rmSync(join(folder, 'again'), { recursive: true });
        return { ...ended, stdout: ended.stdout.replaceAll(CALL, 'node'), contents };
      };
      const ofFile = await judgeAgain(FILE);
      expect(ofFile.code).toBe(1);
      expect(ofFile).toEqual(await judgeAgain(COMMAND));
    }));

  test.each([
    ['--help'],
    ['--version'],
    ['--list', '--only', 'list.*'],
    ['explain', 'list.total-integer'],
    ['help', 'init'],
    ['compare', 'nowhere'],
    ['--onyl'],
  ])('prints the same as the command: %s', (...args) =>
    withFile(async (folder) => {
      const [ofFile, ofCommand] = await Promise.all(
        [FILE, COMMAND].map((program) => runNode([program, ...args], {}, folder)),
      );
      expect(ofFile).toEqual(ofCommand);
    }),
  );

  test('sets up a project, whose service it then judges, with known failures and further', () =>
    withFile(async (folder) => {
      const none = await runNode([FILE], {}, folder);
      expect(none.stderr).toMatch(/^No service is set: .*\n$/);
      expect(none.code).toBe(2);

      const { baseUrl, apiKey, close } = await start(brokenBy('no Location'));
      const init = await runNode(
        [FILE, 'init', '--base-url', baseUrl],
        { API_KEY: apiKey },
        folder,
      );
      const [, line = ''] = /^Check the service: (.*)$/m.exec(init.stdout) ?? [];
      expect(line).toBe(`node ${FILE}`);
      const known = '- { slug: create.location, reason: the next release will do }\n';
      writeFileSync(join(folder, 'known.yml'), known);
      const strict = `${line} --strict --known-failures known.yml --only create.location`;
      const thorough = `${strict} --thorough --budget 1 --max-requests 100`;
      const ended = await run('sh', ['-c', thorough], {}, folder).finally(close);
      expect(ended.stderr).toBe('');
      expect(ended.stdout).toContain(
        'Verdict: conformant (partial, strict), with 1 known failure.',
      );
      expect(ended.code).toBe(0);

      // The service is gone.
      expect((await run('sh', ['-c', line], {}, folder)).code).toBe(3);
    }));

  test('names the version of Node that it needs where that lacks a function', () =>
    withFile(async (folder) => {
      const old = ['--import', 'data:text/javascript,delete String.prototype.toWellFormed'];
      const args = [...old, FILE, '--base-url', 'embedded-reference'];
      const { code, stderr } = await runNode(args, {}, folder);
      expect(stderr).toMatch(
        /^The suite itself failed: .*\nRequires Node .* \(this is [\d.]+\)\.\n$/,
      );
      expect(code).toBe(4);
    }));

  test('is the one thing in the image of the documentation, which passes its arguments on', () => {
    const [, dockerfile = ''] = /^```dockerfile\n(.*?)^```$/ms.exec(read('docs/ci.md')) ?? [];
    const lines = dockerfile.trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    const copied = lines.filter((line) => line.startsWith('COPY'));
    expect(copied).toEqual([`COPY ${FILE} /`]);
    expect(lines.at(-1)).toBe(`ENTRYPOINT ["node", "/${FILE}"]`);
  });
});
