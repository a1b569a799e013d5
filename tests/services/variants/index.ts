import { answerVariants } from './answers.ts';
import { behaviourVariants } from './behaviour.ts';
import { userVariants } from './users.ts';
import type { Variant } from './variant.ts';

/** Every conforming variant. */
export const variants: Variant[] = [...userVariants, ...answerVariants, ...behaviourVariants];
