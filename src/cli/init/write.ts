import { spawnSync } from 'node:child_process';
import { closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../settings/files.ts';
import { SettingsError } from '../../settings/settings-error.ts';

/** Whether a path of this folder is there. Throws a SettingsError where it is a link or leads through one. */
export function isThere(path: string): boolean {
  for (let place = path; place !== '.'; place = dirname(place)) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new SettingsError(`${place} is a symbolic link, and init writes through none.`);
    }
  }
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Writes a file that is not there, for the user alone where it is `.env`. Returns its path. Throws a SettingsError. */
export function write(path: string, text: string, flags: string | number = 'wx'): string {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, flags, path === '.env' ? 0o600 : 0o666);
    writeFileSync(file, text);
    closeSync(file);
    return path;
  } catch (error) {
    throw new SettingsError(`${path} can't be written (${codeOf(error)}).`);
  }
}

/**
 * Adds lines to .gitignore for what git does not ignore yet. Returns the paths that were written. Throws a SettingsError
 * where git would take `.env` all the same.
 */
export function ignore(entries: string[]): string[] {
  const before = isThere('.gitignore') ? readFileSync('.gitignore', 'utf8') : '';
  const bare = (entry: string) => entry.trim().replace(/^\/|\/$/g, '');
  const lines = before.split('\n').map(bare);
  const missing = entries.filter((entry) => !(isIgnored(entry) ?? lines.includes(bare(entry))));
  if (missing.length === 0) return [];
  const end = before === '' || before.endsWith('\n') ? '' : '\n';
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  write('.gitignore', `${before}${end}${missing.join('\n')}\n`, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  if (isIgnored('.env') !== false) return ['.gitignore'];
  throw new SettingsError(
    'git does not ignore .env, though .gitignore names it: `git rm --cached .env` may be missing.',
  );
}

/** What git says; undefined where there is no git, or this is none of its folders. */
function isIgnored(path: string): boolean | undefined {
  const { API_KEY: _, ...env } = process.env;
  // The configuration of a checkout may name a program.
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', path];
  const { status } = spawnSync('git', args, { env, stdio: 'ignore' });
  return status === 0 ? true : status === 1 ? false : undefined;
}
