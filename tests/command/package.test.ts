import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { packAndInstall } from '../packed.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
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
  const modules = ['postcss', 'vite', 'vitest', 'babel', 'rolldown', 'tailwind', 'allurerc', 'browserslist'];
  const files = modules.flatMap((one) =>
    ['.config.js', '.config.cjs', '.config.mjs', '.config.ts', '.mjs'].map((end) => one + end),
  );
  for (const file of [...files, '.postcssrc.js', '.postcssrc.cjs', 'vitest.workspace.js', 'vitest.setup.js']) {
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
  for (const file of ['.env.test', '.env.local']) writeFileSync(join(place, file), 'BASE_URL=http://127.0.0.1:9/v1\n');
}

test('the package holds what a run needs and no more, and runs where it can write nothing', async () => {
  await inFolder(async (folder) => {
    const { tarball, folder: installed } = await packAndInstall(folder);
    expect(statSync(tarball).size).toBeLessThan(400_000);
    const packed = entriesBelow(installed).map(({ path }) => path);
    expect(packed.filter((path) => /^tests|^bench|^bin\/build|\.test\.|\.config\.|(?<!\.d)\.ts$/.test(path))).toEqual(
      [],
    );
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    for (const [, link = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)/g)) expect(packed).toContain(link);
    const openApi = readFileSync(join(installed, 'schemas/openapi.yaml'), 'utf8');
    for (const [, file = ''] of openApi.matchAll(/\$ref: (\S+\.json)$/gm)) expect(packed).toContain(`schemas/${file}`);
    for (const bin of Object.values(packageJson.bin)) {
      expect(readFileSync(join(installed, bin), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    }

    // Below the folder with node_modules, as in a repository of several services.
    const services = ['reference', 'broken'].map((one) => join(folder, one));
    for (const one of services) mkdirSync(one);
    const [reference = '', broken = ''] = services;
    const service = await start(brokenBy('total is a string'));
    writeFileSync(join(broken, '.env'), `BASE_URL=${service.baseUrl}\nAPI_KEY=${service.apiKey}\n`);
    const bin = join(installed, packageJson.bin['user-management-conformance']);
    for (const place of [folder, ...services]) setTraps(place, join(folder, 'executed'));
    const before = entriesBelow(join(folder, 'node_modules'));
    await run('chmod', ['-R', 'a-w', join(folder, 'node_modules')]);
    try {
      const [first, second] = await Promise.all(services.map((cwd) => runNode([bin, '--only', 'list.*'], {}, cwd)));
      expect(existsSync(join(folder, 'executed')) && readFileSync(join(folder, 'executed'), 'utf8')).toBe(false);
      expect(first?.stderr).toBe('');
      expect(first?.stdout).toContain('(the embedded reference service');
      expect(first?.code).toBe(0);
      expect(second?.stdout).toContain('✗ MUST list.total-integer');
      expect(second?.code).toBe(1);
    } finally {
      await run('chmod', ['-R', 'u+w', join(folder, 'node_modules')]);
      await service.close();
    }
    // The rights bind no administrator.
    expect(entriesBelow(join(folder, 'node_modules'))).toEqual(before);
    expect(reportIn(reference)?.verdict).toBe('conformant');
    expect(reportIn(broken)?.target.baseUrl).toBe(service.baseUrl);
    expect(readdirSync(join(broken, 'reports')).sort()).toEqual([
      ...[
        'allure-results',
        'badge.json',
        'conformance.json',
        'exchanges.har',
        'junit.xml',
        'report.html',
        'summary.md',
      ],
    ]);
    expect(readdirSync(folder).sort()).not.toContain('reports');
  });
});

test.concurrent('those who import the package find what it says, with its types', async () => {
  await inFolder(async (folder) => {
    const tarball = readFileSync((await packAndInstall(folder)).tarball);
    const { buffer, byteOffset, byteLength } = tarball;
    const { messages, pkg } = await publint({ pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) } });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const analysis = await checkPackage(createPackageFromTarballData(tarball));
    // All versions of Node that the package takes can require ES modules, and know `exports`.
    const found = (analysis.types && analysis.problems) || [{ kind: 'no types' as const }];
    const told = found.filter((one) => !('resolutionKind' in one && /^node10$|^node16-cjs$/.test(one.resolutionKind)));
    expect(told).toEqual([]);
  });
});

test.concurrent('a suite that can not be loaded ends in a sentence, and not with the code of a broken service', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'bin'));
    for (const file of ['package.json', ...readdirSync(join(ROOT, 'bin')).map((one) => `bin/${one}`)]) {
      writeFileSync(join(folder, file), readFileSync(join(ROOT, file)));
    }
    rmSync(join(folder, 'bin/build.mjs'));
    const { code, stderr } = await runNode([join(folder, packageJson.bin['user-management-conformance'])], {}, folder);
    expect(stderr).toMatch(/^The suite itself failed: Cannot find module .*\nIt needs Node .* dependencies\.\n$/);
    expect(code).toBe(4);
  });
});
