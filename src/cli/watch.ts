import { once } from 'node:events';
import { join, relative } from 'node:path';
import type { RunInput } from '../api/run.ts';
import { secretsOf } from '../http/secrets.ts';
import { failedSlugs } from '../reports/selection.ts';
import { abbreviateList, sanitizeLine } from '../reports/text.ts';
import type { Settings } from '../settings/settings.ts';
import { EXIT } from '../verdict/verdict.ts';
import { changedFiles, changedPaths, type FileStates, fileStates } from './file-states.ts';
import { readKeys } from './keys.ts';
import { ensureUp, type OneRun, type RunOnceOptions, runOnce } from './one-run.ts';
import { open } from './open.ts';

export interface WatchOptions {
  /** The directory to watch. */
  root: string;
  /** The states of its files before the service was started. */
  started: FileStates;
}

/**
 * Makes a run, and another one after each change of a file or at the user's request, until the user
 * presses q, the input ends or a signal arrives. Restarts the service if files have changed since
 * its start. Returns the exit code of the last run.
 */
export async function watch(
  input: RunInput,
  options: RunOnceOptions,
  { root, started: atStart }: WatchOptions,
): Promise<number> {
  const { settings, target } = input;
  const { redact } = secretsOf(target);
  const print = (line: string) => process.stdout.write(`${sanitizeLine(redact(line))}\n`);
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
  let last: OneRun | undefined;
  let atRun = new Map(atStart);
  const streaks = new Map<string, number>();
  const keys = readKeys(() => last?.exitCode ?? EXIT.inconclusive);
  const isEnding = once(keys.ending.signal, 'abort').then(() => false);
  const makeRun = async (changes: Partial<Settings> = {}): Promise<void> => {
    const nextInput = { ...input, service, settings: { ...settings, ...changes } };
    const further = last && { before: last.report, isFurther: true };
    last = await runOnce(nextInput, { ...options, ...further, interrupt: keys.ending });
    const now = readStates();
    countStreaks(streaks, changedPaths(atRun, now));
    const written = [...streaks.keys()].filter((path) => (streaks.get(path) ?? 0) >= LONG_STREAK);
    for (const path of written) {
      const state = now.get(path);
      if (state === undefined) atRun.delete(path);
      else atRun.set(path, state);
    }
    const names = abbreviateList(written.map((path) => relative(root, path)));
    if (written.length > 0)
      print(
        `Changed during each of the last ${LONG_STREAK} runs, so it starts no further run: ${names}. Press r to rerun.`,
      );
  };
  /** Waits for a key or a change of files, whose names it prints. */
  const nextAction = async (): Promise<string> => {
    const waiting = new AbortController();
    try {
      const changed = changedFiles(root, settings.reportDir, atRun, waiting.signal);
      process.stdout.write(
        '\nPress r or Enter to rerun, f to rerun failures, o to open the report, q to quit.\n',
      );
      const action = await Promise.race([keys.next(), changed]);
      if (process.stdout.isTTY && !['o', 'q'].includes(`${action}`))
        process.stdout.write(CLEAR_SCREEN);
      if (typeof action === 'string') return action;
      print(`changed: ${abbreviateList(action)}`);
      return 'r';
    } finally {
      waiting.abort();
    }
  };
  try {
    await makeRun();
    for (;;) {
      const action = await nextAction();
      const failed = last === undefined ? [] : failedSlugs(last.report);
      if (action === 'q') return last?.exitCode ?? EXIT.inconclusive;
      if (action === 'o') await open(join(settings.reportDir, 'report.html'));
      else if (action === 'f' && failed.length === 0) print('Nothing failed in the last run.');
      else {
        atRun = readStates();
        const isStale = changedPaths(started, atRun).length > 0;
        const isUp = await Promise.race([ensureUp({ service, target }, { isStale }), isEnding]);
        const onlyFailed = { selection: { only: failed, skip: [] }, allRequests: true };
        if (isUp) await makeRun(action === 'f' ? onlyFailed : {});
      }
    }
  } finally {
    keys.close();
  }
}

/** The control characters that clear a terminal, its scrollback included. */
const CLEAR_SCREEN = '\u001b[2J\u001b[3J\u001b[H';

/**
 * A file that changes during three runs in a row starts no further run: the service probably writes
 * it, and the runs would never end. A lower limit would ignore a user who saves a file repeatedly.
 */
const LONG_STREAK = 3;

/** Counts the runs in a row during which each file has changed. */
function countStreaks(streaks: Map<string, number>, changed: readonly string[]): void {
  const isChanged = new Set(changed);
  for (const path of streaks.keys()) if (!isChanged.has(path)) streaks.delete(path);
  for (const path of changed) streaks.set(path, (streaks.get(path) ?? 0) + 1);
}
