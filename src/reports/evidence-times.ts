import type { Report } from './report.ts';
import type { TracedExchange } from './run-result.ts';

/**
 * How much of a run each requirement took, in milliseconds, by slug. The run is shared out by how long the exchanges of the
 * evidence took; an exchange that several requirements look at counts for each of them in part. Merged reports hold the
 * exchanges of failures alone, so there each requirement has the same share. All of it adds up to the run. Pure.
 */
export function evidenceTimes(
  { duration, runs, requirements: rows }: Pick<Report, 'duration' | 'runs' | 'requirements'>,
  traced: TracedExchange[],
): Map<string, number> {
  if (runs !== undefined) return new Map(rows.map(({ id }) => [id, duration / rows.length]));
  const shares = new Map<string, number>();
  for (const { exchange, requirements } of traced) {
    for (const slug of requirements) {
      shares.set(slug, (shares.get(slug) ?? 0) + exchange.duration / requirements.length);
    }
  }
  const all = [...shares.values()].reduce((sum, share) => sum + share, 0);
  return new Map([...shares].map(([slug, share]) => [slug, all === 0 ? 0 : (share / all) * duration]));
}
