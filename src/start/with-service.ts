import type { StartedService } from '../run/away.ts';
import { nameOf } from '../settings/names.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { EXIT } from '../verdict/verdict.ts';
import { isTaken } from './address.ts';
import { onInterrupt } from './signals.ts';
import { controlService } from './started-service.ts';

/**
 * Starts the service, judges it and ends it in any case. Returns the result of `judge`. Rejects
 * with a SettingsError if the address is taken, or if the service ends early or does not respond.
 */
export async function withService(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  judge: (service?: StartedService) => Promise<number>,
): Promise<number> {
  const { reuse, timeoutMs, notices } = settings;
  const target = settings.target as Target;
  if (reuse && (await isTaken(target, timeoutMs))) {
    notices.push(
      `nothing was started: using the service that was already running (${nameOf('CONFORMANCE_REUSE')})`,
    );
    return judge();
  }
  const service = controlService(settings, target, environment);
  // An interrupt may come while the service starts. The run replaces this handler.
  const ending = { exitCode: EXIT.inconclusive };
  onInterrupt(() => void service.end().finally(() => process.exit(ending.exitCode)), ending);
  try {
    await service.start();
    return await judge(service);
  } finally {
    for (const line of await service.end()) process.stderr.write(`${line}\n`);
  }
}
