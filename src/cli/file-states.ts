import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SettingsError, unlessThrown } from '../settings/errors.ts';

/** The size and the modification time of each file, by its path. */
export type FileStates = ReadonlyMap<string, string>;

/** Hidden entries, folders of packages and build results, and files that a service writes itself. */
const IGNORED =
  /^(\..*|node_modules|vendor|venv|__pycache__|dist|build|out|target|coverage|.*~|.*\.(log|pid|tmp|db|sqlite3?)(-\w+)?)$/i;

/** More files would take too long to read again and again. */
const MOST_ENTRIES = 50_000;

/**
 * Returns the states of the files in a directory, without ignored ones and the report directory. An
 * entry that can't be read counts as absent. Throws a SettingsError if the directory is too large.
 */
export function fileStates(root: string, reportDir: string): Map<string, string> {
  const states = new Map<string, string>();
  let entries = 0;
  const readFolder = (folder: string): void => {
    for (const entry of unlessThrown(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const path = join(folder, entry.name);
      if (IGNORED.test(entry.name) || path === reportDir) continue;
      entries += 1;
      if (entries > MOST_ENTRIES)
        throw new SettingsError(
          `There are more than ${MOST_ENTRIES} files in ${root}: name a directory with --watch-path.`,
        );
      if (entry.isDirectory()) readFolder(path);
      const stat = unlessThrown(() => statSync(path));
      if (stat?.isFile()) states.set(path, `${stat.size} ${stat.mtimeMs}`);
    }
  };
  readFolder(root);
  return states;
}

export function changedPaths(before: FileStates, after: FileStates): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

/**
 * Waits until the files of a directory differ from earlier states. Resolves with their names.
 * Rejects when the signal is aborted. Reads the directory again and again: what the system reports
 * of changes has limits, and nothing arrives from a network or a container.
 */
export async function changedFiles(
  root: string,
  reportDir: string,
  before: FileStates,
  signal: AbortSignal,
): Promise<string[]> {
  let last = before;
  for (;;) {
    const start = performance.now();
    const now = fileStates(root, reportDir);
    const changed = changedPaths(before, now);
    // An editor writes a file in several steps, and a formatter writes several files.
    if (changed.length > 0 && changedPaths(last, now).length === 0)
      return changed.map((path) => relative(root, path)).sort();
    last = now;
    // At most a tenth of the time is spent on reading.
    await sleep(Math.max(200, 10 * (performance.now() - start)), undefined, { signal });
  }
}
