import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessEnd } from '../run/away.ts';
import { unlessThrown } from '../settings/errors.ts';
import { environmentWithoutSecrets } from '../settings/variables.ts';
import type { ServiceLog } from './service-log.ts';

/** A command that runs in the shell, with its process group. */
export interface ServiceProcess {
  /** Returns how the command ended; undefined while a process of its group runs. */
  ended: () => ProcessEnd | undefined;
  /** Resolves after the end, when the log has the output. */
  output: Promise<void>;
  /** Ends all processes of the group. */
  stop: () => Promise<void>;
}

/** The time in which the processes of a group may end after SIGTERM. */
const TERM_MS = 5000;
/** The time in which the system ends them after SIGKILL. */
const KILL_MS = 1000;
/** The time in which the rest of the output arrives, if a process outside the group keeps it open. */
const OUTPUT_MS = 1000;

/**
 * Starts a command in a process group of its own. Its output goes to the log. Rejects with the
 * error of the system if there is no shell.
 */
export async function startProcess(
  command: string,
  env: NodeJS.ProcessEnv,
  log: ServiceLog,
): Promise<ServiceProcess> {
  const isWindows = process.platform === 'win32';
  const child = spawn(command, {
    shell: true,
    detached: !isWindows,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  log.follow([child.stdout, child.stderr]);
  const { pid = Number.NaN } = child;

  let isGroupLeft = true;
  const isRunning = () => {
    // Another group may get the identifier later.
    isGroupLeft = isGroupLeft && sendSignal(-pid, 0);
    return isGroupLeft;
  };
  const signalGroup = (signal: 'SIGTERM' | 'SIGKILL') => {
    if (isWindows)
      spawnSync('taskkill', ['/pid', `${pid}`, '/t', '/f'], { env: environmentWithoutSecrets() });
    else if (isRunning()) sendSignal(-pid, signal);
  };
  const kill = () => signalGroup('SIGKILL');
  process.on('exit', kill);

  let end: ProcessEnd | undefined;
  const output = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      // The system reports the exit code of the shell, not of the processes that outlive it.
      end = isRunning() ? { code: null, signal: null } : { code, signal };
      child.once('close', resolve);
      setTimeout(resolve, OUTPUT_MS).unref();
    });
  });

  return {
    ended: () => (isRunning() ? undefined : end),
    output,
    stop: async () => {
      signalGroup('SIGTERM');
      await waitWhile(isRunning, TERM_MS);
      kill();
      await waitWhile(isRunning, KILL_MS);
      process.removeListener('exit', kill);
      await output;
      // A process outside the group may hold the pipes, which would keep the suite running.
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

/** Sends a signal. Returns whether a process may get it. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  return unlessThrown(() => process.kill(pid, signal)) ?? false;
}

async function waitWhile(isRunning: () => boolean, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  while (isRunning() && performance.now() < until) await sleep(10);
}
