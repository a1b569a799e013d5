import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../settings/files.ts';
import { SettingsError } from '../../settings/settings-error.ts';

/** Whether a path of this directory exists. Throws a SettingsError where it is a link or leads through one. */
export function isThere(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink()) throw new SettingsError(`${path} is a symbolic link, and init writes through none.`);
  if (path.includes('/')) isThere(dirname(path));
  return entry !== undefined;
}

/** Writes a new file, for the user alone where it is `.env`, or adds to one. Returns its path. Throws a SettingsError. */
export function write(path: string, text: string, flag: 'wx' | 'a' = 'wx'): string {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag, mode: path === '.env' ? 0o600 : 0o666 });
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
  write('.gitignore', `${/(^|\n)$/.test(before) ? '' : '\n'}${missing.join('\n')}\n`, 'a');
  if (isIgnored('.env') !== false) return ['.gitignore'];
  throw new SettingsError('git does not ignore .env, though .gitignore names it: try `git rm --cached .env`.');
}

/** What git says; undefined where there is no git, or this is none of its directories. */
function isIgnored(path: string): boolean | undefined {
  const { API_KEY: _, ...env } = process.env;
  // The configuration of a checkout may name a program.
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', path];
  const { status } = spawnSync('git', args, { env, stdio: 'ignore' });
  return status === 0 ? true : status === 1 ? false : undefined;
}
