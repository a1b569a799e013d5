import type { ShownExchange } from '../http/exchange.ts';
import type { Outcome } from '../requirement/outcome.ts';

/** An exchange with the slugs of the requirements whose evidence it is. */
export interface TracedExchange {
  exchange: ShownExchange;
  requirements: string[];
}

/** Puts the exchanges of a run together with the requirements that they are evidence of. Pure. */
export function trace(
  record: readonly ShownExchange[],
  outcomes: readonly Pick<Outcome, 'slug' | 'lookedAt' | 'exchanges'>[],
): TracedExchange[] {
  const found = new Map(record.map((exchange) => [exchange.id, { exchange, requirements: [] as string[] }]));
  for (const { slug, lookedAt, exchanges } of outcomes) {
    for (const id of new Set([...lookedAt, ...exchanges.map((one) => one.id)])) found.get(id)?.requirements.push(slug);
  }
  return [...found.values()];
}
