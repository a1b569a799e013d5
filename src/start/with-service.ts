import { once } from 'node:events';
import { connect } from 'node:net';
import type { StartedService } from '../run/away.ts';
import { SettingsError } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { EXIT } from '../verdict/verdict.ts';
import { onInterrupt } from './signals.ts';
import { controlService, makeProbe } from './started-service.ts';

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
  if (reuse && (await makeProbe(target)(timeoutMs)) === undefined) {
    notices.push(
      `nothing was started: using the service that was already running (${nameOf('CONFORMANCE_REUSE')})`,
    );
    return judge();
  }
  if (!reuse && (await isTaken(target, timeoutMs))) {
    throw new SettingsError(
      `A service is already listening at ${target.baseUrl}: stop it, or use it with ${nameOf('CONFORMANCE_REUSE')}.`,
    );
  }
  const service = controlService(settings, target, environment);
  // An interrupt may come while the service starts. The run replaces this handler.
  const ending = { exitCode: EXIT.inconclusive };
  onInterrupt(() => void service.end().finally(() => process.exit(ending.exitCode)), ending);
  try {
    const notice = await service.start();
    if (notice !== undefined) notices.push(notice);
    return await judge(service);
  } finally {
    for (const line of await service.end()) process.stderr.write(`${line}\n`);
  }
}

/** Whether a process accepts connections at a base address, even if it never responds. */
async function isTaken({ baseUrl }: Target, timeoutMs: number): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
