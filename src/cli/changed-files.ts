import { execFile } from 'node:child_process';
import { type FSWatcher, watch } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';

/** An editor writes a file in several steps, and a formatter several files. Milliseconds. */
const SETTLED_AFTER_MS = 200;

/** What is no source, where git does not say. */
const NO_SOURCE = /(^|[\\/])(\.|node_modules([\\/]|$))/;

/**
 * Watches a folder for changed files, without what git ignores and without the report directory. `next` resolves with the names
 * of those that changed since then: what a run itself writes, or the service in it, counts for nothing.
 */
export class ChangedFiles {
  readonly #root: string;
  readonly #isReport: (path: string) => boolean;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #touched = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #tell = (_names: string[]) => {};

  constructor(root: string, reportDir: string) {
    this.#root = root;
    this.#isReport = (path) => path === reportDir || path.startsWith(`${reportDir}${sep}`);
  }

  /** Begins; where git knows the folder, only those with files of its own are watched. */
  async start(): Promise<void> {
    const files = await this.#filesOfGit();
    if (files === undefined) this.#watch(this.#root, true);
    else this.#watchFoldersOf(files);
  }

  /** The names of what changes from now on, as soon as something has. */
  next(): Promise<string[]> {
    clearTimeout(this.#timer);
    this.#touched.clear();
    return new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #watch(folder: string, recursive: boolean): void {
    if (this.#watchers.has(folder) || this.#isReport(folder)) return;
    try {
      const watcher = watch(folder, { recursive }, (_, name) => {
        if (name) this.#touch(join(folder, name));
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

  #touch(path: string): void {
    if (this.#isReport(path)) return;
    this.#touched.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#settle(), SETTLED_AFTER_MS);
  }

  async #settle(): Promise<void> {
    const touched = [...this.#touched];
    this.#touched.clear();
    const files = await this.#filesOfGit();
    if (files) this.#watchFoldersOf(files);
    const changed = touched.filter((path) => {
      // A new folder counts by what is in it.
      if (files) return files.some((one) => one === path || one.startsWith(`${path}${sep}`));
      return !NO_SOURCE.test(relative(this.#root, path));
    });
    if (changed.length > 0) this.#tell(changed.map((path) => relative(this.#root, path)).sort());
  }

  #watchFoldersOf(files: string[]): void {
    this.#watch(this.#root, false);
    for (const file of files) {
      for (let folder = dirname(file); folder.startsWith(this.#root + sep); folder = dirname(folder)) {
        this.#watch(folder, false);
      }
    }
  }

  /** The files that git does not ignore; undefined where there is no git. */
  async #filesOfGit(): Promise<string[] | undefined> {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    const options = { cwd: this.#root, maxBuffer: 64 * 1024 * 1024 };
    const listed = await promisify(execFile)('git', args, options).catch(() => undefined);
    return listed?.stdout.split('\0').flatMap((name) => (name === '' ? [] : [join(this.#root, name)]));
  }
}
