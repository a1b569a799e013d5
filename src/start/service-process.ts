import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessEnd } from '../plan/service-end.ts';
import { unlessThrown } from '../settings/files.ts';
import { type Process, processesFrom } from './processes.ts';
import type { ServiceLog } from './service-log.ts';

/** Milliseconds that the service has to end by itself. */
const GRACE_MS = 5000;
/** Milliseconds that the system has to end what was killed. */
const KILL_MS = 1000;
/**
 * Milliseconds before the second look whether it has ended, and most of them between two: each reads what all processes
 * are.
 */
const LOOK_MS = { first: 10, most: 200 };
/** Milliseconds that the last of its output may take, where something holds it open. */
const OUTPUT_MS = 1000;
/** By this variable a process is known that has left its group, its session and its parents. */
const MARK = 'STARTED_FOR_CONFORMANCE';

/** A service that was started by the shell: a session of its own, so that all of it can be ended. */
export function serviceProcess(command: string, env: NodeJS.ProcessEnv, log: ServiceLog) {
  const isWindows = process.platform === 'win32';
  const id = randomUUID();
  const options = { shell: true, detached: !isWindows, env: { ...env, [MARK]: id } };
  const child = spawn(command, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const { pid } = child;
  let end: Omit<ProcessEnd, 'lastLines'> | undefined;
  /** Whether the command ended well and left something behind that runs on. */
  let isDaemon = false;
  log.take(child.stdout);
  log.take(child.stderr);
  const from = () => (pid === undefined ? [] : processesFrom(pid, `${MARK}=${id}`));
  const processes = () => from() ?? [];
  /** Resolves when it has ended and all that it printed was read. */
  const over = new Promise<void>((resolve) => {
    const isOver = (code: number | null, signal: NodeJS.Signals | null) => {
      end ??= { code, signal };
      resolve();
    };
    child.once('exit', (code, signal) => {
      isDaemon = code === 0 && processes().length > 0;
      // What goes on in the background holds its output open.
      setTimeout(() => isOver(code, signal), OUTPUT_MS).unref();
    });
    child.once('close', isOver).once('error', () => isOver(null, null));
  });
  const send = (signal: 'SIGTERM' | 'SIGKILL') => {
    if (pid === undefined) return;
    if (isWindows) spawnSync('taskkill', ['/pid', `${pid}`, '/t', '/f']);
    else signalTo(-pid, signal);
    for (const one of processes()) if (one.group !== pid) signalTo(one.pid, signal);
  };
  const isThere = () => {
    if (pid === undefined) return false;
    if (isWindows) return child.exitCode === null && child.signalCode === null;
    // What has ended and was not waited for is still of its group, for as long as nobody waits for it.
    return (from() ?? (signalTo(-pid, 0) ? [pid] : [])).length > 0;
  };
  const untilGone = async (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    for (let pause = LOOK_MS.first; isThere() && performance.now() < until; pause = Math.min(2 * pause, LOOK_MS.most))
      await sleep(pause);
  };
  const kill = () => send('SIGKILL');
  // Whatever ends this process, the service ends with it.
  process.on('exit', kill);
  return {
    /** All that it has started and that still runs; none on a system that does not show them. */
    processes,
    /**
     * How it ended; undefined as long as it runs. A command that ended well and left a daemon behind runs on, where the system
     * shows that.
     */
    ended: (): ProcessEnd | undefined => {
      if (end === undefined || (isDaemon && processes().length > 0)) return undefined;
      // The system tells nobody how a daemon ends.
      return { ...(isDaemon ? { code: null, signal: null } : end), lastLines: log.last() };
    },
    /** Ends all of it: asks it to, and makes it after five seconds. Returns what could not be ended. */
    end: async (): Promise<Process[]> => {
      send('SIGTERM');
      await untilGone(GRACE_MS);
      kill();
      await untilGone(KILL_MS);
      process.removeListener('exit', kill);
      const left = processes();
      if (left.length === 0) await over;
      // What is left may hold them open, and would keep this process from its end.
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      return left;
    },
  };
}

/** Sends a signal; undefined where there is nobody who may get it. */
const signalTo = (pid: number, signal: NodeJS.Signals | 0) => unlessThrown(() => process.kill(pid, signal));
