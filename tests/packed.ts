import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import packageLock from '../package-lock.json' with { type: 'json' };
import { COMMAND } from './shell.ts';

const ROOT = join(COMMAND, '../..');
const { name, version } = packageJson;
const TARBALL = `${name}-${version}.tgz`;
const run = promisify(execFile);

export interface Installed {
  tarball: string;
  /** The package's folder. */
  folder: string;
}

let packed: Promise<Buffer> | undefined;

/** Packs the suite, once for all tests of a worker; without network. */
async function pack(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-packed-'));
  try {
    const env = { PATH: process.env.PATH, HOME: folder };
    await run('npm', ['pack', '--offline', '--no-update-notifier', '--pack-destination', folder], { cwd: ROOT, env });
    return readFileSync(join(folder, TARBALL));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Packs the suite and installs it in a folder as npm does. `also` are dev dependencies to have besides. */
export async function packAndInstall(folder: string, also: string[] = []): Promise<Installed> {
  packed ??= pack();
  const tarball = join(folder, TARBALL);
  writeFileSync(tarball, await packed);
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
