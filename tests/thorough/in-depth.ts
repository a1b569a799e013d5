import { expect } from 'vitest';
import { judgeThoroughly } from '../run.ts';
import { startHere } from '../services/here.ts';
import { nameOf } from '../services/variants/combined.ts';
import type { Variant } from '../services/variants/variant.ts';

/** Three seeds, or the first DEEP_SEEDS of them. */
const SEEDS = [1, 2, 3].slice(0, Number(process.env.DEEP_SEEDS ?? 3));

/** Expects that a thorough run finds no fault with a service that makes these choices. */
export async function conformsInDepth(combined: readonly Variant[]): Promise<void> {
  const name = nameOf(combined);
  const [first] = combined;
  for (const seed of SEEDS) {
    const service = await startHere(...combined.map(({ patch }) => patch));
    const changes = { deadlineMs: 240_000, ...first?.settings };
    const run = await judgeThoroughly(service, seed, { pauseMs: 1 }, changes).finally(
      service.close,
    );
    const wrong = [...run.reasons('failed', 'MUST'), ...run.reasons('not-verified')];
    expect(wrong, `${name}, seed ${seed}`).toEqual([]);
    if (combined.length > 1) continue;
    const allowed = [...(first?.breaks ?? []), ...(first?.breaksInDepth ?? [])];
    const others = run.slugs('failed', 'SHOULD').filter((slug) => !allowed.includes(slug));
    const reasons = run.reasons('failed').join('\n');
    expect(others, `${name}, seed ${seed}:\n${reasons}`).toEqual([]);
  }
}
