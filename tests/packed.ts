import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { refresh } from '../bin/build.mjs';
import packageJson from '../package.json' with { type: 'json' };
import packageLock from '../package-lock.json' with { type: 'json' };
import { COMMAND } from './shell.ts';

const ROOT = join(COMMAND, '../..');
const { name, version } = packageJson;
const TARBALL = `${name}-${version}.tgz`;
const run = promisify(execFile);

/** An installed package. */
export interface Installed {
  tarball: string;
  /** The package's folder. */
  folder: string;
}

/** Packs the suite, without network, and installs it in a folder as npm does. */
export async function packAndInstall(folder: string): Promise<Installed> {
  const env = { PATH: process.env.PATH, HOME: folder };
  await run('npm', ['pack', '--offline', '--no-update-notifier', '--pack-destination', folder], {
    cwd: ROOT,
    env,
  });
  const tarball = join(folder, TARBALL);
  const installed = packageFolder(folder);
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  linkDependencies(folder, []);
  return { tarball, folder: installed };
}

/**
 * Installs only the importable modules of the suite, which is faster. `devDependencies` are
 * installed as well.
 */
export async function installModules(folder: string, devDependencies: string[]): Promise<void> {
  await refresh();
  const installed = packageFolder(folder);
  for (const part of ['package.json', 'dist'])
    cpSync(join(ROOT, part), join(installed, part), { recursive: true });
  linkDependencies(folder, devDependencies);
}

function packageFolder(folder: string): string {
  const installed = join(folder, 'node_modules', name);
  mkdirSync(installed, { recursive: true });
  return installed;
}

function linkDependencies(folder: string, devDependencies: string[]): void {
  for (const [path, entry] of Object.entries(packageLock.packages)) {
    const [, dependency, ...nested] = path.split('node_modules/');
    // A nested package comes with its parent. Packages for other platforms are not installed.
    if (dependency === undefined || nested.length > 0 || !existsSync(join(ROOT, path))) continue;
    if ('dev' in entry && !devDependencies.includes(dependency)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
}
