import fc from 'fast-check';
import { describe, test } from 'vitest';
import { isThorough } from '../services/sample.ts';
import { combinations, nameOf } from '../services/variants/combined.ts';
import { COMBINATIONS } from '../services/variants/index.ts';
import { conformsInDepth } from './in-depth.ts';

const SEED = Number(process.env.COMBINATIONS_SEED ?? COMBINATIONS.seed);
const combined = fc
  .sample(combinations(3, 3), { numRuns: isThorough ? 60 : 1, seed: SEED })
  .map((some) => ({ combined: some, name: nameOf(some) }));

describe.concurrent('combinations of choices in depth', () => {
  test.for(combined)('$name', { timeout: 900_000 }, conformsInDepth);
});
