import { answerVariants } from './answers.ts';
import { identifierPlaceVariants } from './identifier-places.ts';
import { identifierVariants } from './identifiers.ts';
import { variantsInTheWild } from './in-the-wild.ts';
import { refusalVariants } from './refusals.ts';
import { reportedVariants } from './reported.ts';
import { sharedVariants } from './shared.ts';
import { timeVariants } from './time.ts';
import { transportVariants } from './transport.ts';
import { userVariants } from './users.ts';
import type { Variant } from './variant.ts';

/** The number of combinations that a test draws, and the seed. */
export const COMBINATIONS = { runs: 80, seed: 2026 };

/** Every conforming variant. */
export const variants: Variant[] = [
  ...userVariants,
  ...identifierPlaceVariants,
  ...identifierVariants,
  ...answerVariants,
  ...refusalVariants,
  ...transportVariants,
  ...timeVariants,
  ...sharedVariants,
  ...reportedVariants,
  ...variantsInTheWild,
];
