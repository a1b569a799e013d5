import { type Exchange, isAnswered } from '../http/exchange.ts';
import type { World } from './world.ts';

/**
 * A response that took so much of the timeout, and so many times as long as the fastest one, may be slowed down on
 * purpose.
 */
const SLOW = 0.2;
const SLOWER_TIMES = 10;

/**
 * Requests that are sent alone to see whether each takes longer than the one before. Of a service whose response times
 * vary at random, so many grow one time in 5,040.
 */
const PROBES = 7;

/** Timers and a busy machine are no more off than that. Milliseconds. */
const STEP_MS = 20;

/** The shortest and the last duration of the responses so far. Milliseconds. */
function durationsIn(record: readonly Exchange[]): { fastest: number; last: number } {
  const answered = record.filter(isAnswered);
  const fastest = answered.reduce(
    (least, { duration }) => Math.min(least, duration),
    Number.POSITIVE_INFINITY,
  );
  return { fastest, last: answered.at(-1)?.duration ?? 0 };
}

/**
 * Ends the run if the service takes longer for each request, as a middleware does that slows a client down: sooner or
 * later no request would get a response in time, which is no fault. To be called when nothing is in flight. Throws
 * Ended.
 */
export async function checkSlowness(world: World): Promise<void> {
  const { client } = world;
  const { fastest, last } = durationsIn(client.record);
  const slow = Math.max(SLOW * client.timeoutMs, SLOWER_TIMES * fastest);
  if (last < slow) return;
  let latest = 0;
  for (let probe = 0; probe < PROBES; probe += 1) {
    const { exchange } = await world.send(world.listing(), 'text');
    if (!isAnswered(exchange) || exchange.duration < latest + STEP_MS) return;
    latest = exchange.duration;
  }
  if (latest < slow) return;
  client.deadline.end(
    `the service takes longer for each request (${latest} ms now, ${fastest} ms at first): if a middleware slows this client down, exempt it from that`,
  );
  client.deadline.check();
}

/** A service that took so much of the timeout for its last response is slow, and may not have stopped. */
const NEAR_TIMEOUT = 0.25;

/** Whether the last response before an exchange took so long that a timeout after it proves nothing. */
export function wasSlowBefore({ client }: World, { id }: Exchange): boolean {
  const before = client.record.findLast((exchange) => exchange.id < id && isAnswered(exchange));
  return before !== undefined && before.duration > NEAR_TIMEOUT * client.timeoutMs;
}
