import { once } from 'node:events';
import { connect } from 'node:net';
import type { StartedService } from '../run/away.ts';
import { SettingsError } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { EXIT } from '../verdict/verdict.ts';
import { onInterrupt } from './signals.ts';
import { serviceOf, whyNoAnswer } from './started-service.ts';

/**
 * Starts the service, in this environment with the key, waits until it answers, judges it, and ends it whatever
 * happens. Returns what `judge` returns. Throws a SettingsError where the address is taken before, and where the
 * service ends early or never answers.
 */
export async function withService(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  judge: (service?: StartedService) => Promise<number>,
): Promise<number> {
  const { reuse, timeoutMs, notices } = settings;
  const target = settings.target as Target;
  if (reuse && (await whyNoAnswer(target, timeoutMs)) === undefined) {
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
  const service = serviceOf(settings, target, environment);
  // Until the run listens itself. First of all: an interrupt may come while the service is being started.
  const ending = { exitCode: EXIT.inconclusive };
  onInterrupt(() => void service.end().finally(() => process.exit(ending.exitCode)), ending);
  try {
    const doubt = await service.start();
    if (doubt !== undefined) notices.push(doubt);
    return await judge(service);
  } finally {
    for (const line of await service.end()) process.stderr.write(`${line}\n`);
  }
}

/** Whether anything takes connections at a base address, be it one that never answers. */
async function isTaken({ baseUrl }: Target, timeoutMs: number): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const [host, usual] = [hostname.replace(/^\[|\]$/g, ''), protocol === 'https:' ? 443 : 80];
  const socket = connect({ host, port: Number(port) || usual });
  const connected = once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
  const connection = await connected.catch(() => undefined);
  socket.destroy();
  return connection !== undefined;
}
