import { type Exchange, endOf, isAnswered } from '../http/exchange.ts';
import { shorten } from '../http/value.ts';
import { Missing, present } from './evidence.ts';
import type { Run } from './run.ts';

/** How a process ended: by an exit code, or by a signal; neither where nobody knows. */
export interface ProcessEnd {
  code: number | null;
  signal: string | null;
}

/** The service, where the run's own side has started it (`--start`). */
export interface StartedService {
  /** How it ended; undefined as long as it runs. */
  ended(): ProcessEnd | undefined;
  /** Ends what is left of it, starts it again and waits until it answers. Rejects with a sentence where it does not. */
  restart(): Promise<void>;
  /**
   * Says in a clause that somebody else takes requests at its address; undefined where nobody does, or the system does
   * not tell.
   */
  stranger(): Promise<string | undefined>;
}

/** Such as ` with exit code 1` and ` by SIGKILL`; empty where nobody knows. */
export function endText({ code, signal }: ProcessEnd): string {
  if (code === null && signal === null) return '';
  return code === null ? ` by ${signal}` : ` with exit code ${code}`;
}

/** The end of a service that was started for the run. */
export type ServiceEnd = NonNullable<Run['ended']>;

/**
 * Milliseconds until a process is known to have ended when its connections are gone: a shell or npm may stand above it.
 */
const END_MS = 2000;
/** Milliseconds in which a request that was answered may still end the process. */
const LATER_MS = 300;
/** Milliseconds by which it may end later another time. */
const MARGIN_MS = 200;
/** Milliseconds between two looks. */
const LOOK_MS = 20;
/** How many requests that were answered last, and how many that were not, are sent once more. */
const [ANSWERED, LOST] = [256, 64];
/** How many of the last requests are named. */
const NAMED = 3;

/**
 * Finds out whether the service that was started for the run has ended, where it answers no more. If so, the plan is
 * given up, and nothing more is sent once it is known what ends it: it is started again and sent the last requests once
 * more, one at a time.
 */
export async function lookForServiceEnd(run: Run, service: StartedService | undefined): Promise<void> {
  const { client } = run;
  // In the order in which they ended.
  const sent = client.record.filter(({ attempts }) => attempts > 0).sort((a, b) => endOf(a) - endOf(b));
  const final = sent.at(-1);
  if (!service || run.ended || !final || isAnswered(final)) return;
  // Where the run is over, nobody knows.
  const end = await endWithin(run, service, END_MS).catch(() => undefined);
  if (!end) return;
  const last = lastOf(sent);
  // The run is over, or the service can't be started again: what is known by then has to do.
  const again = await againBy(run, service, last).catch(() => []);
  run.ended = { text: `the service ended${endText(end)}`, last: last.slice(-NAMED), again };
  client.gone = run.ended.text;
  run.stop(whyOpen(run.ended));
}

/** What can't be judged because the service has ended. */
export const whyOpen = ({ text, last, again }: ServiceEnd): Missing =>
  new Missing(`${text}; the last requests before: ${named(last)}`, again.length > 0 ? again : last);

/** The last of some exchanges in a few words. */
export function named(exchanges: readonly Exchange[]): string {
  const last = exchanges.slice(-NAMED);
  return last.map(({ request }) => `${request.method} ${shorten(request.path, 80)}`).join(', ');
}

/**
 * What ends the service again, when it is started again and sent requests once more; nothing where it ends by itself,
 * too.
 */
async function againBy(run: Run, service: StartedService, last: readonly Exchange[]): Promise<Exchange[]> {
  await startAgain(run, service);
  run.client.gone = undefined;
  const begin = performance.now();
  const sent = await sendAgain(run, service, last);
  const isEnded = await endWithin(run, service, sent.every(isAnswered) ? LATER_MS : END_MS);
  if (!isEnded) return [];
  const took = performance.now() - begin;
  await startAgain(run, service);
  return (await endWithin(run, service, took + MARGIN_MS)) ? [] : sent;
}

/** Starts the service again. Throws Ended where the run is over before it answers. */
async function startAgain({ client }: Run, service: StartedService): Promise<void> {
  const { signal } = client.deadline;
  client.deadline.check();
  const over = new Promise((end) => signal.addEventListener('abort', end, { once: true }));
  await Promise.race([service.restart(), over]);
  client.deadline.check();
}

/** The requests that were in flight at the end, after those that were answered last. */
function lastOf(sent: readonly Exchange[]): Exchange[] {
  const answered = sent.filter(isAnswered).slice(-ANSWERED);
  const since = answered.at(-1)?.at ?? 0;
  // Those that were sent first were in flight at the end; the later ones found nobody there.
  const lost = sent.filter((one) => !isAnswered(one) && endOf(one) >= since).sort((a, b) => a.at - b.at);
  return [...answered, ...lost.slice(0, LOST)].sort((a, b) => a.id - b.id);
}

/** Sends requests once more; returns the last that was answered and the first that was not. */
async function sendAgain(run: Run, service: StartedService, last: readonly Exchange[]): Promise<Exchange[]> {
  let before: Exchange | undefined;
  for (const { request } of last) {
    const { exchange } = await run.send({ ...request, connection: 'new' }, 'text');
    if (!isAnswered(exchange) && request.framing !== 'aborted') return present([before, exchange]);
    before = exchange;
    if (service.ended()) break;
  }
  return present([before]);
}

async function endWithin(run: Run, service: StartedService, milliseconds: number) {
  const until = performance.now() + milliseconds;
  while (service.ended() === undefined && performance.now() < until) await run.client.deadline.pause(LOOK_MS);
  return service.ended();
}
