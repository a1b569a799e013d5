import type { Stopped } from '../history/history.ts';
import { type Exchange, isAborted, isAnswered } from '../http/exchange.ts';
import { wasSlowBefore } from './slowness.ts';
import type { World } from './world.ts';

/** The end of a process: an exit code or a signal. Both are null if the cause is unknown. */
export interface ProcessEnd {
  code: number | null;
  signal: string | null;
}

/** The service, if the suite has started it (`--start`). */
export interface StartedService {
  /** Returns how the command ended; undefined while one of its processes runs. */
  ended(): ProcessEnd | undefined;
  /** Returns lines for the terminal on ends during the run, each once. */
  takeEnds?(): Promise<string[]>;
  /**
   * Ends all processes of the service, starts it again and waits for a response. Rejects with a
   * sentence if there is none.
   */
  restart(): Promise<void>;
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
/** The pause between two checks of the process. */
const POLL_MS = 20;
/** Requests that a sentence names, at most. */
const MOST_NAMED = 3;

/** Returns text such as ` with exit code 1` or ` by SIGKILL`; empty if the cause is unknown. */
export function endText({ code, signal }: ProcessEnd): string {
  if (code !== null) return ` with exit code ${code}`;
  return signal === null ? '' : ` by ${signal}`;
}

/**
 * Throws Stop if the target is gone. `begin` is the number of exchanges before the requests that
 * may have caused it; `suspect` is the only one of them that was sent with nothing else in flight.
 * Without it, the last requests are named and nothing is blamed.
 */
export async function checkPresence(
  world: World,
  begin: number,
  suspect?: Exchange,
): Promise<void> {
  const { client, service, history } = world;
  const sent = client.record.slice(begin).filter(({ attempts }) => attempts > 0);
  const end = service && (await endOf(world, service, sent));
  if (end) {
    const text = `the service ended${endText(end)}`;
    const reason = client.gone === undefined ? text : `${text}, and ${client.gone}`;
    const again = suspect && (await endsAgain(world, service, suspect));
    if (suspect && again) history.outages.push({ exchange: suspect, again, text });
    client.gone = text;
    throw stopFor(reason, again ? [suspect, again] : sent.slice(-MOST_NAMED), sent);
  }
  if (client.gone === undefined) return;
  if (suspect && !wasSlowBefore(world, suspect)) {
    history.outages.push({ exchange: suspect, text: client.gone });
  }
  throw stopFor(client.gone, suspect ? [suspect] : sent.slice(-1), sent);
}

/** Returns how a started service ended. Waits for the end if a request got no response. */
async function endOf(
  world: World,
  service: StartedService,
  sent: readonly Exchange[],
): Promise<ProcessEnd | undefined> {
  const isAnyLost = sent.some((exchange) => !isAnswered(exchange) && !isAborted(exchange.request));
  const isDoubtful = world.client.gone !== undefined || (isAnyLost && !(await isResponding(world)));
  return isDoubtful ? endWithin(world, service, END_MS) : service.ended();
}

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

/** Times that a suspect is sent to a new process: as a duplicate it needs the first user. */
const TIMES_AGAIN = 2;

/**
 * Starts the service again and sends the suspect to it. Returns the exchange after which the service
 * ends again; undefined if it does not, or also ends by itself.
 */
async function endsAgain(
  world: World,
  service: StartedService,
  { request }: Exchange,
): Promise<Exchange | undefined> {
  try {
    await startAgain(world, service);
    if (await endWithin(world, service, END_MS)) return undefined;
    for (let times = 0; times < TIMES_AGAIN; times += 1) {
      const { exchange } = await world.send({ ...request, connection: 'new' }, 'text');
      if (await endWithin(world, service, END_MS)) return exchange;
    }
  } catch {
    // The run is over, or the service can't be started again.
  }
  return undefined;
}

/** Starts a started service again after it has ended. Returns whether it responds. */
export async function isBack(world: World): Promise<boolean> {
  const { service } = world;
  if (service?.ended() === undefined) return false;
  return startAgain(world, service).then(
    () => true,
    () => false,
  );
}

async function startAgain(world: World, service: StartedService): Promise<void> {
  const { client } = world;
  world.checkedOperations = undefined;
  const { signal } = client.deadline;
  client.deadline.check();
  const over = new Promise((end) => signal.addEventListener('abort', end, { once: true }));
  await Promise.race([service.restart(), over]);
  client.deadline.check();
  client.gone = undefined;
}

function stopFor(text: string, shown: readonly Exchange[], sent: readonly Exchange[]): Stop {
  const named = sent.some(isAnswered) ? sent : shown;
  const reason = `${text}; the last requests before: ${namesOf(named)}`;
  return new Stop({ reason, by: 'service', exchanges: [...shown] });
}

/** Names the last of some requests. */
export function namesOf(exchanges: readonly Exchange[]): string {
  const last = exchanges.slice(-MOST_NAMED);
  return last.map(({ request }) => `${request.method} ${request.path}`).join(', ');
}
