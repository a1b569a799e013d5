import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { parse as parseEnv } from 'dotenv';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { freePort } from '../free-port.ts';
import { type Installed, packAndInstall } from '../packed.ts';
import { FEW, inFolder, REPORT_NAMES, ROOT, reportIn, runNode } from '../shell.ts';
import { setTraps } from './traps.ts';

const run = promisify(execFile);

/** Returns every path below a folder, and when it was written. */
const entriesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => ({ path, mtime: lstatSync(join(folder, path)).mtimeMs }));

describe('the package', () => {
  let folder = '';
  let installed: Installed;
  let bin = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-package-'));
    installed = await packAndInstall(folder);
    bin = join(installed.folder, packageJson.bin['user-management-conformance']);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('holds only files for users', () => {
    expect(statSync(installed.tarball).size).toBeLessThan(925_000);
    const packed = entriesBelow(installed.folder).map(({ path }) => path);
    const forMaintainers =
      /^tests|^bench|^bin\/(build|bundle|one-file)|\.test\.|\.config\.|(?<!\.d)\.ts$/;
    expect(packed.filter((path) => forMaintainers.test(path))).toEqual([]);
    const read = (path: string) => readFileSync(join(installed.folder, path), 'utf8');
    for (const [, link = ''] of read('README.md').matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(packed).toContain(link);
    expect(packed).toContain('schemas/openapi.yaml');
    for (const path of Object.values(packageJson.bin))
      expect(read(path)).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('every entry of `exports` resolves to a module with types', async () => {
    const tarball = readFileSync(installed.tarball);
    const { buffer, byteOffset, byteLength } = tarball;
    const { messages, pkg } = await publint({
      pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const analysis = await checkPackage(createPackageFromTarballData(tarball));
    const problems = (analysis.types && analysis.problems) || [{ kind: 'no types' as const }];
    // Every supported version of Node can require ES modules, and reads `exports`.
    const isUnsupported = (resolution: string) => /^node10$|^node16-cjs$/.test(resolution);
    const relevant = problems.filter(
      (problem) => !('resolutionKind' in problem) || !isUnsupported(problem.resolutionKind),
    );
    expect(relevant).toEqual([]);
  });

  test('without a target the command names the variables to set', async () => {
    const { code, stdout, stderr } = await runNode([bin], {}, folder);
    expect(stderr).toMatch(
      /^No service is set: set BASE_URL to its base address, such as .* and API_KEY .*\n$/,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('an import changes nothing in the process', async () => {
    const script = `
      import { hasSubscribers } from 'node:diagnostics_channel';
      // With this import, newer versions of Node set the dispatcher of their own fetch.
      import 'node:http';
      const snapshot = () => new Map([
        // Reading the global fetch would set the dispatcher of the process.
        ...Reflect.ownKeys(globalThis).map((name) => [name, typeof name === 'symbol' ? globalThis[name] : '']),
        ...process.eventNames().map((name) => ['on ' + String(name), process.listenerCount(name)]),
        ...Object.entries(process.env),
        ...['undici:request:create', 'undici:client:sendHeaders'].map((name) => [name, hasSubscribers(name)]),
      ]);
      const before = snapshot();
      await import('user-management-conformance');
      for (const [name, value] of snapshot()) if (before.get(name) !== value) console.log(name);
      // A program may use the same copy of undici itself.
      const { request } = await import('undici');
      await request('http://127.0.0.1:1').catch(({ code }) => code === 'ECONNREFUSED' || console.log(code));`;
    writeFileSync(join(folder, 'import.mjs'), script);
    const { stdout, stderr } = await runNode(['import.mjs'], {}, folder);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });

  test('conformance() names an unsupported version of Vitest', async () => {
    const vitest = join(folder, 'node_modules/vitest');
    mkdirSync(vitest);
    try {
      writeFileSync(
        join(vitest, 'package.json'),
        '{ "name": "vitest", "version": "3.2.4", "type": "module" }',
      );
      writeFileSync(
        join(vitest, 'index.js'),
        'export const afterAll = 0, beforeAll = 0, describe = 0, test = 0;',
      );
      const program = "(await import('user-management-conformance/vitest')).conformance({});";
      const { stderr } = await runNode(['--input-type=module', '-e', program], {}, folder);
      expect(stderr).toContain(
        'conformance() of user-management-conformance needs Vitest 4 or 5; this is Vitest 3.2.4.',
      );
    } finally {
      rmSync(vitest, { recursive: true, force: true });
    }
  });

  test('runs from a read-only node_modules, and executes no configuration', async () => {
    // Both projects are below the folder with node_modules, as in a repository of several services.
    const reference = join(folder, 'reference');
    const mine = join(folder, 'mine');
    const executedFile = join(folder, 'executed');
    for (const project of [reference, mine]) mkdirSync(project);
    for (const place of [folder, reference, mine]) setTraps(place, executedFile);
    const before = entriesBelow(join(folder, 'node_modules'));
    await run('chmod', ['-R', 'a-w', join(folder, 'node_modules')]);
    try {
      const args = [bin, ...FEW];
      const embedded = await runNode(args, { BASE_URL: 'embedded-reference' }, reference);
      expect(embedded.stderr).toBe('');
      expect(embedded.stdout).toContain('(the embedded reference service');
      expect(embedded.code).toBe(0);
      await initAndRun(bin, mine);
    } finally {
      await run('chmod', ['-R', 'u+w', join(folder, 'node_modules')]);
    }
    const executed = existsSync(executedFile) ? readFileSync(executedFile, 'utf8') : '';
    expect(executed).toBe('');
    // An administrator can write to read-only files.
    expect(entriesBelow(join(folder, 'node_modules'))).toEqual(before);
    expect(reportIn(reference)?.verdict).toBe('conformant');
    expect(readdirSync(join(reference, 'reports')).sort()).toEqual(REPORT_NAMES);
    expect(readdirSync(folder)).not.toContain('reports');
  });
});

/** Sets up a project with `init`, and judges its service with the files that it wrote. */
async function initAndRun(bin: string, folder: string): Promise<void> {
  const API_KEY = "Init's-key of 4711";
  const START = 'node ../node_modules/user-management-conformance/bin/reference.mjs';
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\nreports');
  const PORT = `${await freePort()}`;
  const baseUrl = `http://127.0.0.1:${PORT}/v1`;
  const start = ['--base-url', baseUrl, '--start', START];
  const args = [bin, 'init', ...start, '--ci', 'github', '--action', 'us/suite@v1'];
  const { code, stdout, stderr } = await runNode(args, { API_KEY }, folder);
  expect(stderr).toBe('');
  expect(stdout).toContain('Written: .gitignore, .env, .github/workflows/conformance.yml\n');
  expect(code).toBe(0);
  expect(stdout).not.toContain(API_KEY);
  const env = parseEnv(readFileSync(join(folder, '.env')));
  expect(env).toEqual({ BASE_URL: baseUrl, API_KEY, CONFORMANCE_START: START });
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('node_modules/\nreports\n.env\n');
  const workflow = readFileSync(join(folder, '.github/workflows/conformance.yml'), 'utf8');
  expect(workflow).not.toContain(API_KEY);
  const { uses, with: inputs, env: secrets } = parse(workflow).jobs.conformance.steps.at(-1);
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  for (const input of Object.keys(inputs)) expect(Object.keys(action.inputs)).toContain(input);
  expect({ uses, inputs, secrets }).toEqual({
    uses: 'us/suite@v1',
    inputs: { 'base-url': baseUrl, start: START, artifact: 'conformance' },
    secrets: { API_KEY: "${{ secrets.API_KEY || 'a-key-for-this-job-alone' }}" },
  });

  const first = await runNode([bin, ...FEW], { PORT }, folder);
  expect(first.stdout).toContain('Verdict: conformant (partial).');
  expect(first.code).toBe(0);
  expect(reportIn(folder)?.target.baseUrl).toBe(baseUrl);

  const again = await runNode(args, { API_KEY }, folder);
  expect(again.stderr).toMatch(/^\.env, .* already there, .*\n$/);
  expect(again.code).toBe(2);
}

test('a suite without its modules ends in one sentence, with exit code 4', async () => {
  await inFolder(async (folder) => {
    for (const path of ['package.json', 'bin'])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    rmSync(join(folder, 'bin/build.mjs'));
    const program = join(folder, packageJson.bin['user-management-conformance']);
    const { code, stderr } = await runNode([program], {}, folder);
    expect(stderr).toMatch(
      /^The suite itself failed: Cannot find module .*\nRequires Node .* with dependencies installed \(`npm ci`\)\.\n$/,
    );
    expect(code).toBe(4);
  });
});
