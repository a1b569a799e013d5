import type { CreatedUser } from '../conduct/tally.ts';
import type { ShownExchange } from '../http/exchange.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Report } from './report.ts';
import type { RunFile } from './run-file.ts';

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

/** What came of a whole run: plain data, without the key, of which every report is made. */
export interface RunResult {
  report: Report;
  /** Every exchange, with the requirements whose evidence it is. */
  traced: TracedExchange[];
  /** Who was created, for whoever cleans up. */
  created: CreatedUser[];
  /** Why the suite itself crashed, a sentence each; the report says what was judged by then. */
  faults: string[];
  /** What it takes to judge the run again; absent where the suite crashed before its end. */
  run?: RunFile;
}
