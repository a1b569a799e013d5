import { join, relative } from 'node:path';
import { shownBy } from '../http/added-headers.ts';
import { redaction } from '../http/redaction.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { EXIT } from '../verdict/verdict.ts';
import { FirstAnswer } from './first-answer.ts';
import { ServiceLog } from './service-log.ts';
import { ServiceProcess } from './service-process.ts';

/**
 * Starts the service, in this environment with the key, waits until it answers, judges it, and ends it whatever happens.
 * Returns what `judge` returns. Throws a SettingsError where the service answers before it is started, ends early or never
 * answers.
 */
export async function withService(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  judge: () => Promise<number>,
): Promise<number> {
  const target = settings.target as Target;
  const firstAnswer = new FirstAnswer(target, settings);
  try {
    if (await firstAnswer.isThere()) {
      if (!settings.reuse) {
        throw new SettingsError(
          `A service answers at ${target.baseUrl} already: end it, or judge it as it is with --reuse.`,
        );
      }
      settings.notices.push('nothing was started: a service that answered already is judged (--reuse)');
      return await judge();
    }
    const service = startService(settings, target, environment);
    try {
      await untilItAnswers(service, firstAnswer, settings, target);
      const exitCode = await judge();
      if (service.ended !== undefined) {
        await service.over;
        const { sentence, lines } = service.log.last();
        const told = [`The service ended ${service.ended} during the run. ${sentence}`, ...lines];
        process.stderr.write(`${told.join('\n')}\n`);
      }
      return exitCode;
    } finally {
      await service.end();
    }
  } finally {
    await firstAnswer.close();
  }
}

function startService(
  { start = '', reportDir }: Settings,
  { apiKey, headers }: Target,
  environment: NodeJS.ProcessEnv,
): ServiceProcess {
  const { redact } = shownBy(redaction(apiKey).redact, headers ?? []);
  const log = new ServiceLog(relative(process.cwd(), join(reportDir, 'service.log')), redact);
  let service: ServiceProcess | undefined;
  // Until the run listens itself. First of all: an interrupt may come while the service is being started.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void service?.end().finally(() => process.exit(EXIT.inconclusive)));
  }
  service = new ServiceProcess(start, { ...environment, API_KEY: apiKey }, log);
  return service;
}

async function untilItAnswers(
  service: ServiceProcess,
  firstAnswer: FirstAnswer,
  { startTimeoutMs }: Settings,
  { baseUrl }: Target,
): Promise<void> {
  if (await firstAnswer.waitFor(startTimeoutMs, () => service.ended !== undefined)) return;
  let why = `The service did not answer at ${baseUrl} within ${startTimeoutMs} ms: ${firstAnswer.failure}`;
  if (service.ended !== undefined) {
    await service.over;
    why = `The service ended ${service.ended} before it answered at ${baseUrl}`;
  }
  const { sentence, lines } = service.log.last();
  throw new SettingsError(`${why}. ${sentence}`, lines);
}
