import { constants, gzipSync } from 'node:zlib';
import type { Evidence } from '../conduct/again.ts';
import type { Reproduction } from '../conduct/drawn.ts';
import type { CreatedUser, Tally } from '../conduct/tally.ts';
import type { ShownExchange } from '../http/exchange.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Report } from './report.ts';
import { inertJson } from './text.ts';

/** An exchange with the slugs of the requirements whose evidence it is. */
export type TracedExchange = { exchange: ShownExchange; requirements: string[] };

/** Puts the exchanges of a run together with the requirements that they are evidence of. Pure. */
export function trace(
  record: readonly ShownExchange[],
  outcomes: readonly Pick<Outcome, 'slug' | 'lookedAt' | 'exchanges'>[],
): TracedExchange[] {
  const found = new Map(
    record.map((exchange): [number, TracedExchange] => [exchange.id, { exchange, requirements: [] }]),
  );
  for (const { slug, lookedAt, exchanges } of outcomes) {
    for (const id of new Set([...lookedAt, ...exchanges.map((one) => one.id)])) found.get(id)?.requirements.push(slug);
  }
  return [...found.values()];
}

/** What came of a whole run: plain data, without the key, of which every report is made. */
export interface RunResult extends Pick<RunFile, 'created' | 'faults'> {
  report: Report;
  /** Every exchange, with the requirements whose evidence it is. */
  traced: TracedExchange[];
  /** What it takes to judge the run again; absent where the suite crashed before its end. */
  run?: RunFile;
}

/** The shape of the evidence: it counts up when a run that was written before can no longer be judged. */
export const FORMAT = 1;

/** A run that is over, but for its evidence. Plain JSON, without the key. Its obstacle is a clause or a sentence. */
export interface RunFacts extends Pick<Report, 'suite' | 'target' | 'start' | 'duration' | 'obstacle' | 'coverage'> {
  readOnly: boolean;
  tally: Tally;
}

/** A run as it can be judged again, `run.json.gz`: see schemas/run.schema.json. */
export interface RunFile extends RunFacts, Evidence {
  format: number;
  /** What a filter of the run left out: slugs. */
  leftOut: string[];
  /** Who was created, for whoever cleans up. */
  created: CreatedUser[];
  /** By slug. */
  reproductions?: Record<string, Reproduction>;
  /** Why the suite itself crashed, a sentence each; the report says what was judged by then. */
  faults: string[];
}

/** Bytes of such a file, and of what is in it: a usual run has 40 kB and 250 kB. */
export const LIMIT = { file: 16 * 2 ** 20, text: 64 * 2 ** 20 };

/** The bytes of the file. Throws where it would be too large to be read again. */
export function gzipped(run: RunFile): Buffer {
  const text = Buffer.from(inertJson(run, 0));
  const file = gzipSync(text, { level: constants.Z_BEST_SPEED });
  if (text.length > LIMIT.text || file.length > LIMIT.file) throw new Error('it is too large to be read again');
  return file;
}
