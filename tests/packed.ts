import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import packageLock from '../package-lock.json' with { type: 'json' };
import { COMMAND } from './shell.ts';

const ROOT = join(COMMAND, '../..');
const { name, version } = packageJson;
const run = promisify(execFile);

export interface Installed {
  tarball: string;
  /** The package's folder. */
  folder: string;
}

/** Packs the suite and installs it in a folder as npm does, without network. `also` are dev dependencies to have besides. */
export async function packAndInstall(folder: string, also: string[] = []): Promise<Installed> {
  const env = { PATH: process.env.PATH, HOME: folder };
  await run('npm', ['pack', '--offline', '--no-update-notifier', '--pack-destination', folder], { cwd: ROOT, env });
  const tarball = join(folder, `${name}-${version}.tgz`);
  const installed = join(folder, 'node_modules', name);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const [path, entry] of Object.entries(packageLock.packages)) {
    const [, dependency, ...nested] = path.split('node_modules/');
    // A nested one comes with the package that it is in; those for other platforms are not there.
    if (dependency === undefined || nested.length > 0 || !existsSync(join(ROOT, path))) continue;
    if ('dev' in entry && !also.includes(dependency)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
  return { tarball, folder: installed };
}
