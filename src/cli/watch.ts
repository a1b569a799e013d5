import { inertLine, some } from '../reports/text.ts';
import { onSignal } from '../start/signals.ts';
import type { ChangedFiles } from './changed-files.ts';
import type { OneRun } from './run.ts';

/** Takes all that is there off a terminal. */
const CLEARED = '\u001b[2J\u001b[3J\u001b[H';

/** What is to be run again: all, or what failed, and whether files have changed. */
export interface Wish {
  failedOnly: boolean;
  isChanged: boolean;
}

/** Who makes another run, and who opens its report. */
interface Watched {
  files: ChangedFiles;
  runAgain: (last: OneRun, wish: Wish) => Promise<OneRun>;
  open: () => Promise<void>;
}

/**
 * Makes another run each time a file changes or the user asks for one, until the input ends, Ctrl-C is pressed or q. Returns the
 * exit code of the last run.
 */
export async function watch(first: OneRun, { files, runAgain, open }: Watched): Promise<number> {
  let last = first;
  for (;;) {
    process.stdout.write('\nr or Enter runs again, f what failed; o opens the report, q quits.\n');
    const asked = keyOf(['r', 'f', 'o', 'q']);
    const wish = await Promise.race([asked.key, files.next()]);
    asked.close();
    if (wish === 'q') return last.exitCode;
    if (wish === 'o') {
      await open();
      continue;
    }
    const isByFiles = typeof wish !== 'string';
    if (process.stdout.isTTY) process.stdout.write(CLEARED);
    if (isByFiles) process.stdout.write(`changed: ${inertLine(some(wish))}\n`);
    last = await runAgain(last, { failedOnly: wish === 'f', isChanged: isByFiles });
  }
}

/** Waits for one of some keys: alone on a terminal, elsewhere as a line. Enter is r; the end of the input and an interrupt are q. */
function keyOf(keys: string[]): { key: Promise<string>; close: () => void } {
  const { stdin } = process;
  let close = () => {};
  const key = new Promise<string>((resolve) => {
    const take = (data: Buffer | string) => {
      const typed = stdin.isTTY ? [...`${data}`] : `${data}`.split('\n').slice(0, -1);
      const [found] = typed.flatMap((one) => {
        const letter = one.trim().toLowerCase() || 'r';
        return ['\u0003', '\u0004'].includes(one) ? ['q'] : keys.filter((known) => known === letter);
      });
      if (found) resolve(found);
    };
    const quit = () => resolve('q');
    onSignal(quit);
    if (stdin.isTTY) stdin.setRawMode(true);
    if (stdin.readableEnded) quit();
    stdin.on('data', take).once('end', quit).resume();
    close = () => {
      stdin.off('data', take).off('end', quit).pause();
      if (stdin.isTTY) stdin.setRawMode(false);
    };
  });
  return { key, close: () => close() };
}
