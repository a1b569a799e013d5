import { makeClient } from '../src/http/client.ts';
import { type Clock, systemClock } from '../src/http/clock.ts';
import { World } from '../src/run/world.ts';
import { startHere } from './services/here.ts';
import type { Patch } from './services/service.ts';

const settings = {
  readOnly: false,
  timeoutMs: 5000,
  settleMs: 100,
  awayMs: 1000,
  deadlineMs: 20_000,
  bodyLimit: 1024 * 1024,
  emailDomain: 'example.com',
};

/** Calls a function with the world of a run against a service in this process. */
export async function inWorld(
  patches: Patch[],
  use: (world: World) => Promise<void>,
  clock: Clock = systemClock,
): Promise<void> {
  const service = await startHere(...patches);
  const client = makeClient(service, { ...settings, clock }, service.makeSender);
  const world = new World(client, service.baseUrl, settings);
  try {
    await use(world);
  } finally {
    await client.close();
    await service.close();
  }
}
