import { expect } from 'vitest';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { nameOf } from '../services/variants/combined.ts';
import type { Variant } from '../services/variants/variant.ts';

/** Expects that a run finds no fault with a service that makes several choices. */
export async function conformsCombined(combined: readonly Variant[]): Promise<void> {
  const service = await startHere(...combined.map(({ patch }) => patch));
  const run = await judgeKept(service).finally(service.close);
  const wrong = [...run.reasons('failed', 'MUST'), ...run.reasons('not-verified')];
  expect(wrong, nameOf(combined)).toEqual([]);
}
