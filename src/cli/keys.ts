import { onSignal } from '../start/signals.ts';

/** What the user presses while the command keeps running. */
export interface Keys {
  /** Waits for r, f, o or q. Without a terminal a key is a line. Enter is r. */
  next: () => Promise<string>;
  /** Aborted when the command is to end: by q, Ctrl-C, a signal or the end of the terminal. */
  ending: AbortController;
  close: () => void;
}

/** The time in which a signal ends the process. */
const GRACE_MS = 800;

/**
 * Reads keys until they are closed. A second q or signal exits at once. After a signal or the end of
 * the terminal the process exits anyway, because nobody could end it later.
 */
export function readKeys(exitCode: () => number): Keys {
  const { stdin } = process;
  const ending = new AbortController();
  let isInputOver = false;
  let press = (_key: string) => {};
  const quit = () => {
    if (ending.signal.aborted) process.exit(exitCode());
    process.stdout.write('\nEnding …\n');
    ending.abort();
    press('q');
  };
  const end = () => {
    setTimeout(() => process.exit(exitCode()), GRACE_MS).unref();
    if (!ending.signal.aborted) quit();
  };
  const read = (data: Buffer) => {
    const inputs = stdin.isTTY ? [...`${data}`] : `${data}`.split('\n').slice(0, -1);
    for (const key of inputs.map(toKey)) {
      if (key === 'q') quit();
      else if (['r', 'f', 'o'].includes(key)) press(key);
    }
  };
  const endInput = () => {
    // A script may end its input while the run that it started goes on.
    isInputOver = true;
    press('q');
  };
  onSignal(() => (ending.signal.aborted ? process.exit(exitCode()) : end()));
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin
    .on('data', read)
    .on('error', end)
    .on('end', stdin.isTTY ? end : endInput);
  return {
    next: () =>
      new Promise((resolve) => {
        press = resolve;
        if (isInputOver || ending.signal.aborted) resolve('q');
      }),
    ending,
    close: () => {
      stdin.off('data', read).pause();
      if (stdin.isTTY) stdin.setRawMode(false);
    },
  };
}

/** Returns the key of an input. A terminal in raw mode passes Ctrl-C and Ctrl-D on. */
function toKey(input: string): string {
  if (input === '\u0003' || input === '\u0004') return 'q';
  return input.trim().toLowerCase() || 'r';
}
