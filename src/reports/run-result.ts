import { constants, gzipSync } from 'node:zlib';
import type { WrittenHistory } from '../history/file.ts';
import type { ShownExchange } from '../http/exchange.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { CreatedUser } from '../run/tally.ts';
import { isBeyondLimits, LIMIT } from './limits.ts';
import type { Report, RunFacts } from './report.ts';
import { sanitizedJson } from './text.ts';

/** An exchange with the slugs of the requirements that it is evidence for. */
export interface TracedExchange {
  exchange: ShownExchange;
  requirements: string[];
}

/** Adds to each exchange of a run the requirements that it is evidence for. Pure. */
export function trace(
  record: readonly ShownExchange[],
  outcomes: readonly Outcome[],
): TracedExchange[] {
  const traced = new Map<number, TracedExchange>();
  for (const exchange of record) traced.set(exchange.id, { exchange, requirements: [] });
  for (const { slug, lookedAt, exchanges } of outcomes) {
    const evidence = new Set([...lookedAt, ...exchanges.map(({ id }) => id)]);
    for (const id of evidence) traced.get(id)?.requirements.push(slug);
  }
  return [...traced.values()];
}

/** Guides by the slugs of their requirements. */
export type Guides = Readonly<Record<string, { html: string }>>;

/** The result of a run: plain data, without the key. Every report is made from it. */
export interface RunResult extends Pick<RunFile, 'created' | 'faults'> {
  report: Report;
  /** Every exchange, with the requirements that it is evidence for. */
  traced: TracedExchange[];
  /** The file to judge the run again; absent if the suite crashed before the end of the run. */
  run?: RunFile;
  /** Guides by the slugs of their requirements; absent if nothing failed. */
  guides?: Guides;
}

/**
 * The version of `run.json.gz`. It increases when a version of the suite can no longer judge older
 * files.
 */
export const FORMAT = 4;

/** The file to judge a run again, `run.json.gz`: see schemas/run.schema.json. */
export interface RunFile extends RunFacts {
  format: number;
  /** The slugs that a filter left out of the run. */
  leftOut: string[];
  /** The users that the run created, for cleaning up. */
  created: CreatedUser[];
  /** Everything that the checks read. */
  history: WrittenHistory;
  /** The errors of the suite itself, a sentence each; the report has the outcomes before them. */
  faults: string[];
}

/** Returns the bytes of the file. Throws if it would be too large to be read again. */
export function gzipped(run: RunFile): Buffer {
  const text = Buffer.from(sanitizedJson(run, 0));
  const file = gzipSync(text, { level: constants.Z_BEST_SPEED });
  if (isBeyondLimits(text) || file.length > LIMIT.compressedBytes)
    throw new Error('it is too large to be read again');
  return file;
}
