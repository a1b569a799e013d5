import type { Exchange } from '../http/exchange.ts';
import { checkPresence, Stop } from './away.ts';
import { checkSlowness } from './slowness.ts';
import type { World } from './world.ts';

/**
 * Carries out a step of a run and looks at the target afterwards, with nothing in flight: whether
 * it is still there and no slower. Throws Stop or Ended.
 */
export const takeStep = (world: World, act: () => Promise<unknown>): Promise<void> =>
  takeSerialStep(world, async () => {
    await act();
    return undefined;
  });

/**
 * Does the same for a step that sends one request with nothing else in flight, and returns it: if
 * the target is gone afterwards, that request did it.
 */
export async function takeSerialStep(
  world: World,
  act: () => Promise<Exchange | undefined>,
): Promise<void> {
  const begin = world.client.record.length;
  const suspect = await untilEnd(world, act()).catch(async (error) => {
    // If the service has ended, a wrong key or address is not the reason.
    if (error instanceof Stop && world.service) await checkPresence(world, begin);
    throw error;
  });
  await checkPresence(world, begin, suspect);
  await checkSlowness(world);
  world.onStep();
}

/** The time that a step has to end by itself when the run has ended. Milliseconds. */
const GRACE_MS = 1000;

/** Rejects some time after the end of the run: a step may wait for something else. */
function untilEnd<T>({ client }: World, step: Promise<T>): Promise<T> {
  const { signal } = client.deadline;
  return new Promise((resolve, reject) => {
    const rejectSoon = () => setTimeout(() => reject(signal.reason), GRACE_MS).unref();
    const settle = () => signal.removeEventListener('abort', rejectSoon);
    if (signal.aborted) rejectSoon();
    else signal.addEventListener('abort', rejectSoon);
    step.finally(settle).then(resolve, reject);
  });
}
