import { type Domain, onEach, oneOf, some } from '../../src/conduct/domain.ts';
import type { Operation } from '../../src/plan/steps/credentials.ts';
import { OPERATIONS } from '../authentication.ts';

/** One trick on one operation. */
export interface Tricked {
  operation: Operation;
  trick: string;
}

/** Some tricks at once on one operation. */
export interface SeveralTricks {
  operation: Operation;
  tricks: string[];
}

/** Each trick on each operation: first every trick on one of them, then on another, then on the third. */
export const eachTrick = (tricks: readonly string[]): Domain<Tricked> =>
  onEach(OPERATIONS, { trick: oneOf(tricks) }, tricks.length);

/** Groups of tricks, each group on each operation. */
export const severalTricks = (tricks: readonly string[], size: number): Domain<SeveralTricks> =>
  onEach(OPERATIONS, { tricks: some(tricks, size) }, Math.ceil(tricks.length / size));

/** The same with one trick alone. */
export const oneAtATime = <P extends { tricks: string[] }>(several: P): P[] =>
  several.tricks.length === 1 ? [] : several.tricks.map((trick) => ({ ...several, tricks: [trick] }));
