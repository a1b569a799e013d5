import { type Answer, type Exchange, isAnswered, type Request, slowest } from '../http/exchange.ts';
import type { Wanted } from '../http/wire.ts';
import type { Context } from './context.ts';
import type { Creation, Draft } from './ledger.ts';
import { type CaseStep, caseStep, type Given, type Needs, type Part } from './step.ts';

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

interface BadPart<C, Y, N> extends Omit<Part<C, Y, N>, 'each' | 'alone' | 'bad'> {
  /** Carries out one case; `before` is what came of it among others, where that was wrong. */
  each: (run: Context, one: C, given: Given<N>, before?: Y) => Promise<Y>;
  /** Whether what came of a case is right; absent: where the service has not failed. */
  isRight?: (found: Y, one: C) => boolean;
}

/** Declares a step of bad requests. What is wrong among others is sent once more, alone, and that is what it yields. */
export function badStep<C, Y extends { exchange: Exchange; status: number }, N extends Needs>({
  each,
  isRight = (found) => !isFailure(found),
  ...common
}: BadPart<C, Y, N>): CaseStep<C, Y> {
  return caseStep<C, Y, N>({
    ...common,
    bad: true,
    each: (run, one, given) => each(run, one, given),
    alone: async (run, one, found, given) => {
      if (isRight(found, one)) return found;
      const again = await each(run, one, given, found);
      // Another request has upset it.
      if (isFailure(found) && !isFailure(again)) run.upset.push(found.exchange);
      return again;
    },
  });
}

/** Whether the service itself failed by a request. */
export const isFailure = ({ status }: { status: number }) => status >= 500 && status !== 503;
