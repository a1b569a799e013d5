import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceLog } from './service-log.ts';

/** Milliseconds that the service has to end by itself. */
const GRACE_MS = 5000;
/** Milliseconds between two looks whether it has. */
const LOOK_MS = 25;
/** Milliseconds that the last of its output may take. */
const OUTPUT_MS = 1000;

/** A service that was started by the shell: a process group of its own, so that all of it can be ended. */
export class ServiceProcess {
  /** How it ended, such as `with exit code 1`; undefined as long as it runs. */
  ended: string | undefined;
  /** Resolves when it has ended and all that it printed was read. */
  readonly over: Promise<void>;
  readonly log: ServiceLog;
  readonly #child: ChildProcess;
  readonly #kill = () => this.#signal('SIGKILL');

  constructor(command: string, env: NodeJS.ProcessEnv, log: ServiceLog) {
    this.log = log;
    const detached = process.platform !== 'win32';
    const child = spawn(command, { shell: true, detached, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    log.take(child.stdout);
    log.take(child.stderr);
    child.once('exit', (code, signal) => {
      this.ended = code === null ? `by ${signal}` : `with exit code ${code}`;
    });
    child.once('error', ({ message }) => {
      this.ended = `before it began (${message})`;
    });
    this.over = this.#outcome();
    // Whatever ends this process, the service ends with it.
    process.on('exit', this.#kill);
  }

  /** Ends the whole group: asks it to, and makes it after five seconds. */
  async end(): Promise<void> {
    this.#signal('SIGTERM');
    for (let waited = 0; waited < GRACE_MS && this.#isThere(); waited += LOOK_MS) await sleep(LOOK_MS);
    this.#kill();
    process.removeListener('exit', this.#kill);
    await Promise.race([this.over, sleep(OUTPUT_MS)]);
    // What left the group may hold them open, and would keep this process from its end.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.unref();
    await this.log.close();
  }

  async #outcome(): Promise<void> {
    await new Promise<void>((over) => {
      // What goes on in the background holds its output open.
      this.#child.once('exit', () => setTimeout(over, OUTPUT_MS).unref());
      this.#child.once('close', () => over());
      this.#child.once('error', () => over());
    });
  }

  #isThere(): boolean {
    try {
      return process.platform === 'win32' ? this.ended === undefined : process.kill(-this.#pid, 0);
    } catch {
      return false;
    }
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#child.pid === undefined) return;
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', `${this.#pid}`, '/t', '/f']);
    else if (this.#isThere()) process.kill(-this.#pid, signal);
  }

  get #pid(): number {
    return this.#child.pid as number;
  }
}
