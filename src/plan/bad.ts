import type { Answer, Request } from '../http/exchange.ts';
import type { Wanted } from '../http/wire.ts';
import type { Creation } from './ledger.ts';
import type { Run } from './run.ts';

/** A request that no conforming service carries out. */
export interface Bad {
  request: Request;
  /** Of a creation, what would show in a user that is made all the same. */
  draft?: Omit<Creation, 'exchange' | 'answered'>;
}

export type BadCreation = Required<Bad>;

/** Sends a bad request and notes that it is one. Throws Missing where it is a creation, and nothing may be created. */
export async function sendBad<B extends Bad>(
  run: Run,
  { request, draft }: B,
  wanted: Wanted = 'text',
): Promise<{ answer: Answer; creation: B extends BadCreation ? Creation : Creation | undefined }> {
  const [creation, answer] = draft ? await run.create(draft, request) : [undefined, await run.send(request, wanted)];
  run.bad.add(answer.exchange.id);
  return { answer, creation: creation as Creation };
}
