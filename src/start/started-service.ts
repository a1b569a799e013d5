import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure } from '../http/failure.ts';
import { secretsOf } from '../http/secrets.ts';
import { sendersBy } from '../http/senders.ts';
import { endText } from '../plan/service-end.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { listenersAt } from './processes.ts';
import { serviceLog } from './service-log.ts';
import { serviceProcess } from './service-process.ts';

/** Milliseconds between two requests. */
const PAUSE_MS = 20;

/**
 * The service that the command of `--start` starts, as often as the run needs it. `environment` is its own but for the
 * key. Throws a SettingsError where its log can't be written.
 */
export function serviceOf(
  { start: command = '', startTimeoutMs, timeoutMs, reportDir, reuse }: Settings,
  target: Target,
  environment: NodeJS.ProcessEnv,
) {
  const { baseUrl, apiKey } = target;
  const log = serviceLog(reportDir, secretsOf(target).redact);
  /** How it ended during the run, each time, as lines for the terminal. */
  const ends: string[] = [];
  let current: ReturnType<typeof serviceProcess> | undefined;
  let isUp = false;
  let left: Promise<string[]> | undefined;

  /** A sentence, and below it what the service printed last. */
  const withOutput = (why: string, lastLines: readonly string[]): [sentence: string, ...below: string[]] => {
    if (lastLines.length === 0) return [`${why}. It printed nothing.`];
    return [`${why}. Its last lines (more in ${log.name}):`, ...lastLines.map((line) => `  ${line}`)];
  };
  const unusable = (why: string) => {
    const [sentence, ...below] = withOutput(why, log.last());
    return new SettingsError(sentence, below);
  };
  const listeners = async () => {
    const { strangers, isHidden } = await listenersAt(new URL(baseUrl), current?.processes() ?? []);
    const clause = `${strangers.join(' and ')} listens at ${baseUrl}, which --start did not start`;
    return { stranger: strangers.length > 0 ? clause : undefined, isHidden };
  };
  /**
   * Starts it and waits until it answers. Returns what is not certain of who is judged, a clause. Rejects with a SettingsError
   * where it ends early or never answers, and where somebody else has taken its address.
   */
  const start = async () => {
    // An interrupt may come while it is being started again.
    if (left) throw unusable('The service is not started after the end of the run');
    const service = serviceProcess(command, { ...environment, API_KEY: apiKey }, log);
    [current, isUp] = [service, false];
    const failure = await whyNoAnswer(target, timeoutMs, startTimeoutMs, () => service.ended() !== undefined);
    const { stranger, isHidden } = await listeners();
    if (stranger !== undefined && !reuse) throw unusable(`Instead of the service ${stranger}`);
    const end = service.ended();
    if (end) throw unusable(`The service ended${endText(end)} before it responded at ${baseUrl}`);
    if (failure !== undefined) {
      throw unusable(`The service did not respond at ${baseUrl} within ${startTimeoutMs} ms: ${failure}`);
    }
    isUp = true;
    if (stranger !== undefined) return `${stranger} (--reuse)`;
    const place = `which process listens at ${baseUrl}: it is assumed to be what --start started`;
    return isHidden ? `the system does not show ${place}` : undefined;
  };
  const endProcess = async () => {
    const end = current?.ended();
    if (end && isUp) ends.push(...withOutput(`The service ended${endText(end)} during the run`, end.lastLines));
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
      return names.length === 0 ? ends : [...ends, `Could not stop what the service started: ${names.join(', ')}.`];
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
  milliseconds = timeoutMs,
  isOver = () => true,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(baseUrl);
  const sender = sendersBy(tls)('new');
  const until = performance.now() + milliseconds;
  for (;;) {
    const left = Math.max(1, Math.min(Math.ceil(until - performance.now()), timeoutMs));
    const request = { origin, path: pathname, method: 'GET', signal: AbortSignal.timeout(left) } as const;
    try {
      await sender.request({ ...request, onHead: () => -1 });
      return undefined;
    } catch (error) {
      if (isOver() || performance.now() >= until) return describeFailure(error, origin, left);
    }
    await sleep(PAUSE_MS);
  }
}
