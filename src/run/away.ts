import type { Stopped } from '../history/history.ts';
import { type Exchange, endOf, isAborted, isAnswered } from '../http/exchange.ts';
import { shorten } from '../http/value.ts';
import { wasSlowBefore } from './slowness.ts';
import type { World } from './world.ts';

/** How a process ended: by an exit code or a signal; both null if nobody knows. */
export interface ProcessEnd {
  code: number | null;
  signal: string | null;
}

/** The service, if the suite has started it (`--start`). */
export interface StartedService {
  /** How it ended; undefined while it runs. */
  ended(): ProcessEnd | undefined;
  /** Ends what is left of it, starts it again and waits until it answers. Rejects with a sentence if it does not. */
  restart(): Promise<void>;
  /** Says in a clause that another process listens at its address; undefined if none does, or nobody can tell. */
  stranger(): Promise<string | undefined>;
}

/** The run ends before its plan was carried out. */
export class Stop extends Error {
  readonly stopped: Stopped;

  constructor(stopped: Stopped) {
    super(stopped.reason);
    this.stopped = stopped;
  }
}

/** A process is known to have ended so many milliseconds after its connections: a shell or npm may stand above it. */
const END_MS = 2000;
/** A request that was answered may still end the process within so many milliseconds. */
const LATER_MS = 300;
/** How much longer that may take another time. */
const MARGIN_MS = 200;
/** The pause between two looks at the process. */
const LOOK_MS = 20;
/** Requests that are sent once more, and how many of the last ones a sentence names. */
const MOST_SUSPECTS = 64;
const NAMED = 3;

/** Such as ` with exit code 1` or ` by SIGKILL`; empty if nobody knows. */
export function endText({ code, signal }: ProcessEnd): string {
  if (code === null && signal === null) return '';
  return code === null ? ` by ${signal}` : ` with exit code ${code}`;
}

/** The last of some requests in a few words. */
export function namesOf(exchanges: readonly Exchange[]): string {
  const last = exchanges.slice(-NAMED);
  return last.map(({ request }) => `${request.method} ${shorten(request.path, 80)}`).join(', ');
}

/** When the last look at the target was taken: exchanges and outages so far. */
export interface Mark {
  exchanges: number;
  outages: number;
}

export const markNow = ({ client }: World): Mark => ({
  exchanges: client.record.length,
  outages: client.presence.outages.length,
});

/**
 * Looks whether the target went away since a mark. If it did, the requests that may have done it are sent twice more,
 * one at a time: `suspect`, if it was sent with nothing else in flight, otherwise those without a response. Throws Stop
 * if the target is gone for good.
 */
export async function checkPresence(
  world: World,
  mark: Mark,
  service: StartedService | undefined,
  suspect?: Exchange,
): Promise<void> {
  const { client, history } = world;
  const sent = client.record.slice(mark.exchanges).filter(({ attempts }) => attempts > 0);
  const end = await endOfService(world, service, sent);
  const suspects = suspect ? [suspect] : suspectsIn(sent);
  if (end && service) {
    const text = `the service ended${endText(end)}`;
    const culprit = await whatEndsIt(
      world,
      service,
      suspect ? [suspect] : withAnswered(sent, suspects),
    );
    if (culprit) history.outages.push({ ...culprit, text });
    client.gone = text;
    throw gone(text, culprit ? [culprit.exchange, culprit.again] : sent.slice(-NAMED), sent);
  }
  if (client.gone !== undefined) {
    if (suspect && !wasSlowBefore(world, suspect))
      history.outages.push({ exchange: suspect, text: client.gone });
    throw gone(client.gone, suspect ? [suspect] : sent.slice(-1), sent);
  }
  if (client.presence.outages.length === mark.outages) return;
  // A creation that is sent again could create its user twice, unless it must be rejected.
  const harmless = suspects.filter(({ id, request }) => {
    const isRejected = world.ledger.creationOf(id)?.expected === 'rejected';
    return request.method === 'GET' || isRejected || isAborted(request);
  });
  for (const exchange of harmless) {
    const again = (await goesAwayAfter(world, exchange)) && (await goesAwayAfter(world, exchange));
    if (again) {
      history.outages.push({ exchange, again, text: 'no response for a moment' });
      return;
    }
  }
}

/** Sends a request once more. Returns its exchange if the target went away after it. */
async function goesAwayAfter(world: World, exchange: Exchange): Promise<Exchange | undefined> {
  const { outages } = world.client.presence;
  const before = outages.length;
  const again = await sendAgain(world, exchange);
  // A valid request tells whether the target is there.
  await world.send({ ...world.listing(), connection: 'new' }, 'text');
  return outages.length > before ? again : undefined;
}

function gone(text: string, exchanges: readonly Exchange[], sent: readonly Exchange[]): Stop {
  const reason = `${text}; the last requests before: ${namesOf(sent.filter(isAnswered).length > 0 ? sent : exchanges)}`;
  return new Stop({ reason, by: 'service', exchanges: [...exchanges] });
}

/** The requests without a response, those that were sent first at the beginning: they were in flight. */
function suspectsIn(sent: readonly Exchange[]): Exchange[] {
  const lost = sent.filter((exchange) => !isAnswered(exchange) && !isAborted(exchange.request));
  return lost.sort((a, b) => a.at - b.at).slice(0, MOST_SUSPECTS);
}

/** The same after those that were answered last: a process may end after its response. */
function withAnswered(sent: readonly Exchange[], suspects: readonly Exchange[]): Exchange[] {
  const answered = sent.filter(isAnswered).sort((a, b) => endOf(a) - endOf(b));
  return [...answered.slice(-MOST_SUSPECTS), ...suspects];
}

const sendAgain = async (world: World, { request }: Exchange): Promise<Exchange> =>
  (await world.send({ ...request, connection: 'new' }, 'text')).exchange;

/** How the service that the suite started has ended, if the last request got no response. */
async function endOfService(
  world: World,
  service: StartedService | undefined,
  sent: readonly Exchange[],
): Promise<ProcessEnd | undefined> {
  const lost = sent.some((exchange) => !isAnswered(exchange) && !isAborted(exchange.request));
  if (service === undefined || (!lost && world.client.gone === undefined)) return service?.ended();
  if (world.client.gone === undefined && (await answers(world))) return service.ended();
  return endWithin(world, service, END_MS);
}

async function answers(world: World): Promise<boolean> {
  const { exchange } = await world.send({ ...world.listing(), connection: 'new' }, 'text');
  return isAnswered(exchange);
}

async function endWithin(world: World, service: StartedService, milliseconds: number) {
  const until = world.client.now() + milliseconds;
  while (service.ended() === undefined && world.client.now() < until)
    await world.client.deadline.pause(LOOK_MS);
  return service.ended();
}

/**
 * Starts the service again and sends suspects until one ends it again. Returns that one; undefined if none does, or if
 * the service also ends by itself.
 */
async function whatEndsIt(world: World, service: StartedService, suspects: readonly Exchange[]) {
  try {
    await startAgain(world, service);
    const begin = world.client.now();
    for (const exchange of suspects) {
      const again = await sendAgain(world, exchange);
      const waited = await endWithin(
        world,
        service,
        isAnswered(again) ? LATER_MS / suspects.length : END_MS,
      );
      if (waited === undefined) continue;
      const took = world.client.now() - begin;
      await startAgain(world, service);
      const byItself = await endWithin(world, service, took + MARGIN_MS);
      return byItself ? undefined : { exchange, again };
    }
  } catch {
    // The run is over, or the service can't be started again: what is known has to do.
  }
  return undefined;
}

async function startAgain({ client }: World, service: StartedService): Promise<void> {
  const { signal } = client.deadline;
  client.deadline.check();
  const over = new Promise((end) => signal.addEventListener('abort', end, { once: true }));
  await Promise.race([service.restart(), over]);
  client.deadline.check();
  client.gone = undefined;
}
