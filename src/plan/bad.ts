import { type Answer, type Exchange, isAnswered, type Request, slowest } from '../http/exchange.ts';
import type { Wanted } from '../http/wire.ts';
import type { Context } from './context.ts';
import type { Creation, Draft } from './ledger.ts';

/** A request that no conforming service carries out. */
export interface Bad {
  request: Request;
  /** Of a creation, what would show in a user that is made all the same. */
  draft?: Draft;
}

export type BadCreation = Required<Bad>;

/** Sends a bad request and notes that it is one. Throws Missing where it is a creation, and nothing may be created. */
export async function sendBad<B extends Bad>(
  run: Context,
  { request, draft }: B,
  wanted: Wanted = 'text',
  patienceMs?: number,
): Promise<{ answer: Answer; creation: B extends BadCreation ? Creation : Creation | undefined }> {
  const sent = draft
    ? await run.create(draft, request, patienceMs)
    : { creation: undefined, answer: await run.send(request, wanted, patienceMs) };
  run.bad.add(sent.answer.exchange.id);
  return sent as { answer: Answer; creation: Creation };
}

/** How long the answer to a malformed request may take: so many times as long as any so far, but some time. */
const PATIENCE = { times: 20, leastMs: 2000 };

/** The time for it in milliseconds: an answer that never comes must not hold up a run whose other answers come at once. */
export function patienceOf({ client }: Context): number {
  return Math.min(
    client.timeoutMs,
    Math.max(PATIENCE.leastMs, PATIENCE.times * slowest(client.record.filter(isAnswered))),
  );
}

/**
 * Sends a bad request once more, when nothing else is in flight, where the service failed (500) by it. What is right then was
 * upset by another one.
 */
export async function onceMore<T extends { exchange: Exchange; status: number }>(
  run: Context,
  found: T,
  same: () => Promise<T>,
): Promise<T> {
  if (!isFailure(found)) return found;
  const again = await same();
  if (!isFailure(again)) run.upset.push(found.exchange);
  return again;
}

/** Whether the service itself failed by a request. */
export const isFailure = ({ status }: { status: number }) => status >= 500 && status !== 503;
