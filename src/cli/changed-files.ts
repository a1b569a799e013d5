import { spawnSync } from 'node:child_process';
import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** An editor writes a file in several steps, and a formatter several files. Milliseconds. */
const SETTLED_AFTER_MS = 200;

/**
 * Watches a directory for changed files, without what git ignores and without the report directory. `next` resolves with the
 * names of those that changed since it was called: what a run itself writes, or the service in it, counts for nothing.
 */
export function changedFiles(root: string, reportDir: string) {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let before = new Map<string, string>();
  /** Absent where nobody waits. */
  let tell: ((names: string[]) => void) | undefined;
  /** The folders of a path, up to the root. */
  const foldersOf = (path: string): string[] => {
    const folder = dirname(path);
    return folder.startsWith(root + sep) ? [folder, ...foldersOf(folder)] : [root];
  };
  const watchFolder = (folder: string) => {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(folder, () => {
        clearTimeout(timer);
        timer = setTimeout(compare, SETTLED_AFTER_MS);
      });
      watchers.set(folder, watcher);
      // A folder that is removed is watched no more.
      watcher.on('error', () => watchers.delete(folder));
    } catch {
      // It is gone already, or the system has no room for more of them.
    }
  };
  /** The size and time of each file, by its path. Watches the directories that they are in. */
  const look = () => {
    const files = filesIn(root).filter((path) => !path.startsWith(reportDir + sep));
    for (const folder of new Set([root, ...files.flatMap(foldersOf)])) watchFolder(folder);
    return new Map(
      files.map((path) => {
        const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
        return [path, `${size} ${mtimeMs}`];
      }),
    );
  };
  const compare = () => {
    if (tell === undefined) return;
    const now = look();
    const paths = [...new Set([...before.keys(), ...now.keys()])];
    const changed = paths.filter((path) => before.get(path) !== now.get(path));
    if (changed.length === 0) return;
    tell(changed.map((path) => relative(root, path)).sort());
    tell = undefined;
  };
  return {
    /** The names of what changes from now on, as soon as something has. */
    next: () => {
      before = look();
      return new Promise<string[]>((resolve) => {
        tell = resolve;
      });
    },
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/** What git does not ignore; without git, all but modules and hidden files. */
function filesIn(root: string): string[] {
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
