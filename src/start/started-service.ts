import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure } from '../http/failure.ts';
import { secretsOf } from '../http/secrets.ts';
import { senderFactory } from '../http/senders.ts';
import { endText, type StartedService } from '../run/away.ts';
import { SettingsError } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { findListeners } from './processes.ts';
import { openServiceLog } from './service-log.ts';
import { type ServiceProcess, startProcess } from './service-process.ts';

/** The service of `--start`: starts it, restarts it during the run and ends it. */
export interface ServiceControl extends StartedService {
  /**
   * Starts the service and waits for a response. Returns a notice if another process may be
   * checked. Rejects with a SettingsError if the service ends early, does not respond or another
   * process has taken its address.
   */
  start: () => Promise<string | undefined>;
  /**
   * Ends all processes of the service, once. Returns lines for the terminal: ends during the run,
   * and processes that it could not stop, such as `postgres (pid 42)`.
   */
  end: () => Promise<string[]>;
}

/**
 * Returns the control of the service of `--start`, which gets the environment and the key. Throws a
 * SettingsError if the log can't be written.
 */
export function controlService(
  settings: Settings,
  target: Target,
  environment: NodeJS.ProcessEnv,
): ServiceControl {
  const { start: command = '', startTimeoutMs, reportDir, reuse } = settings;
  const { baseUrl, apiKey } = target;
  const log = openServiceLog(reportDir, secretsOf(target).redact);
  /** Lines on ends during the run that are not printed yet. */
  let linesOnEnds: string[] = [];
  const reportedEnds = new Set<string>();
  let current: ServiceProcess | undefined;
  let hasResponded = false;
  let stopped: Promise<string[]> | undefined;

  /** Returns a sentence and, below it, the last lines of the service. */
  const withOutput = (clause: string): [string, ...string[]] => {
    const output = log.lastLines().map((line) => `  ${line}`);
    if (output.length === 0) return [`${clause}. It printed nothing.`];
    return [`${clause}. Its last lines (more in ${log.name}):`, ...output];
  };
  const unusable = (clause: string) => {
    const [sentence, ...below] = withOutput(clause);
    const error = new SettingsError(sentence);
    error.below = below;
    return error;
  };

  const findOthers = async () => {
    const pids = current?.processes().map(({ pid }) => pid) ?? [];
    const { strangers, isHidden } = await findListeners(new URL(baseUrl), pids);
    const names = strangers.join(' and ');
    const clause = `${names} listens at ${baseUrl}, which ${nameOf('CONFORMANCE_START')} did not start`;
    return { stranger: names === '' ? undefined : clause, isHidden };
  };

  const start = async () => {
    // An interrupt may come during a restart.
    if (stopped) throw unusable('The service is not started after the end of the run');
    const service = startProcess(command, { ...environment, API_KEY: apiKey }, log);
    current = service;
    hasResponded = false;
    const failure = await waitForResponse(target, settings, () => service.ended() !== undefined);
    const { stranger, isHidden } = await findOthers();
    if (stranger !== undefined && !reuse) throw unusable(`Instead of the service ${stranger}`);
    const end = service.ended();
    if (end) throw unusable(`The service ended${endText(end)} before it responded at ${baseUrl}`);
    if (failure !== undefined) {
      throw unusable(
        `The service did not respond at ${baseUrl} within ${startTimeoutMs} ms: ${failure}`,
      );
    }
    hasResponded = true;
    if (stranger !== undefined) return `${stranger} (${nameOf('CONFORMANCE_REUSE')})`;
    if (!isHidden) return undefined;
    return `the system does not show which process listens at ${baseUrl}: it is assumed to be the one that ${nameOf('CONFORMANCE_START')} started`;
  };

  const noteEnd = () => {
    const end = current?.ended();
    if (end === undefined || !hasResponded) return;
    hasResponded = false;
    const sentence = `The service ended${endText(end)} during the run`;
    // A request that ends the service is sent several times.
    if (!reportedEnds.has(sentence)) linesOnEnds.push(...withOutput(sentence));
    reportedEnds.add(sentence);
  };
  const takeEnds = () => {
    noteEnd();
    const lines = linesOnEnds;
    linesOnEnds = [];
    return lines;
  };

  const stop = async () => {
    noteEnd();
    hasResponded = false;
    const left = (await current?.stop()) ?? [];
    return left.map(({ name, pid }) => `${name} (pid ${pid})`);
  };

  return {
    start,
    stranger: async () => (reuse ? undefined : (await findOthers()).stranger),
    ended: () => current?.ended(),
    takeEnds,
    restart: async () => {
      await stop();
      await start();
    },
    end: async () => {
      stopped ??= stop().finally(log.close);
      const left = await stopped;
      const lines = takeEnds();
      if (left.length > 0)
        lines.push(`Could not stop what the service started: ${left.join(', ')}.`);
      return lines;
    },
  };
}

/** Waits for an HTTP response. Returns the last failure, a clause; undefined after a response. */
async function waitForResponse(
  target: Target,
  { timeoutMs, startTimeoutMs }: Settings,
  isEnded: () => boolean,
): Promise<string | undefined> {
  const request = makeProbe(target);
  const until = performance.now() + startTimeoutMs;
  for (;;) {
    const leftMs = Math.max(1, Math.ceil(until - performance.now()));
    const failure = await request(Math.min(leftMs, timeoutMs));
    if (failure === undefined || isEnded() || performance.now() >= until) return failure;
    await sleep(20);
  }
}

/**
 * Returns a function that requests the base address, without the key. It returns undefined after
 * any HTTP response, otherwise a clause that describes the failure.
 */
export function makeProbe({
  baseUrl,
  tls,
}: Target): (timeoutMs: number) => Promise<string | undefined> {
  const { origin, pathname } = new URL(baseUrl);
  const sender = senderFactory(tls)('new');
  return async (timeoutMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      await sender.request({ origin, path: pathname, method: 'GET', signal, onHead: () => -1 });
      return undefined;
    } catch (error) {
      return describeFailure(error, origin, timeoutMs);
    }
  };
}
