import type { Stopped } from '../history/history.ts';
import { type Exchange, endOf, isAborted, isAnswered } from '../http/exchange.ts';
import { shorten } from '../http/value.ts';
import { wasSlowBefore } from './slowness.ts';
import type { World } from './world.ts';

/** The end of a process: an exit code or a signal. Both are null if the cause is unknown. */
export interface ProcessEnd {
  code: number | null;
  signal: string | null;
}

/** The service, if the suite has started it (`--start`). */
export interface StartedService {
  /** Returns how the process ended; undefined while it runs. */
  ended(): ProcessEnd | undefined;
  /** Returns lines for the terminal on ends during the run, each once. */
  takeEnds?(): string[];
  /**
   * Ends all processes of the service, starts it again and waits for a response. Rejects with a
   * sentence if there is none.
   */
  restart(): Promise<void>;
  /**
   * Returns a clause that says that another process listens at the address; undefined if none does,
   * or if that is unknown.
   */
  stranger(): Promise<string | undefined>;
}

/** Ends a run before its plan is carried out. */
export class Stop extends Error {
  readonly stopped: Stopped;

  constructor(stopped: Stopped) {
    super(stopped.reason);
    this.stopped = stopped;
  }
}

/** The time in which a process ends after its connections: a shell or npm may run it. */
const END_MS = 2000;
/** The time in which a process may still end after its response. */
const AFTER_RESPONSE_MS = 300;
/** The extra time in which a process may end without the suspect request. */
const MARGIN_MS = 200;
/** The pause between two checks of the process. */
const POLL_MS = 20;
/** Requests that are sent again, at most. */
const MOST_SUSPECTS = 64;
/** Requests that a sentence names, at most. */
const MOST_NAMED = 3;

/** Returns text such as ` with exit code 1` or ` by SIGKILL`; empty if the cause is unknown. */
export function endText({ code, signal }: ProcessEnd): string {
  if (code !== null) return ` with exit code ${code}`;
  return signal === null ? '' : ` by ${signal}`;
}

/** The numbers of exchanges and outages at one moment of a run. */
export interface Mark {
  exchanges: number;
  outages: number;
}

export const markNow = ({ client }: World): Mark => ({
  exchanges: client.record.length,
  outages: client.presence.outages.length,
});

/**
 * Checks whether the target was unavailable since a mark. If it was, sends the suspects twice more,
 * one at a time: `suspect`, if it was sent with nothing else in flight, otherwise the requests
 * without a response. Throws Stop if the target stays unavailable.
 */
export async function checkPresence(
  world: World,
  mark: Mark,
  service: StartedService | undefined,
  suspect?: Exchange,
): Promise<void> {
  const { client } = world;
  const sent = client.record.slice(mark.exchanges).filter(({ attempts }) => attempts > 0);
  if (service) {
    const end = await endOfService(world, service, sent);
    if (end) throw await stopAfterEnd(world, service, { end, sent, suspect });
  }
  if (client.gone !== undefined) throw stopAfterOutage(world, client.gone, sent, suspect);
  if (client.presence.outages.length === mark.outages) return;
  await confirmOutage(world, suspect ? [suspect] : suspectsIn(sent));
}

/** Returns how a started service ended. Waits for the end if a request got no response. */
async function endOfService(
  world: World,
  service: StartedService,
  sent: readonly Exchange[],
): Promise<ProcessEnd | undefined> {
  if (world.client.gone === undefined) {
    const isAnyLost = sent.some(isWithoutResponse);
    if (!isAnyLost || (await isResponding(world))) return service.ended();
  }
  return endWithin(world, service, END_MS);
}

const isWithoutResponse = (exchange: Exchange): boolean =>
  !isAnswered(exchange) && !isAborted(exchange.request);

async function isResponding(world: World): Promise<boolean> {
  const { exchange } = await world.send({ ...world.listing(), connection: 'new' }, 'text');
  return isAnswered(exchange);
}

async function endWithin(
  world: World,
  service: StartedService,
  milliseconds: number,
): Promise<ProcessEnd | undefined> {
  const { client } = world;
  const until = client.now() + milliseconds;
  while (service.ended() === undefined && client.now() < until) {
    await client.deadline.pause(POLL_MS);
  }
  return service.ended();
}

/** Finds and records the request that ended a service, and returns the Stop that names it. */
async function stopAfterEnd(
  world: World,
  service: StartedService,
  { end, sent, suspect }: { end: ProcessEnd; sent: Exchange[]; suspect: Exchange | undefined },
): Promise<Stop> {
  const text = `the service ended${endText(end)}`;
  const suspects = suspect ? [suspect] : [...lastAnswered(sent), ...suspectsIn(sent)];
  const culprit = await findCulprit(world, service, suspects);
  if (culprit) world.history.outages.push({ ...culprit, text });
  world.client.gone = text;
  const shown = culprit ? [culprit.exchange, culprit.again] : sent.slice(-MOST_NAMED);
  return stopBecause(text, shown, sent);
}

/** Returns the last requests with a response: a process may end after its response. */
function lastAnswered(sent: readonly Exchange[]): Exchange[] {
  const answered = sent.filter(isAnswered);
  answered.sort((a, b) => endOf(a) - endOf(b));
  return answered.slice(-MOST_SUSPECTS);
}

/** Returns the requests without a response in the order of sending: they were in flight. */
function suspectsIn(sent: readonly Exchange[]): Exchange[] {
  const lost = sent.filter(isWithoutResponse);
  lost.sort((a, b) => a.at - b.at);
  return lost.slice(0, MOST_SUSPECTS);
}

/** A request after which a service ended, and the retry after which it ended again. */
interface Culprit {
  exchange: Exchange;
  again: Exchange;
}

/**
 * Starts the service again and sends suspects until one ends it again. Returns that one; undefined
 * if none does, or if the service also ends by itself.
 */
async function findCulprit(
  world: World,
  service: StartedService,
  suspects: readonly Exchange[],
): Promise<Culprit | undefined> {
  try {
    await startAgain(world, service);
    const begin = world.client.now();
    for (const exchange of suspects) {
      const again = await sendAgain(world, exchange);
      const patience = isAnswered(again) ? AFTER_RESPONSE_MS / suspects.length : END_MS;
      const end = await endWithin(world, service, patience);
      if (end === undefined) continue;
      const took = world.client.now() - begin;
      await startAgain(world, service);
      const endByItself = await endWithin(world, service, took + MARGIN_MS);
      return endByItself ? undefined : { exchange, again };
    }
  } catch {
    // The run is over, or the service can't be started again: the culprit stays unknown.
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

async function sendAgain(world: World, { request }: Exchange): Promise<Exchange> {
  const { exchange } = await world.send({ ...request, connection: 'new' }, 'text');
  return exchange;
}

function stopBecause(text: string, shown: readonly Exchange[], sent: readonly Exchange[]): Stop {
  const named = sent.some(isAnswered) ? sent : shown;
  const reason = `${text}; the last requests before: ${namesOf(named)}`;
  return new Stop({ reason, by: 'service', exchanges: [...shown] });
}

/** Names the last of some requests. */
export function namesOf(exchanges: readonly Exchange[]): string {
  const last = exchanges.slice(-MOST_NAMED);
  return last.map(({ request }) => `${request.method} ${shorten(request.path, 80)}`).join(', ');
}

function stopAfterOutage(
  world: World,
  text: string,
  sent: readonly Exchange[],
  suspect: Exchange | undefined,
): Stop {
  if (suspect === undefined) return stopBecause(text, sent.slice(-1), sent);
  if (!wasSlowBefore(world, suspect)) world.history.outages.push({ exchange: suspect, text });
  return stopBecause(text, [suspect], sent);
}

/** Records an outage if one of the suspects makes the target unavailable twice more. */
async function confirmOutage(world: World, suspects: readonly Exchange[]): Promise<void> {
  const safe = suspects.filter((exchange) => isSafeToRepeat(world, exchange));
  for (const exchange of safe) {
    const once = await sendAndDetectOutage(world, exchange);
    const again = once && (await sendAndDetectOutage(world, exchange));
    if (again) {
      world.history.outages.push({ exchange, again, text: 'no response for a moment' });
      return;
    }
  }
}

/** Whether a request creates no user twice: a creation may have been carried out the first time. */
function isSafeToRepeat({ ledger }: World, { id, request }: Exchange): boolean {
  if (request.method === 'GET' || isAborted(request)) return true;
  return ledger.creationOf(id)?.expected === 'rejected';
}

/** Sends a request once more. Returns its exchange if the target was unavailable after it. */
async function sendAndDetectOutage(
  world: World,
  exchange: Exchange,
): Promise<Exchange | undefined> {
  const { outages } = world.client.presence;
  const before = outages.length;
  const again = await sendAgain(world, exchange);
  // The client notices an outage only when it sends a valid request.
  await isResponding(world);
  return outages.length > before ? again : undefined;
}
