import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure } from '../http/failure.ts';
import { secretsOf } from '../http/secrets.ts';
import { senderFactory } from '../http/senders.ts';
import { endText, type ProcessEnd } from '../run/away.ts';
import { SettingsError, unlessThrown } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { listenersAt, processesFrom } from './processes.ts';
import { serviceLog } from './service-log.ts';

/** By this variable a process is known that has left its group, its session and its parents. */
const MARK = 'STARTED_FOR_CONFORMANCE';

/**
 * The service that the command of `--start` starts, as often as the run needs it. `environment` is its own but for the
 * key. Throws a SettingsError where its log can't be written.
 */
export function serviceOf(settings: Settings, target: Target, environment: NodeJS.ProcessEnv) {
  const { start: command = '', startTimeoutMs, timeoutMs, reportDir, reuse } = settings;
  const { baseUrl, apiKey } = target;
  const log = serviceLog(reportDir, secretsOf(target).redact);
  /** How it ended during the run, each time, as lines for the terminal. */
  const ends: string[] = [];
  let current: ReturnType<typeof serviceProcess> | undefined;
  let isUp = false;
  let left: Promise<string[]> | undefined;

  /** A sentence, and below it what the service printed last. */
  const withOutput = (why: string): [sentence: string, ...below: string[]] => {
    const below = log.last().map((line) => `  ${line}`);
    return [
      `${why}. ${below.length === 0 ? 'It printed nothing.' : `Its last lines (more in ${log.name}):`}`,
      ...below,
    ];
  };
  const unusable = (why: string) => {
    const [sentence, ...below] = withOutput(why);
    return Object.assign(new SettingsError(sentence), { below });
  };
  const listeners = async () => {
    const { strangers, isHidden } = await listenersAt(new URL(baseUrl), current?.processes() ?? []);
    const clause = `${strangers.join(' and ')} listens at ${baseUrl}, which ${nameOf('CONFORMANCE_START')} did not start`;
    return { stranger: strangers.length > 0 ? clause : undefined, isHidden };
  };
  /**
   * Starts it and waits until it answers. Returns what is not certain of who is judged, a clause. Rejects with a
   * SettingsError where it ends early or never answers, and where somebody else has taken its address.
   */
  const start = async () => {
    // An interrupt may come while it is being started again.
    if (left) throw unusable('The service is not started after the end of the run');
    const service = serviceProcess(command, { ...environment, API_KEY: apiKey }, log);
    [current, isUp] = [service, false];
    const why = await whyNoAnswer(
      target,
      timeoutMs,
      startTimeoutMs,
      () => service.ended() !== undefined,
    );
    const { stranger, isHidden } = await listeners();
    if (stranger !== undefined && !reuse) throw unusable(`Instead of the service ${stranger}`);
    const end = service.ended();
    if (end) throw unusable(`The service ended${endText(end)} before it responded at ${baseUrl}`);
    const inTime = `within ${startTimeoutMs} ms`;
    if (why !== undefined)
      throw unusable(`The service did not respond at ${baseUrl} ${inTime}: ${why}`);
    isUp = true;
    if (stranger !== undefined) return `${stranger} (${nameOf('CONFORMANCE_REUSE')})`;
    const place = `which process listens at ${baseUrl}: it is assumed to be what ${nameOf('CONFORMANCE_START')} started`;
    return isHidden ? `the system does not show ${place}` : undefined;
  };
  const endProcess = async () => {
    const end = current?.ended();
    if (end && isUp) ends.push(...withOutput(`The service ended${endText(end)} during the run`));
    isUp = false;
    const rest = (await current?.end()) ?? [];
    return rest.map(({ name, pid }) => `${name} (pid ${pid})`);
  };
  return {
    start,
    stranger: async () => (reuse ? undefined : (await listeners()).stranger),
    ended: () => current?.ended(),
    restart: async () => {
      await endProcess();
      await start();
    },
    /**
     * Ends all of it, once. Returns lines on how it ended before, and on what could not be ended, such as `postgres
     * (pid 42)`.
     */
    end: async () => {
      left ??= endProcess().finally(log.close);
      const names = await left;
      return names.length === 0
        ? ends
        : [...ends, `Could not stop what the service started: ${names.join(', ')}.`];
    },
  };
}

/**
 * Asks a base address for so many milliseconds, in one request at least, whether anything there speaks HTTP at all: any
 * status will do, so no key is sent. Why none came in time, or before `isOver`, a clause; undefined where one came.
 */
export async function whyNoAnswer(
  { baseUrl, tls }: Target,
  timeoutMs: number,
  forMs = timeoutMs,
  isOver = () => true,
) {
  const { origin, pathname } = new URL(baseUrl);
  const sender = senderFactory(tls)('new');
  const until = performance.now() + forMs;
  for (;;) {
    const left = Math.max(1, Math.min(Math.ceil(until - performance.now()), timeoutMs));
    const signal = AbortSignal.timeout(left);
    try {
      await sender.request({ origin, path: pathname, method: 'GET', signal, onHead: () => -1 });
      return undefined;
    } catch (error) {
      if (isOver() || performance.now() >= until) return describeFailure(error, origin, left);
    }
    await sleep(20);
  }
}

/** A service that was started by the shell: a session of its own, so that all of it can be ended. */
function serviceProcess(
  command: string,
  env: NodeJS.ProcessEnv,
  log: ReturnType<typeof serviceLog>,
) {
  const isWindows = process.platform === 'win32';
  const id = randomUUID();
  const options = { shell: true, detached: !isWindows, env: { ...env, [MARK]: id } };
  const child = spawn(command, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const { pid } = child;
  let end: ProcessEnd | undefined;
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
      // What goes on in the background holds its output open: the last of it may take a second.
      setTimeout(() => isOver(code, signal), 1000).unref();
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
    // Less and less often: each look reads what all processes are.
    for (let pause = 10; isThere() && performance.now() < until; pause = Math.min(2 * pause, 200))
      await sleep(pause);
  };
  const kill = () => send('SIGKILL');
  // Whatever ends this process, the service ends with it.
  process.on('exit', kill);
  return {
    /** All that it has started and that still runs; none on a system that does not show them. */
    processes,
    /**
     * How it ended; undefined as long as it runs. A command that ended well and left a daemon behind runs on, where the
     * system shows that.
     */
    ended: (): ProcessEnd | undefined => {
      if (end === undefined || (isDaemon && processes().length > 0)) return undefined;
      // The system tells nobody how a daemon ends.
      return isDaemon ? { code: null, signal: null } : end;
    },
    /** Ends all of it: asks it to, and makes it after five seconds. Returns what could not be ended a second later. */
    end: async () => {
      send('SIGTERM');
      await untilGone(5000);
      kill();
      await untilGone(1000);
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
const signalTo = (pid: number, signal: NodeJS.Signals | 0) =>
  unlessThrown(() => process.kill(pid, signal));
