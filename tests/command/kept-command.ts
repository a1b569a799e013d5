import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ended } from '../shell.ts';

let commandProcess: ChildProcess | undefined;
let calls = 0;

/**
 * Calls the command line in a process that all tests of a worker share, with only these variables.
 * Starting a process takes a second, which is longer than most runs. The calls run one after the
 * other. A test of signals, crashes, options of Node or limits of the system starts a process of
 * its own.
 */
export function runCommand(
  args: string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Ended> {
  commandProcess ??= startProcess();
  const child = commandProcess;
  const { PATH = '' } = process.env;
  calls += 1;
  const id = calls;
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`the shared process has ended with ${code}`));
    const onMessage = (ended: Ended & { id: number }) => {
      if (ended.id !== id) return;
      child.off('message', onMessage).off('exit', onExit);
      const { code, stdout, stderr } = ended;
      resolve({ code, stdout, stderr });
    };
    child.on('message', onMessage).once('exit', onExit);
    child.send({ id, args, env: { PATH, HOME: cwd, NO_COLOR: '1', ...env }, cwd });
  });
}

/** Starts the shared process. It ends with this one. */
function startProcess(): ChildProcess {
  const child = fork(fileURLToPath(new URL('kept-process.mjs', import.meta.url)), {
    env: {},
    stdio: 'inherit',
  });
  child.setMaxListeners(0);
  child.unref();
  child.channel?.unref();
  return child;
}
