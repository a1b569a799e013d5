import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { OneRun } from './run.ts';

/**
 * Makes another run each time the user presses Enter, until the input ends, Ctrl-C is pressed or a line says q. Returns the
 * exit code of the last run.
 */
export async function watch(first: OneRun, runAgain: (last: OneRun) => Promise<OneRun>): Promise<number> {
  let last = first;
  while (await wantsAnother()) last = await runAgain(last);
  return last.exitCode;
}

/** Waits for Enter. False at the end of the input, at an interrupt and at a q. */
async function wantsAnother(): Promise<boolean> {
  process.stdout.write('\nEnter runs again, q or Ctrl-C ends.\n');
  const lines = createInterface({ input: process.stdin });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.removeAllListeners(signal).once(signal, () => lines.close());
  const ended = once(lines, 'close').then(() => 'q');
  const line = await Promise.race([once(lines, 'line').then(([text]) => String(text)), ended]);
  lines.close();
  return line.trim() !== 'q';
}
