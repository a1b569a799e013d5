import { onSignal } from '../start/signals.ts';

/** Ctrl-C and Ctrl-D, which a terminal in raw mode hands on as they are. */
const ENDS = ['\u0003', '\u0004'];

/**
 * Waits for one of some keys: alone on a terminal, elsewhere as a line. Enter is r; the end of the input, Ctrl-C and a signal
 * are q.
 */
export function keyOf(keys: string): { key: Promise<string>; close: () => void } {
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
