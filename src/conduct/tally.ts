import { endOf, isAnswered } from '../http/exchange.ts';
import type { Run } from '../plan/run.ts';
import type { Explored } from './explore.ts';

/** What a run counts and observes, for the reports. */
export type Tally = ReturnType<typeof tallyOf>;

/** A user that a run has created, or may have: no identifier was found then. */
export type CreatedUser = ReturnType<typeof createdBy>[number];

/** Who was created, by what is known of them. */
export function createdBy({ ledger, client }: Run) {
  return ledger.creations.flatMap(({ answered, exchange, identifier, user }) => {
    if (exchange === undefined || answered === 'refused') return [];
    const found = identifier && { identifier: client.secrets.redact(identifier.text) };
    return [{ ...found, email: client.secrets.redact(`${user.email}`) }];
  });
}

/** Counts what a run has sent. */
export function tallyOf({ client, factory, ledger, observations }: Run) {
  const inHeader = client.record.some(({ response }) => response?.keyInHeader);
  if (inHeader) observations.set('key in a response', new Set(['in a header']));
  if (client.pace.whyFew) observations.set('requests at once', new Set([`few: ${client.pace.whyFew}`]));
  const observed = [...observations].map(([name, values]) => [name, [...values].sort()] as const);
  return {
    tag: factory.tag,
    /** When the run began: milliseconds since 1970. */
    start: client.started.getTime(),
    requests: client.requestsSent,
    usersCreated: usersCreated({ ledger }),
    /** What the service has chosen where the interface leaves it open: a name, and the values seen. */
    observations: Object.fromEntries(observed.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const usersCreated = ({ ledger }: Pick<Run, 'ledger'>) =>
  ledger.creations.filter(({ answered, exchange }) => exchange && answered === 'created').length;

/** How deep a thorough run looked. */
export type Coverage = ReturnType<typeof coverageOf>;

/** Tells what an exploration covered, and how deep the whole run went. Pure. */
export function coverageOf(run: Run, { covered }: Explored) {
  const { mostAtOnce, longestPauseMs } = depthOf(run.record);
  const creations = run.record.filter((one) => one.request.method === 'POST' && isAnswered(one));
  const inFlight = depthOf(creations.map(({ at, wait = 0 }) => ({ at, duration: wait })));
  return {
    ...covered,
    /** Users that the whole run created. */
    users: usersCreated(run),
    /** Items of the longest list that was seen. */
    widestPage: run.looks.reduce((most, { shown }) => (shown > most ? shown : most), 0),
    /** The most requests that were in flight at once. */
    mostAtOnce,
    /** The most creations that were in flight at once: sent whole, and the head of the answer not there. */
    creationsAtOnce: inFlight.mostAtOnce,
    /** The longest time without any request. Milliseconds. */
    longestPauseMs,
  };
}

/** How many spans of time overlapped, and for how long there was none. */
function depthOf(spans: readonly { at: number; duration: number }[]): { mostAtOnce: number; longestPauseMs: number } {
  const changes = spans
    .flatMap((one) => [
      { time: one.at, by: 1 },
      { time: endOf(one), by: -1 },
    ])
    // What ends as another begins does not overlap it.
    .sort((a, b) => a.time - b.time || a.by - b.by);
  let [underWay, mostAtOnce, longestPauseMs, idleSince] = [0, 0, 0, 0];
  for (const { time, by } of changes) {
    if (underWay === 0) longestPauseMs = Math.max(longestPauseMs, time - idleSince);
    underWay += by;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    if (underWay === 0) idleSince = time;
  }
  return { mostAtOnce, longestPauseMs };
}
