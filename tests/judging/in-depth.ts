import { expect } from 'vitest';
import { judgeThoroughly } from '../run.ts';
import { startHere } from '../services/here.ts';
import { isThorough } from '../services/sample.ts';
import type { variants } from '../services/variants/index.ts';

/** `npm run test:thorough`: three seeds, or DEEP_SEEDS of them. Otherwise one, and not as deep. */
const SEEDS = isThorough ? [1, 2, 3].slice(0, Number(process.env.DEEP_SEEDS ?? 3)) : [2026];

/** In `npm test`. */
const SHALLOW = { maxRounds: 2, maxRequests: 4000, maxUsers: 500 };

/** Expects that a thorough run finds no fault with a service that makes these choices. */
export async function conformsInDepth({
  combined,
  name,
}: {
  combined: typeof variants;
  name: string;
}): Promise<void> {
  const [first] = combined;
  for (const seed of SEEDS) {
    const service = await startHere(...combined.map(({ patch }) => patch));
    const exploring = { pauseMs: 1, ...(isThorough ? {} : SHALLOW) };
    const changes = { deadlineMs: 240_000, ...first?.settings };
    const run = await judgeThoroughly(service, seed, exploring, changes).finally(service.close);
    const wrong = [...run.reasons('failed', 'MUST'), ...run.reasons('not-verified')];
    expect(wrong, `${name}, seed ${seed}`).toEqual([]);
    if (combined.length > 1) continue;
    const others = run.slugs('failed', 'SHOULD').filter((slug) => !first?.breaks.includes(slug));
    const reasons = run.reasons('failed').join('\n');
    expect(others, `${name}, seed ${seed}:\n${reasons}`).toEqual([]);
  }
}
