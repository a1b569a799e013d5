import { answerVariants } from './answers.ts';
import { behaviourVariants } from './behaviour.ts';
import { identifierVariants } from './identifiers.ts';
import { refusalVariants } from './refusals.ts';
import { sharedVariants } from './shared.ts';
import { userVariants } from './users.ts';
import type { Variant } from './variant.ts';

/** How many combinations of variants are tried, and the seed that repeats them. */
export const COMBINATIONS = { runs: 80, seed: 2026 };

/** Every conforming variant. */
export const variants: Variant[] = [
  ...userVariants,
  ...identifierVariants,
  ...answerVariants,
  ...refusalVariants,
  ...behaviourVariants,
  ...sharedVariants,
];
