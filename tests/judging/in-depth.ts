import { expect } from 'vitest';
import { judgeThoroughly } from '../run.ts';
import { startHere } from '../services/here.ts';
import { isThorough } from '../services/sample.ts';
import type { variants } from '../services/variants/index.ts';

/** `npm run test:thorough`: by three seeds, or by DEEP_SEEDS of them. Else by one, and not as deep. */
const SEEDS = isThorough ? [1, 2, 3].slice(0, Number(process.env.DEEP_SEEDS ?? 3)) : [2026];

/** Expects that a thorough run finds no fault with a service that makes these choices. */
export async function conformsInDepth({ combined, name }: { combined: typeof variants; name: string }): Promise<void> {
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
}
