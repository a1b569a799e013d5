import fc from 'fast-check';
import { describe, test } from 'vitest';
import { conformsCombined } from '../judging/combinations.ts';
import { combinations, nameOf } from '../services/variants/combined.ts';
import { COMBINATIONS } from '../services/variants/index.ts';
import type { Variant } from '../services/variants/variant.ts';
import { conformsInDepth } from './in-depth.ts';

/** The seed of the combinations. */
const SEED = Number(process.env.COMBINATIONS_SEED ?? COMBINATIONS.seed);

const titled = (least: number, most: number, numRuns: number): [string, Variant[]][] =>
  fc
    .sample(combinations(least, most), { numRuns, seed: SEED })
    .map((combined) => [nameOf(combined), combined]);

describe.concurrent(`combined choices conform, seed ${SEED}`, () => {
  test.for(titled(2, 3, COMBINATIONS.runs))('%s', ([, combined]) => conformsCombined(combined));
});

describe.concurrent(`combined choices conform in depth, seed ${SEED}`, () => {
  test.for(titled(3, 3, 60))('%s', ([, combined]) => conformsInDepth(combined));
});
