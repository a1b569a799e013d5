import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessEnd } from '../plan/service.ts';
import { type Process, processesFrom } from './processes.ts';
import type { ServiceLog } from './service-log.ts';

/** Milliseconds that the service has to end by itself. */
const GRACE_MS = 5000;
/** Milliseconds that the system has to end what was killed. */
const KILL_MS = 1000;
/** Milliseconds between two looks whether it has ended. */
const LOOK_MS = 10;
/** Milliseconds that the last of its output may take, where something holds it open. */
const OUTPUT_MS = 1000;
/** By this variable a process is known that has left its group, its session and its parents. */
const MARK = 'STARTED_FOR_CONFORMANCE';

/** A service that was started by the shell: a session of its own, so that all of it can be ended. */
export class ServiceProcess {
  /** Resolves when it has ended and all that it printed was read. */
  readonly over: Promise<void>;
  readonly #child: ChildProcess;
  readonly #log: ServiceLog;
  readonly #mark = `${MARK}=${randomUUID()}`;
  #end: Omit<ProcessEnd, 'lastLines'> | undefined;
  /** Whether the command ended well and left something behind that runs on. */
  #isDaemon = false;
  readonly #kill = () => this.#signal('SIGKILL');

  constructor(command: string, env: NodeJS.ProcessEnv, log: ServiceLog) {
    const detached = process.platform !== 'win32';
    const marked = { ...env, [MARK]: this.#mark.slice(MARK.length + 1) };
    const child = spawn(command, { shell: true, detached, env: marked, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#log = log;
    log.take(child.stdout);
    log.take(child.stderr);
    child.once('exit', (code) => {
      this.#isDaemon = code === 0 && this.processes().length > 0;
    });
    this.over = new Promise((resolve) => {
      const over = (code: number | null, signal: NodeJS.Signals | null) => {
        this.#end ??= { code, signal };
        resolve();
      };
      // What goes on in the background holds its output open.
      child.once('exit', (code, signal) => setTimeout(() => over(code, signal), OUTPUT_MS).unref());
      child.once('close', over).once('error', () => over(null, null));
    });
    // Whatever ends this process, the service ends with it.
    process.on('exit', this.#kill);
  }

  /**
   * How it ended; undefined as long as it runs. A command that ended well and left a daemon behind runs on, where the system
   * shows that.
   */
  ended(): ProcessEnd | undefined {
    if (this.#end === undefined || (this.#isDaemon && this.processes().length > 0)) return undefined;
    // The system tells nobody how a daemon ends.
    const { code, signal } = this.#isDaemon ? { code: null, signal: null } : this.#end;
    return { code, signal, lastLines: this.#log.last() };
  }

  /** All that it has started and that still runs; none on a system that does not show them. */
  processes(): Process[] {
    return (this.#child.pid && processesFrom(this.#child.pid, this.#mark)) || [];
  }

  /** Ends all of it: asks it to, and makes it after five seconds. Returns what could not be ended. */
  async end(): Promise<Process[]> {
    this.#signal('SIGTERM');
    await this.#untilGone(GRACE_MS);
    this.#kill();
    await this.#untilGone(KILL_MS);
    process.removeListener('exit', this.#kill);
    const left = this.processes();
    if (left.length === 0) await this.over;
    // What is left may hold them open, and would keep this process from its end.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.unref();
    return left;
  }

  async #untilGone(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (this.#isThere() && performance.now() < until) await sleep(LOOK_MS);
  }

  #isThere(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined) return false;
    if (process.platform === 'win32') return exitCode === null && signalCode === null;
    // What has ended and was not waited for is still of its group, for as long as nobody waits for it.
    return (processesFrom(pid, this.#mark) ?? (canSignal(-pid, 0) ? [pid] : [])).length > 0;
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', `${pid}`, '/t', '/f']);
    else canSignal(-pid, signal);
    for (const one of this.processes()) if (one.group !== pid) canSignal(one.pid, signal);
  }
}

/** Sends a signal; false where there is nobody who may get it. */
function canSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
