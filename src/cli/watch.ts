import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunInput } from '../api/run.ts';
import { failedIn, type Report } from '../reports/report.ts';
import { inertLine, some } from '../reports/text.ts';
import type { StartedService } from '../run/away.ts';
import { SettingsError, unlessThrown } from '../settings/errors.ts';
import { onSignal } from '../start/signals.ts';
import type { OneRun } from './one-run.ts';

/**
 * Makes a run, and another one each time a file changes or the user asks for one, until the input ends, or q or Ctrl-C
 * is pressed. Returns the exit code of the last run.
 */
export async function watch(
  input: RunInput,
  run: (input: RunInput, before?: Report) => Promise<OneRun>,
  watchPath = '.',
): Promise<number> {
  const { settings, service } = input;
  let last = await run(input);
  for (;;) {
    const waiting = new AbortController();
    const changed = changedFiles(resolve(watchPath), settings.reportDir, waiting.signal);
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
    const isChanged = Array.isArray(wish);
    if (isChanged) process.stdout.write(`changed: ${inertLine(some(wish))}\n`);
    const failed = failedIn(last.report);
    if (wish === 'f' && failed.length === 0) {
      process.stdout.write('Nothing failed in the last run.\n');
      continue;
    }
    if (!(await isUp(service, isChanged))) continue;
    const selection = wish === 'f' ? { only: failed, skip: [] } : settings.selection;
    last = await run({ ...input, settings: { ...settings, selection } }, last.report);
  }
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
    process.stderr.write(`${[inertLine(error.message), ...error.below].join('\n')}\n`);
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
    process.stderr.write(`${inertLine(`${program} is missing: open ${path} yourself.`)}\n`);
}

/**
 * Waits until files of a directory have changed, without what git ignores and without the report directory. Resolves
 * with their names; rejects when the signal is aborted. What has changed before it was called counts for nothing. Files
 * are looked at: what a system tells of changes has limits, and is not told through the mounts of containers.
 */
export async function changedFiles(
  root: string,
  reportDir: string,
  signal: AbortSignal,
): Promise<string[]> {
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
    // Less often where looking would take more than a tenth of the time.
    await sleep(Math.max(300, 10 * (performance.now() - began)), undefined, { signal });
  }
}

const differing = (one: Map<string, string>, other: Map<string, string>): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (path) => one.get(path) !== other.get(path),
  );

/** The size and time of each file, by its path. */
function filesIn(root: string, reportDir: string): Map<string, string> {
  const paths = namesIn(root).filter((path) => !path.startsWith(reportDir + sep));
  const states = paths.map((path) => {
    const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return [path, `${size} ${mtimeMs}`] as const;
  });
  return new Map(states);
}

/** What git does not ignore; without git, all but modules and hidden files. */
function namesIn(root: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { status, stdout } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
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
