import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ended } from '../shell.ts';

let kept: ChildProcess | undefined;
let sent = 0;

/** The process that is kept, until this one ends. */
function start(): ChildProcess {
  const child = fork(fileURLToPath(new URL('kept-process.mjs', import.meta.url)), {
    env: {},
    stdio: 'inherit',
  });
  child.setMaxListeners(0);
  child.unref();
  child.channel?.unref();
  return child;
}

/**
 * Calls the command line, with no variables but these, in a process that is kept for the tests to come: one takes a
 * second to start, which is longer than most runs. One call follows the other. For signals, crashes, options of Node's
 * and limits of the system a test starts a process of its own.
 */
export function runCommand(
  args: string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Ended> {
  kept ??= start();
  const child = kept;
  const { PATH = '' } = process.env;
  sent += 1;
  const id = sent;
  return new Promise((resolve, reject) => {
    const end = (code: number | null) =>
      reject(new Error(`the process that is kept has ended with ${code}`));
    const take = (ended: Ended & { id: number }) => {
      if (ended.id !== id) return;
      child.off('message', take).off('exit', end);
      const { code, stdout, stderr } = ended;
      resolve({ code, stdout, stderr });
    };
    child.on('message', take).once('exit', end);
    child.send({ id, args, env: { PATH, HOME: cwd, NO_COLOR: '1', ...env }, cwd });
  });
}
