import { type Exchange, isAnswered } from '../http/exchange.ts';
import type { Outage } from '../http/presence.ts';
import type { Run } from './run.ts';

/** A request after which the target was away for a moment: when it was sent first, and when it was sent once more. */
export interface Culprit {
  first: Exchange;
  again: Exchange;
}

/** How many requests are sent once more. */
const SUSPECTS = 40;

/** How many of the requests that were answered last before an outage are among its suspects. */
const ANSWERED = 4;

/**
 * Sends once more, one at a time, what may have ended a service that was brought back since: bad requests and such creations as
 * it may refuse. The first after which it is away again is the culprit; where there is none, nothing is said of it. `since` is
 * the number of outages that were looked into before.
 */
export async function findCulprits(run: Run, since: number): Promise<void> {
  const { outages } = run.client.presence;
  if (outages.length === since) return;
  for (const first of suspectsOf(run, outages.slice(since))) {
    const before = outages.length;
    const again = await sendOnceMore(run, first);
    await run.send({ ...run.listing(), connection: 'new' }, 'text');
    if (outages.length === before) continue;
    run.culprits.push({ first, again });
    return;
  }
}

/** What was under way when the service went away, what was lost most often first; and what it answered last before. */
function suspectsOf({ client, bad, ledger }: Run, outages: readonly Outage[]): Exchange[] {
  // A user who was created would be there twice.
  const mayBe = ledger.creations.filter(({ fate, answered }) => fate === 'may' && answered !== 'created');
  const creations = mayBe.flatMap(({ exchange }) => exchange?.id ?? []);
  const mayEnd = new Set([...bad, ...creations]);
  const all = client.record.filter(({ id, request }) => mayEnd.has(id) && request.framing !== 'aborted');
  const of = ({ since, until }: Outage) => {
    const isBefore = (one: Exchange) => one.at + one.duration <= since;
    const lost = all.filter((one) => !isAnswered(one) && !isBefore(one) && one.at <= until);
    return [...lost, ...all.filter((one) => isAnswered(one) && isBefore(one)).slice(-ANSWERED)];
  };
  const distinct = [...new Set(outages.flatMap(of))];
  return distinct.sort((a, b) => (b.lost ?? 0) - (a.lost ?? 0) || a.id - b.id).slice(0, SUSPECTS);
}

async function sendOnceMore(run: Run, { id, request }: Exchange): Promise<Exchange> {
  const again = { ...request, connection: 'new' as const };
  const creation = run.ledger.creations.find(({ exchange }) => exchange?.id === id);
  if (creation === undefined) return (await run.send(again, 'text')).exchange;
  const { what, user, traces } = creation;
  const { answer } = await run.create({ what, fate: 'may', inCompany: true, user, traces }, again);
  return answer.exchange;
}
