import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeThoroughly } from '../run.ts';
import { startHere } from '../services/here.ts';
import { isThorough } from '../services/sample.ts';
import { combinations, nameOf } from '../services/variants/combined.ts';
import { COMBINATIONS, variants } from '../services/variants/index.ts';

/** `npm run test:thorough`: every variant and many combinations, by three seeds. Else a few, by one. */
const SEEDS = isThorough ? [1, 2, 3].slice(0, Number(process.env.DEEP_SEEDS ?? 3)) : [2026];
const alone = variants.map((variant) => ({ combined: [variant], name: nameOf([variant]) }));
const combined = fc
  .sample(combinations(3, 3), { numRuns: isThorough ? 60 : 1, seed: COMBINATIONS.seed })
  .map((some) => ({ combined: some, name: nameOf(some) }));
/** What only depth has ever found fault with. */
const DOUBTFUL = 'lag: three replicas that lag each for itself';
const few = alone.filter(({ name }) => name === DOUBTFUL);
const tried = [...(isThorough ? alone : few), ...combined];

describe.concurrent('choices in depth', () => {
  test.for(tried)('$name', { timeout: 900_000 }, async ({ combined, name }) => {
    for (const seed of SEEDS) {
      const service = await startHere(...combined.map(({ patch }) => patch));
      const [{ settings = {} } = {}] = combined;
      const explored = isThorough ? {} : { rounds: 2, maxRequests: 1200, maxUsers: 120 };
      const changes = { deadlineMs: 240_000, ...settings };
      const run = await judgeThoroughly(service, seed, { pauseMs: 1, ...explored }, changes).finally(service.close);
      expect([...run.told('failed', 'MUST'), ...run.told('not-verified')], `${name}, seed ${seed}`).toEqual([]);
      const breaks = combined.flatMap((variant) => variant.breaks);
      const others = run.slugs('failed', 'SHOULD').filter((slug) => combined.length === 1 && !breaks.includes(slug));
      expect(others, `${name}, seed ${seed}:\n${run.told('failed').join('\n')}`).toEqual([]);
    }
  });
});
