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

/** The directory that is watched, and the states of its files before the service was started. */
export interface WatchOptions {
  root: string;
  started: FileStates;
}

/**
 * Makes a run, and another one each time a file changes or the user asks for one, until the input
 * ends, or q or Ctrl-C is pressed. Restarts the service if files differ from those with which it
 * was started. Returns the exit code of the last run.
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
    const made = await run({ ...input, service, settings: { ...settings, selection } }, before);
    const now = readStates();
    counts = changeCounts(counts, differing(atRun, now));
    const written = [...counts].flatMap(([path, count]) => (count < MOST_IN_A_ROW ? [] : [path]));
    if (written.length > 0) process.stdout.write(`\n${writtenText(root, written)}\n`);
    atRun = withStatesOf(written, atRun, now);
    return made;
  };
  let last = await makeRun(settings.selection);
  for (;;) {
    const waiting = new AbortController();
    const changed = changedFiles(root, settings.reportDir, atRun, waiting.signal);
    process.stdout.write(
      '\nPress r or Enter to rerun, f to rerun what failed, o to open the report, q to quit.\n',
    );
    const wish = await Promise.race([keyOf('rfoq', waiting.signal), changed]);
    waiting.abort();
    if (wish === 'q') return last.exitCode;
    if (wish === 'o') {
      await open(join(settings.reportDir, 'report.html'));
      continue;
    }
    // Takes all that is there off the terminal.
    if (process.stdout.isTTY) process.stdout.write('\u001b[2J\u001b[3J\u001b[H');
    if (Array.isArray(wish))
      process.stdout.write(`changed: ${sanitizeLine(abbreviateList(wish))}\n`);
    const failed = failedSlugs(last.report);
    if (wish === 'f' && failed.length === 0) {
      process.stdout.write('Nothing failed in the last run.\n');
      continue;
    }
    atRun = readStates();
    if (!(await isUp(service, differing(started, atRun).length > 0))) continue;
    const selection = wish === 'f' ? { only: failed, skip: [] } : settings.selection;
    last = await makeRun(selection, last.report);
  }
}

/**
 * A file that changes during so many runs in a row starts no further run: the service may write it,
 * and the runs would never end. Fewer would pass over the edits of a user who saves one file again
 * and again.
 */
const MOST_IN_A_ROW = 3;

/** Counts the runs in a row during which each file has changed, the last run included. */
const changeCounts = (before: ReadonlyMap<string, number>, changed: readonly string[]) =>
  new Map(changed.map((path) => [path, (before.get(path) ?? 0) + 1]));

function writtenText(root: string, paths: readonly string[]): string {
  const names = sanitizeLine(abbreviateList(paths.map((path) => relative(root, path))));
  return `Changed during each of the last ${MOST_IN_A_ROW} runs: ${names}. If the service writes it, add it to .gitignore; press r to rerun.`;
}

/** Returns some states with those of certain files replaced by later ones. */
function withStatesOf(paths: readonly string[], states: FileStates, later: FileStates): FileStates {
  const replaced = new Map(states);
  for (const path of paths) {
    const state = later.get(path);
    if (state === undefined) replaced.delete(path);
    else replaced.set(path, state);
  }
  return replaced;
}

/**
 * Whether a service is running. Restarts it if files have changed or if it has ended; prints why it
 * does not respond then.
 */
export async function isUp(
  service: StartedService | undefined,
  isChanged: boolean,
): Promise<boolean> {
  try {
    if (service && (isChanged || service.ended())) await service.restart();
    return true;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${[sanitizeLine(error.message), ...error.below].join('\n')}\n`);
    return false;
  }
}

/**
 * Waits for one of some keys, until the signal is aborted: alone on a terminal, elsewhere as a line. Enter is r; the
 * end of the input, Ctrl-C and a signal of the system are q.
 */
function keyOf(keys: string, signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  const setRawMode = (isRaw: boolean) => stdin.isTTY && stdin.setRawMode(isRaw);
  return new Promise((resolve) => {
    const quit = () => resolve('q');
    const take = (data: Buffer) => {
      const typed = stdin.isTTY ? [...`${data}`] : `${data}`.split('\n').slice(0, -1);
      // Ctrl-C and Ctrl-D, which a terminal in raw mode hands on as they are.
      const letters = typed.map((one) =>
        ['\u0003', '\u0004'].includes(one) ? 'q' : one.trim().toLowerCase() || 'r',
      );
      const found = letters.find((letter) => keys.includes(letter));
      if (found) resolve(found);
    };
    onSignal(quit);
    setRawMode(true);
    if (stdin.readableEnded) quit();
    stdin.on('data', take).once('end', quit).resume();
    signal.addEventListener('abort', () => {
      stdin.off('data', take).off('end', quit).pause();
      setRawMode(false);
    });
  });
}

/** The programs that open a file as a double click does. */
const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file in the browser, which does not get the key; says where the file is when it can't. */
export async function open(path: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const { API_KEY: _, CONFORMANCE_HEADERS: __, ...env } = process.env;
  const child = spawn(program, [...args, path], { detached: true, stdio: 'ignore', env });
  const isStarted = await once(child, 'spawn').catch(() => false);
  child.unref();
  if (!isStarted)
    process.stderr.write(`${sanitizeLine(`${program} is missing: open ${path} yourself.`)}\n`);
}

/** The size and time of each file, by its path. */
export type FileStates = ReadonlyMap<string, string>;

/** Returns the paths of the files that differ between two states. */
const differing = (one: FileStates, other: FileStates): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (path) => one.get(path) !== other.get(path),
  );

/**
 * Waits until the files of a directory differ from earlier states. Resolves with their names;
 * rejects when the signal is aborted. A system that can't report changes is named in one sentence;
 * only changes before the call count then.
 */
export async function changedFiles(
  root: string,
  reportDir: string,
  before: FileStates,
  signal: AbortSignal,
): Promise<string[]> {
  const aborted = once(signal, 'abort');
  for (let last = before; ; ) {
    const began = performance.now();
    const folders = watchFolders();
    const now = fileStates(root, reportDir, folders.add);
    const pause = Math.max(100, 10 * (performance.now() - began));
    const changed = differing(before, now);
    const isSteady = differing(last, now).length === 0;
    last = now;
    if (isSteady && changed.length === 0) {
      const fault = folders.fault();
      if (fault !== undefined) process.stderr.write(`\n${unwatchedText(fault)}\n`);
      await Promise.race([folders.change, aborted]);
    }
    folders.close();
    if (isSteady && changed.length > 0) return changed.map((path) => relative(root, path)).sort();
    // An editor writes a file in several steps, and a formatter several files. Where a log grows
    // all the time, comparing takes at most a tenth of it.
    await sleep(pause, undefined, { signal });
  }
}

/**
 * Watches folders until the first change in one of them. On Linux each folder is watched by itself:
 * Node's recursive watch would use a watch of the system for every file, also of what git ignores
 * (12,000 for this repository). Elsewhere the system itself watches all that is below the first
 * folder.
 */
function watchFolders() {
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
      // A folder that is removed while it is watched is an error on some systems.
      watchers.push(watchFolder(folder, { recursive }, report).on('error', report));
    } catch (error) {
      // It may be gone already, or not to be read by this user.
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
 * Returns the states of the files of a directory, without what git ignores, modules and the report
 * directory; without git, hidden files are left out as well. Calls `onFolder` before it reads a
 * folder.
 */
export function fileStates(
  root: string,
  reportDir: string,
  onFolder: (folder: string) => void = () => {},
): FileStates {
  const ignored = ignoredIn(root);
  const leftOut = ignored === undefined ? /^(\.|node_modules$)/ : /^(\.git|node_modules)$/;
  const states = new Map<string, string>();
  const readFolder = (folder: string): void => {
    if (folder === reportDir || ignored?.has(folder)) return;
    onFolder(folder);
    // It may be gone already, or not to be read by this user.
    const entries = unlessThrown(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    // Another repository, such as a submodule, ignores files of its own.
    if (folder !== root && entries.some(({ name }) => name === '.git')) return;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (leftOut.test(entry.name) || ignored?.has(path)) continue;
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
