import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, readdirSync, statSync, watch as watchFolder } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunInput } from '../api/run.ts';
import type { Report } from '../reports/report.ts';
import { failedSlugs } from '../reports/selection.ts';
import { abbreviateList, sanitizeLine } from '../reports/text.ts';
import type { StartedService } from '../run/away.ts';
import { codeOf, SettingsError, unlessThrown } from '../settings/errors.ts';
import type { Settings } from '../settings/settings.ts';
import { onSignal } from '../start/signals.ts';
import type { OneRun } from './one-run.ts';

export interface WatchOptions {
  /** The directory to watch. */
  root: string;
  /** The states of its files before the service was started. */
  started: FileStates;
}

/**
 * Makes a run, and another one after each change of a file or at the user's request, until the input
 * ends, or the user presses q or Ctrl-C. Restarts the service if files have changed since its start.
 * Returns the exit code of the last run.
 */
export async function watch(
  input: RunInput,
  run: (input: RunInput, before?: Report) => Promise<OneRun>,
  { root, started: atStart }: WatchOptions,
): Promise<number> {
  const { settings } = input;
  const readStates = () => fileStates(root, settings.reportDir);
  let started = atStart;
  // The run itself restarts a service that has ended.
  const service = input.service && {
    ...input.service,
    restart: async () => {
      started = readStates();
      await input.service?.restart();
    },
  };
  let atRun = atStart;
  let counts: ReadonlyMap<string, number> = new Map();
  const makeRun = async (selection: Settings['selection'], before?: Report): Promise<OneRun> => {
    const nextRun = await run({ ...input, service, settings: { ...settings, selection } }, before);
    const now = readStates();
    counts = countChanges(counts, changedPaths(atRun, now));
    const written = [...counts.keys()].filter((path) => (counts.get(path) ?? 0) >= MOST_IN_A_ROW);
    if (written.length > 0) process.stdout.write(`\n${writtenText(root, written)}\n`);
    atRun = replaceStates(written, atRun, now);
    return nextRun;
  };
  let last = await makeRun(settings.selection);
  for (;;) {
    const waiting = new AbortController();
    const changed = changedFiles(root, settings.reportDir, atRun, waiting.signal);
    process.stdout.write(
      '\nPress r or Enter to rerun, f to rerun failures, o to open the report, q to quit.\n',
    );
    const action = await Promise.race([readKey('rfoq', waiting.signal), changed]);
    waiting.abort();
    if (action === 'q') return last.exitCode;
    if (action === 'o') {
      await open(join(settings.reportDir, 'report.html'));
      continue;
    }
    if (process.stdout.isTTY) process.stdout.write(CLEAR_SCREEN);
    if (Array.isArray(action))
      process.stdout.write(`changed: ${sanitizeLine(abbreviateList(action))}\n`);
    const failed = failedSlugs(last.report);
    if (action === 'f' && failed.length === 0) {
      process.stdout.write('Nothing failed in the last run.\n');
      continue;
    }
    atRun = readStates();
    const isStale = changedPaths(started, atRun).length > 0;
    if (!(await ensureUp(service, { isStale }))) continue;
    const selection = action === 'f' ? { only: failed, skip: [] } : settings.selection;
    last = await makeRun(selection, last.report);
  }
}

/** The control characters that clear a terminal, its scrollback included. */
const CLEAR_SCREEN = '\u001b[2J\u001b[3J\u001b[H';

/**
 * A file that changes during three runs in a row starts no further run: the service probably writes
 * it, and the runs would never end. A lower limit would ignore a user who saves a file repeatedly.
 */
const MOST_IN_A_ROW = 3;

/** Returns the number of runs in a row during which each file has changed, up to the last one. */
function countChanges(
  before: ReadonlyMap<string, number>,
  changed: readonly string[],
): Map<string, number> {
  return new Map(changed.map((path) => [path, (before.get(path) ?? 0) + 1]));
}

function writtenText(root: string, paths: readonly string[]): string {
  const names = sanitizeLine(abbreviateList(paths.map((path) => relative(root, path))));
  return `Changed during each of the last ${MOST_IN_A_ROW} runs: ${names}. If the service writes it, add it to .gitignore; press r to rerun.`;
}

/** Replaces the states of certain files by later ones. */
function replaceStates(
  paths: readonly string[],
  states: FileStates,
  later: FileStates,
): FileStates {
  const replaced = new Map(states);
  for (const path of paths) {
    const state = later.get(path);
    if (state === undefined) replaced.delete(path);
    else replaced.set(path, state);
  }
  return replaced;
}

/**
 * Restarts a service if it has ended or is stale. Returns whether it responds; prints the reason if
 * it does not.
 */
export async function ensureUp(
  service: StartedService | undefined,
  { isStale = false }: { isStale?: boolean } = {},
): Promise<boolean> {
  try {
    if (service && (isStale || service.ended())) await service.restart();
    return true;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${[sanitizeLine(error.message), ...error.below].join('\n')}\n`);
    return false;
  }
}

/**
 * Waits for one of some keys, until the signal is aborted. Without a terminal a key is a line. Enter
 * is r. The end of the input, Ctrl-C and a signal of the system are q.
 */
function readKey(keys: string, signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  const setRawMode = (isRaw: boolean) => stdin.isTTY && stdin.setRawMode(isRaw);
  return new Promise((resolve) => {
    const quit = () => resolve('q');
    const read = (data: Buffer) => {
      const inputs = stdin.isTTY ? [...`${data}`] : `${data}`.split('\n').slice(0, -1);
      const key = inputs.map(toKey).find((candidate) => keys.includes(candidate));
      if (key) resolve(key);
    };
    onSignal(quit);
    setRawMode(true);
    if (stdin.readableEnded) quit();
    stdin.on('data', read).once('end', quit).resume();
    signal.addEventListener('abort', () => {
      stdin.off('data', read).off('end', quit).pause();
      setRawMode(false);
    });
  });
}

/** Returns the key of an input. A terminal in raw mode passes Ctrl-C and Ctrl-D on. */
function toKey(input: string): string {
  if (input === '\u0003' || input === '\u0004') return 'q';
  return input.trim().toLowerCase() || 'r';
}

/** The programs that open a file in its default application. */
const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file in the browser, which does not get the key. Prints the path if that fails. */
export async function open(path: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const { API_KEY: _key, CONFORMANCE_HEADERS: _headers, ...env } = process.env;
  const child = spawn(program, [...args, path], { detached: true, stdio: 'ignore', env });
  const isStarted = await once(child, 'spawn').catch(() => false);
  child.unref();
  if (!isStarted)
    process.stderr.write(`${sanitizeLine(`${program} is missing: open ${path} yourself.`)}\n`);
}

/** The size and the modification time of each file, by its path. */
export type FileStates = ReadonlyMap<string, string>;

function changedPaths(before: FileStates, after: FileStates): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

/**
 * Waits until the files of a directory differ from earlier states. Resolves with their names.
 * Rejects when the signal is aborted. Prints a warning if the system can't report changes; then it
 * notices only changes before the call.
 */
export async function changedFiles(
  root: string,
  reportDir: string,
  before: FileStates,
  signal: AbortSignal,
): Promise<string[]> {
  const aborted = once(signal, 'abort');
  let last = before;
  for (;;) {
    const start = performance.now();
    const folders = watchFolders();
    const now = fileStates(root, reportDir, folders.add);
    // At most a tenth of the time is spent on reading, even if a log grows all the time.
    const pause = Math.max(100, 10 * (performance.now() - start));
    const changed = changedPaths(before, now);
    const isSteady = changedPaths(last, now).length === 0;
    last = now;
    if (isSteady && changed.length === 0) {
      const fault = folders.fault();
      if (fault !== undefined) process.stderr.write(`\n${unwatchedText(fault)}\n`);
      await Promise.race([folders.change, aborted]);
    }
    folders.close();
    if (isSteady && changed.length > 0) return changed.map((path) => relative(root, path)).sort();
    // An editor writes a file in several steps, and a formatter writes several files.
    await sleep(pause, undefined, { signal });
  }
}

/** Folders that are watched until the first change in one of them. */
interface FolderWatch {
  add: (folder: string) => void;
  change: Promise<void>;
  close: () => void;
  /** Returns the code of the error because of which no folder is watched. */
  fault: () => string | undefined;
}

/**
 * Watches folders. On Linux each folder has its own watch: Node's recursive watch would need one for
 * every file, ignored ones included (12,000 in this repository). Other systems watch everything
 * below the first folder.
 */
function watchFolders(): FolderWatch {
  const recursive = process.platform !== 'linux';
  const watchers: FSWatcher[] = [];
  let fault: string | undefined;
  let report = () => {};
  const change = new Promise<void>((resolve) => {
    report = resolve;
  });
  const close = () => {
    for (const watcher of watchers.splice(0)) watcher.close();
  };
  const add = (folder: string): void => {
    if (fault !== undefined || (recursive && watchers.length > 0)) return;
    try {
      // On some systems it is an error if a watched folder is removed.
      watchers.push(watchFolder(folder, { recursive }, report).on('error', report));
    } catch (error) {
      // The folder may be removed already, or belong to another user.
      if (['ENOENT', 'EACCES'].includes(codeOf(error))) return;
      fault = codeOf(error);
      close();
    }
  };
  return { add, change, close, fault: () => fault };
}

function unwatchedText(code: string): string {
  const limits: Record<string, string> = {
    ENOSPC: 'fs.inotify.max_user_watches',
    EMFILE: 'fs.inotify.max_user_instances and `ulimit -n`',
  };
  const limit = limits[code];
  const advice = limit === undefined ? '' : `, or raise ${limit}`;
  return `Changes of files are not noticed (${code}): press r after a change${advice}.`;
}

/**
 * Returns the states of the files in a directory, without ignored files, modules and the report
 * directory; without git, also without hidden files. Calls `onFolder` before it reads a folder.
 */
export function fileStates(
  root: string,
  reportDir: string,
  onFolder: (folder: string) => void = () => {},
): FileStates {
  const ignored = ignoredIn(root);
  const skipped = ignored === undefined ? /^(\.|node_modules$)/ : /^(\.git|node_modules)$/;
  const states = new Map<string, string>();
  const readFolder = (folder: string): void => {
    if (folder === reportDir || ignored?.has(folder)) return;
    onFolder(folder);
    // The folder may be removed already, or belong to another user.
    const entries = unlessThrown(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    // Another repository, such as a submodule, has its own .gitignore.
    if (folder !== root && entries.some(({ name }) => name === '.git')) return;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (skipped.test(entry.name) || ignored?.has(path)) continue;
      if (entry.isDirectory()) {
        readFolder(path);
        continue;
      }
      const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
      states.set(path, `${size} ${mtimeMs}`);
    }
  };
  readFolder(root);
  return states;
}

/** Returns the files and folders that git ignores, by their paths; undefined without git. */
function ignoredIn(root: string): Set<string> | undefined {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const { status, stdout } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) return undefined;
  const names = stdout.split('\0').filter((name) => name !== '');
  return new Set(names.map((name) => resolve(root, name)));
}
