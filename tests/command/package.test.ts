import { execFile } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import packageLock from '../../package-lock.json' with { type: 'json' };
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, inFolder, reportIn, runNode } from '../shell.ts';

const ROOT = join(COMMAND, '../..');
const { name, version } = packageJson;
const run = promisify(execFile);

/** Every path below a folder, with what changes when it is written to. */
const entriesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => ({ path, mtime: lstatSync(join(folder, path)).mtimeMs }));

/** Packs the suite and installs it in a folder as npm does without network; returns the package's folder. */
async function packAndInstall(folder: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: folder };
  await run('npm', ['pack', '--offline', '--no-update-notifier', '--pack-destination', folder], { cwd: ROOT, env });
  const installed = join(folder, 'node_modules', name);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', `${name}-${version}.tgz`, '--strip-components=1', '-C', installed], { cwd: folder });
  for (const [path, entry] of Object.entries(packageLock.packages)) {
    const [, dependency, ...nested] = path.split('node_modules/');
    // A nested one comes with the package that it is in; those for other platforms are not there.
    if (dependency === undefined || nested.length > 0 || 'dev' in entry || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
  return installed;
}

test('the package holds what a run needs and no more, and runs where it can write nothing', async () => {
  await inFolder(async (folder) => {
    const installed = await packAndInstall(folder);
    expect(statSync(join(folder, `${name}-${version}.tgz`)).size).toBeLessThan(400_000);
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
    const before = entriesBelow(join(folder, 'node_modules'));
    await run('chmod', ['-R', 'a-w', join(folder, 'node_modules')]);
    try {
      const [first, second] = await Promise.all(services.map((cwd) => runNode([bin, '--only', 'list.*'], {}, cwd)));
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
      ...['allure-results', 'badge.json', 'conformance.json', 'exchanges.har', 'junit.xml', 'summary.md'],
    ]);
    expect(readdirSync(folder).sort()).not.toContain('reports');
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
