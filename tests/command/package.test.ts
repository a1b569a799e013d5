import { execFile } from 'node:child_process';
import {
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
import { COMMAND, inFolder, reportIn, runNode } from '../shell.ts';

const ROOT = join(COMMAND, '../..');
const run = promisify(execFile);

/** Every path below a folder, with what changes when it is written to. */
const entriesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => ({ path, mtime: lstatSync(join(folder, path)).mtimeMs }));

/** Configurations of the surrounding project for all that the suite is made of: whoever loads one writes its name. */
function setTraps(place: string, told: string): void {
  const modules = [
    'postcss',
    'vite',
    'vitest',
    'babel',
    'rolldown',
    'tailwind',
    'allurerc',
    'browserslist',
  ];
  const files = modules.flatMap((one) =>
    ['.config.js', '.config.cjs', '.config.mjs', '.config.ts', '.mjs'].map((end) => one + end),
  );
  for (const file of [
    ...files,
    '.postcssrc.js',
    '.postcssrc.cjs',
    'vitest.workspace.js',
    'vitest.setup.js',
  ]) {
    const tell = `appendFileSync(${JSON.stringify(told)}, ${JSON.stringify(`${file}\n`)});`;
    const load = /cjs$/.test(file)
      ? "const { appendFileSync } = require('node:fs');"
      : "import { appendFileSync } from 'node:fs';";
    writeFileSync(join(place, file), `${load}\n${tell}\n`);
  }
  // By it Vite finds out how far up it looks.
  writeFileSync(join(place, 'pnpm-workspace.yaml'), '');
  for (const file of ['tsconfig.json', '.swcrc', '.babelrc', 'jsconfig.json'])
    writeFileSync(join(place, file), '{ no JSON');
  for (const file of ['.env.test', '.env.local'])
    writeFileSync(join(place, file), 'BASE_URL=http://127.0.0.1:9/v1\n');
}

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

  test('holds what a run needs and no more', () => {
    expect(statSync(installed.tarball).size).toBeLessThan(500_000);
    const packed = entriesBelow(installed.folder).map(({ path }) => path);
    expect(
      packed.filter((path) =>
        /^tests|^bench|^bin\/build|\.test\.|\.config\.|(?<!\.d)\.ts$/.test(path),
      ),
    ).toEqual([]);
    const read = (path: string) => readFileSync(join(installed.folder, path), 'utf8');
    for (const [, link = ''] of read('README.md').matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(packed).toContain(link);
    expect(packed).toContain('schemas/openapi.yaml');
    for (const path of Object.values(packageJson.bin))
      expect(read(path)).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('those who import it find what it says, with its types', async () => {
    const tarball = readFileSync(installed.tarball);
    const { buffer, byteOffset, byteLength } = tarball;
    const { messages, pkg } = await publint({
      pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const analysis = await checkPackage(createPackageFromTarballData(tarball));
    // All versions of Node that the package takes can require ES modules, and know `exports`.
    const found = (analysis.types && analysis.problems) || [{ kind: 'no types' as const }];
    const told = found.filter(
      (one) => !('resolutionKind' in one && /^node10$|^node16-cjs$/.test(one.resolutionKind)),
    );
    expect(told).toEqual([]);
  });

  test('without a target it judges nothing, and says what to set', async () => {
    const { code, stdout, stderr } = await runNode([bin], {}, folder);
    expect(stderr).toMatch(
      /^No service is set: set BASE_URL to its base address, such as .* and API_KEY .*\n$/,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('to import it changes nothing in the process', async () => {
    const script = `
      import { hasSubscribers } from 'node:diagnostics_channel';
      // Newer versions of Node set the dispatcher of their own fetch with it.
      import 'node:http';
      const look = () => new Map([
        // Only to read some names would change others: fetch sets the dispatcher of the process.
        ...Reflect.ownKeys(globalThis).map((name) => [name, typeof name === 'symbol' ? globalThis[name] : '']),
        ...process.eventNames().map((name) => ['on ' + String(name), process.listenerCount(name)]),
        ...Object.entries(process.env),
        ...['undici:request:create', 'undici:client:sendHeaders'].map((name) => [name, hasSubscribers(name)]),
      ]);
      const before = look();
      await import('user-management-conformance');
      for (const [name, value] of look()) if (before.get(name) !== value) console.log(name);
      // A program may use the same copy of undici itself.
      const { request } = await import('undici');
      await request('http://127.0.0.1:1').catch(({ code }) => code === 'ECONNREFUSED' || console.log(code));`;
    writeFileSync(join(folder, 'import.mjs'), script);
    const { stdout, stderr } = await runNode(['import.mjs'], {}, folder);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });

  test('another major version of Vitest is named beside the one that is needed', async () => {
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

  test('runs where it can write nothing; init sets a project up, and its first run needs nothing more', async () => {
    // Below the folder with node_modules, as in a repository of several services.
    const services = ['reference', 'mine'].map((one) => join(folder, one));
    for (const one of services) mkdirSync(one);
    const [reference = '', mine = ''] = services;
    for (const place of [folder, ...services]) setTraps(place, join(folder, 'executed'));
    const before = entriesBelow(join(folder, 'node_modules'));
    await run('chmod', ['-R', 'a-w', join(folder, 'node_modules')]);
    try {
      const [embedded] = await Promise.all([
        runNode([bin, '--only', 'create.location'], { BASE_URL: 'embedded-reference' }, reference),
        initAndRun(bin, mine),
      ]);
      expect(
        existsSync(join(folder, 'executed')) && readFileSync(join(folder, 'executed'), 'utf8'),
      ).toBe(false);
      expect(embedded.stderr).toBe('');
      expect(embedded.stdout).toContain('(the embedded reference service');
      expect(embedded.code).toBe(0);
    } finally {
      await run('chmod', ['-R', 'u+w', join(folder, 'node_modules')]);
    }
    // The rights bind no administrator.
    expect(entriesBelow(join(folder, 'node_modules'))).toEqual(before);
    expect(reportIn(reference)?.verdict).toBe('conformant');
    const reports = [
      'badge.json',
      'conformance.json',
      'created-users.json',
      'exchanges.har',
      'junit.xml',
      'report.html',
      'run.json.gz',
      'summary.md',
    ];
    expect(readdirSync(join(reference, 'reports')).sort()).toEqual(['allure-results', ...reports]);
    expect(readdirSync(folder).sort()).not.toContain('reports');
  });
});

/** Sets a project up by flags, and judges its service by what was written. */
async function initAndRun(bin: string, folder: string): Promise<void> {
  const API_KEY = "Init's-key of 4711";
  const START = 'node ../node_modules/user-management-conformance/bin/reference.mjs';
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\nreports');
  const PORT = `${await freePort()}`;
  const baseUrl = `http://127.0.0.1:${PORT}/v1`;
  const args = [
    bin,
    'init',
    '--base-url',
    baseUrl,
    '--start',
    START,
    '--ci',
    'github',
    '--action',
    'us/suite@v1',
  ];
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

  const first = await runNode([bin, '--only', 'create.location'], { PORT }, folder);
  expect(first.stdout).toContain('Verdict: conformant (partial).');
  expect(first.code).toBe(0);
  expect(reportIn(folder)?.target.baseUrl).toBe(baseUrl);

  const again = await runNode(args, { API_KEY }, folder);
  expect(again.stderr).toMatch(/^\.env, .* already there, .*\n$/);
  expect(again.code).toBe(2);
}

test('a suite that can not be loaded ends in a sentence, and not with the code of a broken service', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'bin'));
    for (const file of [
      'package.json',
      ...readdirSync(join(ROOT, 'bin')).map((one) => `bin/${one}`),
    ]) {
      writeFileSync(join(folder, file), readFileSync(join(ROOT, file)));
    }
    rmSync(join(folder, 'bin/build.mjs'));
    const { code, stderr } = await runNode(
      [join(folder, packageJson.bin['user-management-conformance'])],
      {},
      folder,
    );
    expect(stderr).toMatch(
      /^The suite itself failed: Cannot find module .*\nRequires Node .* with dependencies installed \(`npm ci`\)\.\n$/,
    );
    expect(code).toBe(4);
  });
});
