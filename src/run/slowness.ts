import { type Exchange, isAnswered } from '../http/exchange.ts';
import type { World } from './world.ts';

/** The share of the timeout from which a response may be slowed down on purpose. */
const SLOW_SHARE = 0.2;
/** The multiple of the fastest response from which it may be. */
const SLOW_TIMES = 10;

/**
 * Requests that are sent alone to see whether each takes longer than the one before. If response
 * times vary at random, seven of them grow one time in 5,040.
 */
const PROBES = 7;

/** Timers and a busy machine add less than this. Milliseconds. */
const STEP_MS = 20;

/**
 * Ends the run if each request takes longer than the one before, as with a middleware that slows a
 * client down: later requests would time out although the service is right. Must be called with
 * nothing in flight. Throws Ended.
 */
export async function checkSlowness(world: World): Promise<void> {
  const { client } = world;
  const { shortest, last } = client.responseMs;
  const slow = Math.max(SLOW_SHARE * client.timeoutMs, SLOW_TIMES * shortest);
  if (last < slow) return;
  let latest = 0;
  for (let probe = 0; probe < PROBES; probe += 1) {
    const { exchange } = await world.send(world.listing(), 'text');
    if (!isAnswered(exchange) || exchange.duration < latest + STEP_MS) return;
    latest = exchange.duration;
  }
  if (latest < slow) return;
  client.deadline.end(
    `the service takes longer for each request (${latest} ms now, ${shortest} ms at first): if a middleware slows this client down, exempt it from that`,
  );
  client.deadline.check();
}

/** A service whose last response took this share of the timeout is slow and may still run. */
const NEAR_TIMEOUT = 0.25;

/** Whether the response before an exchange took so long that a later timeout proves nothing. */
export function wasSlowBefore({ client }: World, { id }: Exchange): boolean {
  const before = client.record.findLast((exchange) => exchange.id < id && isAnswered(exchange));
  return before !== undefined && before.duration > NEAR_TIMEOUT * client.timeoutMs;
}
