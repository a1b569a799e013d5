import { spawnSync } from 'node:child_process';
import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** An editor writes a file in several steps, and a formatter several files. Milliseconds. */
const SETTLED_AFTER_MS = 200;

/**
 * Watches a directory for changed files, without what git ignores and without the report directory. `next` resolves with the
 * names of those that changed since it was called: what a run itself writes, or the service in it, counts for nothing.
 */
export class ChangedFiles {
  readonly #root: string;
  readonly #reportDir: string;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;
  #before = new Map<string, string>();
  /** Absent where nobody waits. */
  #tell: ((names: string[]) => void) | undefined;

  constructor(root: string, reportDir: string) {
    this.#root = root;
    this.#reportDir = reportDir;
  }

  /** The names of what changes from now on, as soon as something has. */
  next(): Promise<string[]> {
    this.#before = this.#look();
    return new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  /** The size and time of each file, by its path. Watches the directories that they are in. */
  #look(): Map<string, string> {
    const files = this.#files().filter((path) => !path.startsWith(this.#reportDir + sep));
    for (const folder of new Set([this.#root, ...files.flatMap((path) => this.#foldersOf(path))])) this.#watch(folder);
    return new Map(
      files.map((path) => {
        const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
        return [path, `${size} ${mtimeMs}`];
      }),
    );
  }

  /** What git does not ignore; without git, all but modules and hidden files. */
  #files(): string[] {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    const { status, stdout } = spawnSync('git', args, { cwd: this.#root, encoding: 'utf8', maxBuffer: 2 ** 26 });
    if (status === 0) return stdout.split('\0').flatMap((name) => (name === '' ? [] : [join(this.#root, name)]));
    return filesBelow(this.#root);
  }

  #foldersOf(path: string): string[] {
    const folder = dirname(path);
    return folder.startsWith(this.#root + sep) ? [folder, ...this.#foldersOf(folder)] : [];
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#compare(), SETTLED_AFTER_MS);
      });
      // A folder that is removed is watched no more.
      this.#watchers.set(
        folder,
        watcher.on('error', () => this.#watchers.delete(folder)),
      );
    } catch {
      // It is gone already, or the system has no room for more of them.
    }
  }

  #compare(): void {
    if (this.#tell === undefined) return;
    const now = this.#look();
    const paths = [...new Set([...this.#before.keys(), ...now.keys()])];
    const changed = paths.filter((path) => this.#before.get(path) !== now.get(path));
    if (changed.length === 0) return;
    this.#tell(changed.map((path) => relative(this.#root, path)).sort());
    this.#tell = undefined;
  }
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
