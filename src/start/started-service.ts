import { secretsOf } from '../http/secrets.ts';
import { endText, type StartedService } from '../run/away.ts';
import { SettingsError } from '../settings/errors.ts';
import { causeOf } from '../settings/files.ts';
import { nameOf } from '../settings/names.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { isTaken, waitForResponse } from './address.ts';
import { openServiceLog } from './service-log.ts';
import { type ServiceProcess, startProcess } from './service-process.ts';

/** The service of `--start`: starts it, restarts it during the run and ends it. */
export interface ServiceControl extends StartedService {
  /**
   * Starts the service and waits for a response. Rejects with a SettingsError if its address is
   * taken, or if it ends early or does not respond.
   */
  start: () => Promise<void>;
  /** Ends the service, once. Returns lines for the terminal on ends during the run. */
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
  const { start: command = '', startTimeoutMs, timeoutMs, reportDir } = settings;
  const { baseUrl, apiKey } = target;
  const log = openServiceLog(reportDir, secretsOf(target).redact);
  /** Lines on ends during the run that are not printed yet. */
  let linesOnEnds: string[] = [];
  const reportedEnds = new Set<string>();
  let current: ServiceProcess | undefined;
  let hasResponded = false;
  let stopped: Promise<void> | undefined;

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

  const start = async () => {
    if (await isTaken(target, timeoutMs)) {
      throw new SettingsError(
        `A service is already listening at ${baseUrl}: stop it, or check it without ${nameOf('CONFORMANCE_START')} or with ${nameOf('CONFORMANCE_REUSE')}.`,
      );
    }
    // An interrupt may come during a restart.
    if (stopped) throw new SettingsError('The service is not started after the end of the run.');
    const service = await startProcess(command, { ...environment, API_KEY: apiKey }, log).catch(
      (error: unknown) => {
        throw new SettingsError(
          `The command of ${nameOf('CONFORMANCE_START')} can't be run (${causeOf(error)}).`,
        );
      },
    );
    current = service;
    hasResponded = false;
    const failure = await waitForResponse(target, settings, () => service.ended() !== undefined);
    const end = service.ended();
    if (end) {
      await service.output;
      const clause =
        failure === undefined
          ? `, and another process responds at ${baseUrl}`
          : ` before it responded at ${baseUrl}`;
      const advice = end.code === 0 ? ': the command must keep it in the foreground' : '';
      throw unusable(`The service ended${endText(end)}${clause}${advice}`);
    }
    if (failure !== undefined) {
      throw unusable(
        `The service did not respond at ${baseUrl} within ${startTimeoutMs} ms: ${failure}`,
      );
    }
    hasResponded = true;
  };

  const noteEnd = async () => {
    const end = current?.ended();
    if (end === undefined || !hasResponded) return;
    hasResponded = false;
    await current?.output;
    const other = (await isTaken(target, timeoutMs))
      ? `, and another process listens at ${baseUrl}`
      : '';
    const sentence = `The service ended${endText(end)} during the run${other}`;
    // A request that ends the service is sent several times.
    if (!reportedEnds.has(sentence)) linesOnEnds.push(...withOutput(sentence));
    reportedEnds.add(sentence);
  };
  const takeEnds = async () => {
    await noteEnd();
    const lines = linesOnEnds;
    linesOnEnds = [];
    return lines;
  };

  const stop = async () => {
    await noteEnd();
    hasResponded = false;
    await current?.stop();
  };

  return {
    start,
    ended: () => current?.ended(),
    takeEnds,
    restart: async () => {
      await stop();
      await start();
    },
    end: async () => {
      stopped ??= stop().finally(log.close);
      await stopped;
      return takeEnds();
    },
  };
}
