import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessThrown } from '../settings/files.ts';

/** How often files are looked at, in milliseconds; less often where that would take more than a tenth of the time. */
const EVERY_MS = 300;

/**
 * Waits until files of a directory have changed, without what git ignores and without the report directory. Resolves
 * with their names; rejects when the signal is aborted. What has changed before it was called counts for nothing. Files
 * are looked at: what a system tells of changes has limits, and is not told through the mounts of containers.
 */
export async function changedFiles(root: string, reportDir: string, signal: AbortSignal): Promise<string[]> {
  const before = filesIn(root, reportDir);
  for (let last = before; ; ) {
    const began = performance.now();
    const now = filesIn(root, reportDir);
    const changed = differing(before, now);
    // An editor writes a file in several steps, and a formatter several files.
    if (changed.length > 0 && differing(last, now).length === 0) {
      return changed.map((path) => relative(root, path)).sort();
    }
    last = now;
    await sleep(Math.max(EVERY_MS, 10 * (performance.now() - began)), undefined, { signal });
  }
}

function differing(one: Map<string, string>, other: Map<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));
}

/** The size and time of each file, by its path. */
function filesIn(root: string, reportDir: string): Map<string, string> {
  const paths = namesIn(root).filter((path) => !path.startsWith(reportDir + sep));
  return new Map(
    paths.map((path) => {
      const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return [path, `${size} ${mtimeMs}`];
    }),
  );
}

/** What git does not ignore; without git, all but modules and hidden files. */
function namesIn(root: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) return filesBelow(root);
  return stdout.split('\0').flatMap((name) => (name === '' ? [] : [join(root, name)]));
}

function filesBelow(folder: string): string[] {
  // It may be gone already, or not to be read by this user.
  const entries = unlessThrown(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    if (/^(\.|node_modules$)/.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
