import { join, resolve } from 'node:path';
import type { StartedService } from '../plan/service-end.ts';
import { failedIn, type Report } from '../reports/report.ts';
import { inertLine, some } from '../reports/text.ts';
import type { Selection } from '../settings/selection.ts';
import type { Settings } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { onSignal } from '../start/signals.ts';
import { changedFiles } from './changed-files.ts';
import { open } from './open.ts';
import type { OneRun } from './run.ts';

/** Takes all that is there off a terminal. */
const CLEARED = '\u001b[2J\u001b[3J\u001b[H';

/**
 * Makes another run each time a file changes or the user asks for one, until the input ends, or q or Ctrl-C is pressed. Returns
 * the exit code of the last run.
 */
export async function watch(
  first: OneRun,
  watched: { settings: Settings; watchPath?: string | undefined; service?: StartedService | undefined },
  run: (selection: Selection, before: Report) => Promise<OneRun>,
): Promise<number> {
  const { settings, watchPath = '.', service } = watched;
  let last = first;
  for (;;) {
    const waiting = new AbortController();
    const changed = changedFiles(resolve(watchPath), settings.reportDir, waiting.signal);
    process.stdout.write('\nPress r or Enter to rerun, f to rerun what failed, o to open the report, q to quit.\n');
    const { key, close } = keyOf('rfoq');
    const wish = await Promise.race([key, changed]);
    close();
    waiting.abort();
    if (wish === 'q') return last.exitCode;
    if (wish === 'o') {
      await open(join(settings.reportDir, 'report.html'));
      continue;
    }
    if (process.stdout.isTTY) process.stdout.write(CLEARED);
    const isChanged = Array.isArray(wish);
    if (isChanged) process.stdout.write(`changed: ${inertLine(some(wish))}\n`);
    const failed = failedIn(last.report);
    if (wish === 'f' && failed.length === 0) {
      process.stdout.write('Nothing failed in the last run.\n');
      continue;
    }
    if (!(await isUp(service, isChanged))) continue;
    last = await run(wish === 'f' ? { only: failed, skip: [] } : settings.selection, last.report);
  }
}

/**
 * Restarts a service where files have changed, or where it has ended. False where it then does not answer, which is
 * printed.
 */
async function isUp(service: StartedService | undefined, isChanged: boolean): Promise<boolean> {
  try {
    if (service && (isChanged || service.ended())) await service.restart();
    return true;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${[inertLine(error.message), ...error.below].join('\n')}\n`);
    return false;
  }
}

/** Ctrl-C and Ctrl-D, which a terminal in raw mode hands on as they are. */
const ENDS = ['\u0003', '\u0004'];

/**
 * Waits for one of some keys: alone on a terminal, elsewhere as a line. Enter is r; the end of the input, Ctrl-C and a signal
 * are q.
 */
function keyOf(keys: string): { key: Promise<string>; close: () => void } {
  const { stdin } = process;
  const setRawMode = (isRaw: boolean) => stdin.isTTY && stdin.setRawMode(isRaw);
  let take = (_data: Buffer) => {};
  let quit = () => {};
  const key = new Promise<string>((resolve) => {
    take = (data) => {
      const typed = stdin.isTTY ? [...`${data}`] : `${data}`.split('\n').slice(0, -1);
      const letters = typed.map((one) => (ENDS.includes(one) ? 'q' : one.trim().toLowerCase() || 'r'));
      const found = letters.find((letter) => keys.includes(letter));
      if (found) resolve(found);
    };
    quit = () => resolve('q');
  });
  onSignal(quit);
  setRawMode(true);
  if (stdin.readableEnded) quit();
  stdin.on('data', take).once('end', quit).resume();
  const close = () => {
    stdin.off('data', take).off('end', quit).pause();
    setRawMode(false);
  };
  return { key, close };
}
