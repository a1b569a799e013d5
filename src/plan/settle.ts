import type { Connection } from '../http/exchange.ts';
import type { Context } from './context.ts';
import { type Creation, endOf } from './ledger.ts';
import { isContradictory, isPaged, type Look } from './look.ts';

/** Whether a user was retrieved, or must have been made, and was answered before this list was asked for. */
export function isDueIn({ exchange }: Look, creation: Creation): boolean {
  const { identifier, fate, answered } = creation;
  const isDue = identifier !== undefined || (fate === 'must' && answered === 'created');
  return isDue && (creation.exchange?.id ?? 0) < exchange.id && endOf(creation) <= exchange.at;
}

/**
 * Reads the list until the list shows what it must: every user that was retrieved, or that it must have
 * made, at least as many as before, and no contradiction within itself. What it shows when the settle time has passed is what
 * is judged.
 */
export async function settledLook(run: Context, before: Look, connection: Connection = 'kept'): Promise<Look> {
  const { creations } = run.ledger;
  const isSettled = (look: Look) => {
    const due = creations.filter((creation) => isDueIn(look, creation));
    // What was sent while the list before was fetched may be in that one or not.
    const seen = before.exchange.at + before.exchange.duration;
    const made = due.filter(
      ({ exchange }) => exchange && exchange.id > before.exchange.id && exchange.at >= seen,
    ).length;
    if (isContradictory(look) || look.total < before.total + made) return false;
    return isPaged(look) || due.every((creation) => look.ours.get(creation)?.length === 1);
  };
  for (;;) {
    const since = run.ledger.lastEnd();
    const look = await run.lookUntil(isSettled, since, () => run.look({}, { ...run.listing(), connection }));
    // A user who was created meanwhile has the settle time, too.
    if (isSettled(look) || run.ledger.lastEnd() === since) return look;
  }
}

/** Waits until nothing of ours is younger than the settle time: no replica is behind then. */
export function untilSettled({ client, ledger, settings }: Context): Promise<void> {
  return client.deadline.pause(ledger.lastEnd() + settings.settleMs - client.now());
}
