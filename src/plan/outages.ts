import { type Exchange, isAnswered } from '../http/exchange.ts';
import type { Outage } from '../http/presence.ts';
import type { Run } from './run.ts';

/** A request after which the target was away for a moment: when it was sent first, and when it was sent once more. */
export interface Culprit {
  first: Exchange;
  again: Exchange;
}

/** How many outages are looked into, and how many requests of each are sent once more. */
const OUTAGES = 2;
const SUSPECTS = 40;

/** How many of the requests that were answered last before an outage are among its suspects. */
const ANSWERED = 4;

/**
 * Sends once more, one at a time, what may have ended a service that was brought back since: bad requests and such creations as
 * it may refuse. The first after which it is away again is the culprit; where there is none, the outage says nothing of it.
 */
export async function findCulprits(run: Run, since: number): Promise<void> {
  const { outages } = run.client.presence;
  for (const outage of outages.slice(since, since + OUTAGES)) {
    for (const first of suspectsOf(run, outage)) {
      const before = outages.length;
      const again = await sendOnceMore(run, first);
      await run.send({ ...run.listing(), connection: 'new' }, 'text');
      if (outages.length > before) {
        run.culprits.push({ first, again });
        return;
      }
    }
  }
}

/** What was answered last before an outage, and what was under way when it began, in the order in which it was sent. */
function suspectsOf({ client, bad, ledger }: Run, { since, until }: Outage): Exchange[] {
  const creations = ledger.creations.filter(({ fate }) => fate === 'may').flatMap(({ exchange }) => exchange?.id ?? []);
  const mayEnd = new Set([...bad, ...creations]);
  const all = client.record.filter(({ id, request }) => mayEnd.has(id) && request.framing !== 'aborted');
  const isBefore = (one: Exchange) => one.at + one.duration <= since;
  const answered = all.filter((one) => isAnswered(one) && isBefore(one)).slice(-ANSWERED);
  const lost = all.filter((one) => !isAnswered(one) && !isBefore(one) && one.at <= until);
  return [...answered, ...lost].sort((a, b) => a.id - b.id).slice(0, SUSPECTS);
}

async function sendOnceMore(run: Run, { id, request }: Exchange): Promise<Exchange> {
  const again = { ...request, connection: 'new' as const };
  const creation = run.ledger.creations.find(({ exchange }) => exchange?.id === id);
  if (creation === undefined) return (await run.send(again, 'text')).exchange;
  const { what, user, traces } = creation;
  const [, { exchange }] = await run.create({ what, fate: 'may', inCompany: true, user, traces }, again);
  return exchange;
}
