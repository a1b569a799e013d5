import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessEnd } from '../run/away.ts';
import { unlessThrown } from '../settings/errors.ts';
import { listStartedBy, type Process } from './processes.ts';
import type { ServiceLog } from './service-log.ts';

/** A command that runs in the shell, and the processes that it starts. */
export interface ServiceProcess {
  /** Returns the running processes of the service; none on a system that does not show them. */
  processes: () => Process[];
  /**
   * Returns how the service ended; undefined while it runs. A daemon that outlives its command
   * counts as running, on a system that shows it.
   */
  ended: () => ProcessEnd | undefined;
  /** Ends all processes of the service. Returns those that it could not end. */
  stop: () => Promise<Process[]>;
}

/** The variable that identifies a daemon, which has left the session and has no parent. */
const MARK = 'STARTED_FOR_CONFORMANCE';

/** Starts a command in a session of its own. Its output goes to the log. */
export function startProcess(
  command: string,
  environment: NodeJS.ProcessEnv,
  log: ServiceLog,
): ServiceProcess {
  const isWindows = process.platform === 'win32';
  const id = randomUUID();
  const child = spawn(command, {
    shell: true,
    detached: !isWindows,
    env: { ...environment, [MARK]: id },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  log.follow(child.stdout);
  log.follow(child.stderr);
  // Without a shell there is no process, and NaN is the identifier of none.
  const pid = child.pid ?? Number.NaN;
  const list = () => listStartedBy(pid, `${MARK}=${id}`);
  const processes = () => list() ?? [];

  let end: ProcessEnd | undefined;
  let isDaemon = false;
  const isOver = new Promise<void>((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      end ??= { code, signal };
      resolve();
    };
    child.once('exit', (code, signal) => {
      isDaemon = code === 0 && processes().length > 0;
      // A background process keeps the output open: wait only a second for the rest.
      setTimeout(() => finish(code, signal), 1000).unref();
    });
    child.once('close', finish);
    child.once('error', () => finish(null, null));
  });

  const isRunning = () => {
    const started = list();
    return started === undefined ? sendSignal(-pid, 0) : started.length > 0;
  };
  const signalAll = (signal: 'SIGTERM' | 'SIGKILL') => {
    if (isWindows) spawnSync('taskkill', ['/pid', `${pid}`, '/t', '/f']);
    else sendSignal(-pid, signal);
    for (const process of processes()) if (process.group !== pid) sendSignal(process.pid, signal);
  };
  const kill = () => signalAll('SIGKILL');
  process.on('exit', kill);
  return {
    processes,
    ended: () => {
      if (!isDaemon) return end;
      // The system reports the exit code of a child only.
      return processes().length > 0 ? undefined : end && { code: null, signal: null };
    },
    stop: async () => {
      signalAll('SIGTERM');
      await waitWhile(isRunning, 5000);
      kill();
      await waitWhile(isRunning, 1000);
      process.removeListener('exit', kill);
      const left = processes();
      if (left.length === 0) await isOver;
      // A process that is left holds the pipes, which would keep the suite running.
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      return left;
    },
  };
}

/** Sends a signal. Returns whether a process may get it. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  return unlessThrown(() => process.kill(pid, signal)) ?? false;
}

async function waitWhile(isRunning: () => boolean, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  // The pause grows, because each check reads all processes of the system.
  for (let pause = 10; isRunning() && performance.now() < until; pause = Math.min(2 * pause, 200))
    await sleep(pause);
}
