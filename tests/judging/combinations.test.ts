import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { oneOf } from '../services/sample.ts';
import { combinations, nameOf } from '../services/variants/combined.ts';
import { COMBINATIONS } from '../services/variants/index.ts';

/** Another seed tries other combinations; the same one repeats them. */
const SEED = Number(process.env.COMBINATIONS_SEED ?? COMBINATIONS.seed);

describe.concurrent(`combined choices, seed ${SEED}`, () => {
  const all = fc
    .sample(combinations(2, 3), { numRuns: COMBINATIONS.runs, seed: SEED })
    .map((combined) => ({ combined, name: nameOf(combined) }));

  test.for(oneOf(16, all))('$name', async ({ combined, name }) => {
    const service = await startHere(...combined.map(({ patch }) => patch));
    const run = await judgeKept(service).finally(service.close);
    expect([...run.reasons('failed', 'MUST'), ...run.reasons('not-verified')], name).toEqual([]);
  });
});
