import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const UPDATE = ['--update-known-failures', 'known.yml'];
const FEW = ['--only', 'list.total-integer', 'create.location', 'create.answers'];

describe('--update-known-failures', () => {
  test('adds failures to a new file, with which this run and the next one pass', async () => {
    const { baseUrl, apiKey, close } = await start(brokenBy('total is a string'));
    await inFolder(async (folder) => {
      const env = { BASE_URL: baseUrl, API_KEY: apiKey };
      const { code, stdout } = await runCommand([...UPDATE, ...FEW], env, folder);
      expect(readFileSync(join(folder, 'known.yml'), 'utf8')).toMatch(
        /^- slug: list\.total-integer\n {2}# expected .*\n {2}reason: "TODO: why is this accepted\?"\n$/,
      );
      expect(stdout).toMatch(
        /\n\nknown.yml: 1 added, 0 removed, 0 kept\n {2}added {4}list.total-integer\n1 entry needs a reason: known.yml:1\n$/,
      );
      expect(stdout).toContain('Verdict: conformant (partial), with 1 known failure.');
      expect(code).toBe(0);
      expect(reportIn(folder)?.knownFailures.listed).toMatchObject([
        { slug: 'list.total-integer' },
      ]);
      const next = await runCommand(['--known-failures', 'known.yml', ...FEW], env, folder);
      expect(next.stdout).toContain('notice: 1 entry needs a reason: known.yml:1\n');
      expect(next.code).toBe(0);
    }).finally(close);
  });

  test('removes entries that pass or do not exist, and leaves the other lines', async () => {
    const { baseUrl, apiKey, close } = await start(
      brokenBy('total is a string'),
      brokenBy('no Location'),
    );
    await inFolder(async (folder) => {
      const env = { BASE_URL: baseUrl, API_KEY: apiKey };
      const file = join(folder, 'ours/known.yml');
      const unchanged = `# ours

- slug: list.total-integer # TICKET-1
  reason: 'next release'
  link: https://tickets.example.com/1
- slug: http.json
  reason: left out by a filter
`;
      const removed = `
# It passes.
- slug: create.answers
  reason: passes by now
- slug: create.answer
  reason: no such requirement
`;
      const expired = '\n- slug: create.location\n  reason: x\n  expires: 2020-01-01\n';
      mkdirSync(join(folder, 'ours'));
      writeFileSync(join(folder, 'original'), `${unchanged}${removed}${expired}`);
      symlinkSync(join(folder, 'original'), file);
      const update = ['--update-known-failures', 'ours/known.yml', ...FEW];
      const { code, stdout } = await runCommand(update, env, folder);
      expect(lstatSync(file).isSymbolicLink()).toBe(true);
      expect(readFileSync(file, 'utf8')).toBe(`${unchanged}${expired}`);
      expect(stdout).toMatch(
        /\nours\/known.yml: 0 added, 2 removed, 3 kept\n {2}removed {2}create.answers passes now\n {2}removed {2}create.answer names no requirement: did you mean create.answers\?\n$/,
      );
      // Only the user may extend an expired entry.
      expect(stdout).toContain(
        'ours/known.yml:9: the entry for create.location ended on 2020-01-01: fix it or give it',
      );
      expect(code).toBe(1);
      const stale = reportIn(folder)?.knownFailures.toChange.map(({ slug }) => slug);
      expect(stale).toEqual(['create.location']);
      expect(readFileSync(join(folder, 'reports/report.html'), 'utf8')).toContain(
        '--known-failures ours/known.yml',
      );
    }).finally(close);
  });

  test('adds a SHOULD only in a strict run', async () => {
    const { baseUrl, apiKey, close } = await start(brokenBy('no Location'));
    await inFolder(async (folder) => {
      const env = { BASE_URL: baseUrl, API_KEY: apiKey };
      const readSlugs = () => {
        const entries: { slug: string }[] = JSON.parse(
          readFileSync(join(folder, 'known.json'), 'utf8'),
        );
        return entries.map(({ slug }) => slug);
      };
      const update = ['--update-known-failures', 'known.json', '--only', 'create.location'];
      expect((await runCommand(update, env, folder)).code).toBe(0);
      expect(readSlugs()).toEqual([]);
      expect((await runCommand([...update, '--strict'], env, folder)).code).toBe(0);
      expect(readSlugs()).toEqual(['create.location']);
    }).finally(close);
  });

  test('hides the key in the comment of an entry', async () => {
    const { baseUrl, apiKey, close } = await start((service) => {
      service.list = () => ({ status: 200, body: { data: [], total: service.key } });
    });
    await inFolder(async (folder) => {
      const env = { BASE_URL: baseUrl, API_KEY: apiKey };
      const { stdout } = await runCommand([...UPDATE, '--only', 'list.*'], env, folder);
      expect(stdout).toContain('\n  added    list.total-integer\n');
      const text = readFileSync(join(folder, 'known.yml'), 'utf8');
      expect(text).toContain('<API_KEY>');
      expect(text).not.toContain(apiKey);
    }).finally(close);
  });

  test('leaves the file unchanged if no service responds', async () => {
    await inFolder(async (folder) => {
      const text = '- slug: create.location\n  reason: x\n- slug: no.such\n  reason: y\n';
      writeFileSync(join(folder, 'known.yml'), text);
      const env = { BASE_URL: `http://127.0.0.1:${await freePort()}/v1`, API_KEY: 'a-key-4711' };
      const { stdout } = await runCommand([...UPDATE, ...FEW], env, folder);
      expect(readFileSync(join(folder, 'known.yml'), 'utf8')).toBe(text);
      expect(stdout).toMatch(/\nknown.yml: unchanged, because the service could not be judged\n$/);
      expect(reportIn(folder)?.verdict).toBe('inconclusive');
    });
  });

  const entry = '- slug: a.b\n  reason: x\n';
  test.each([
    [
      ['.'],
      '',
      'The file of known failures . is not a regular file: check --update-known-failures.',
    ],
    [['known.yml'], '{"verdict":"conformant"}', 'known.yml:1: must be array'],
    [['known.yml'], '- slug: a.b\n  reason: the a-key-4711\n', 'known.yml holds the key'],
    [
      ['known.yml'],
      '- slug: a.b\n  reason: &x y\n- slug: c.d\n  reason: *x\n',
      'known.yml has aliases',
    ],
    [['none/known.yml'], entry, "none/known.yml can't be written (ENOENT): name another file"],
    [['/proc/known.yml'], entry, "/proc/known.yml can't be written (ENOENT): name another file"],
    [[''], entry, '--update-known-failures needs the name of a file.'],
    [['known.yml', '--watch'], entry, '--update-known-failures takes a single run: omit --watch.'],
    [['known.yml', '--repeat', '2'], entry, 'takes a single run: omit --repeat.'],
    [['known.yml', '--list'], entry, '--update-known-failures has no effect with --list.'],
    [
      ['known.yml', '--known-failures', 'other.yml'],
      entry,
      '--update-known-failures and --known-failures name different files: omit one of them.',
    ],
  ])('%j with the content %j ends before the first request', async (args, content, sentence) => {
    const paths: string[] = [];
    const { baseUrl, close } = await start((service) => {
      service.handle = async ({ path }) => {
        paths.push(path);
        return { status: 500 };
      };
    });
    await inFolder(async (folder) => {
      writeFileSync(join(folder, 'known.yml'), content);
      const env = { BASE_URL: baseUrl, API_KEY: 'a-key-4711' };
      const update = ['--update-known-failures', ...args];
      const { code, stderr } = await runCommand(update, env, folder);
      expect(stderr).toContain(sentence);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(code).toBe(2);
      expect(paths).toEqual([]);
      expect(readFileSync(join(folder, 'known.yml'), 'utf8')).toBe(content);
      expect(existsSync(join(folder, 'reports/conformance.json'))).toBe(false);
    }).finally(close);
  });
});
