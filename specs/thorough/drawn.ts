import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from '../../src/plan/steps/credentials.ts';
import { OPERATIONS } from '../authentication.ts';

/** The words of a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** A row of drawn cases, long enough for some rounds. */
export const rowOf = <C>(one: Arbitrary<C>): Arbitrary<C[]> => fc.array(one, { minLength: 100, maxLength: 100 });

/** All cases, in an order that is drawn. */
export const shuffled = <C>(all: C[]): Arbitrary<C[]> =>
  fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });

/** Cases of each trick, in an order that is drawn: first every trick on one operation, then on another, then on the third. */
export function onOperations<T, C>(tricks: T[], make: (operation: Operation, trick: T) => C): Arbitrary<C[]> {
  return fc
    .tuple(shuffled(tricks), fc.nat(OPERATIONS.length - 1))
    .map(([all, start]) =>
      OPERATIONS.flatMap((_, turn) =>
        all.map((trick, index) => make(OPERATIONS[(start + turn + index) % OPERATIONS.length] as Operation, trick)),
      ),
    );
}
