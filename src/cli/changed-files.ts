import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** An editor writes a file in several steps, and a formatter several files. Milliseconds. */
const SETTLED_AFTER_MS = 200;

/**
 * Waits until files of a directory have changed, without what git ignores and without the report directory. Resolves with their
 * names; rejects when the signal is aborted. What has changed before it was called counts for nothing.
 */
export async function changedFiles(root: string, reportDir: string, signal: AbortSignal): Promise<string[]> {
  const before = filesIn(root, reportDir);
  let now = before;
  for (;;) {
    const watchers = [...foldersOf(root, [...now.keys()])].flatMap(watcherOf);
    try {
      // Only now: nothing that changes from here on is missed.
      now = filesIn(root, reportDir);
      const paths = new Set([...before.keys(), ...now.keys()]);
      const changed = [...paths].filter((path) => before.get(path) !== now.get(path));
      if (changed.length > 0) return changed.map((path) => relative(root, path)).sort();
      // A folder that is removed is an error of its watcher.
      await Promise.race(watchers.map((one) => once(one, 'change', { signal }))).catch(() => signal.throwIfAborted());
    } finally {
      for (const one of watchers) one.close();
    }
    await sleep(SETTLED_AFTER_MS, undefined, { signal });
  }
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

/** The folders that files are in, up to the root. */
function foldersOf(root: string, paths: readonly string[]): Set<string> {
  const folders = new Set([root]);
  for (const path of paths) {
    for (let folder = dirname(path); folder.startsWith(root + sep); folder = dirname(folder)) folders.add(folder);
  }
  return folders;
}

function watcherOf(folder: string): FSWatcher[] {
  try {
    return [watch(folder)];
  } catch {
    // It is gone already, or the system has no room for more of them.
    return [];
  }
}

/** What git does not ignore; without git, all but modules and hidden files. */
function namesIn(root: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) return filesBelow(root);
  return stdout.split('\0').flatMap((name) => (name === '' ? [] : [join(root, name)]));
}

function filesBelow(folder: string): string[] {
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // It is gone already, or not to be read by this user.
  }
  return entries.flatMap((entry) => {
    if (/^(\.|node_modules$)/.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
