import { type Exchange, isAnswered } from '../../http/exchange.ts';
import type { Context } from '../context.ts';
import { PlanEnd } from '../evidence.ts';
import { isReadable } from '../look.ts';
import { isFine } from '../record.ts';
import { readAgain } from '../seek.ts';
import { named } from '../service-end.ts';
import { step } from '../step.ts';

/**
 * Throws PlanEnd where the service no longer answers valid requests: neither a user whom it has answered before, nor the
 * list. What was never answered as it should be was not lost.
 */
export async function mustStillBeThere(run: Context): Promise<void> {
  const wasFine = run.ledger.proven.length > 0 || run.lists.some(isReadable);
  const failed = wasFine ? await failedRead(run) : undefined;
  if (failed === undefined || isReadable(await run.look({}, { ...run.listing(), connection: 'new' }))) return;
  const why = `the service no longer answers valid requests${failed.failure ? `: ${failed.failure}` : ''}`;
  const sent = run.client.record.filter((one) => one.id < failed.id && (isAnswered(one) || run.bad.has(one.id)));
  throw new PlanEnd('service', `${why}; the last requests before: ${named(sent.slice(-NAMED))}`, [failed]);
}

/** How many of the last requests are named. */
const NAMED = 3;

/** A valid request, to end what many bad ones were sent in. */
export const stillThere = step({ name: 'whether the service is still there', needs: {}, take: mustStillBeThere });

/** Retrieves the first user; the exchange where that failed. Where there is no user, the list has to do. */
async function failedRead(run: Context): Promise<Exchange | undefined> {
  const [user] = run.ledger.proven;
  if (user === undefined) {
    const look = await run.look();
    return isReadable(look) ? undefined : look.exchange;
  }
  const read = await readAgain(run, user, 'new');
  return isFine(read) ? undefined : read.exchange;
}
