import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from '../../src/plan/steps/credentials.ts';
import { OPERATIONS } from '../authentication.ts';

/** The words of a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** How many cases are drawn at a time: as many as a run tries at most. */
const ROW = 300;

/** A row of drawn cases. */
export const rowOf = <C>(one: Arbitrary<C>): Arbitrary<C[]> => fc.array(one, { minLength: ROW, maxLength: ROW });

/** All cases, in an order that is drawn. */
export const shuffled = <C>(all: C[]): Arbitrary<C[]> =>
  fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });

/** Cases in an order that is drawn: each of them before one comes again. */
export const inTurn = <C>(all: readonly C[]): Arbitrary<C[]> =>
  fc
    .array(shuffled([...all]), { minLength: Math.ceil(ROW / all.length), maxLength: Math.ceil(ROW / all.length) })
    .map((rows) => rows.flat().slice(0, ROW));

/** Rows side by side: the first of each, then the second of each. */
export const sideBySide = <R extends unknown[]>(
  ...rows: { [Index in keyof R]: Arbitrary<R[Index][]> }
): Arbitrary<R[]> =>
  fc
    .tuple(...(rows as Arbitrary<unknown[]>[]))
    .map((all) => (all[0] ?? []).map((_, index) => all.map((row) => row[index]) as R));

/** Gives one after the other of a row, and begins again at its end. */
export function taker<T>(row: T[]): () => T {
  let taken = 0;
  return () => {
    taken += 1;
    return row[(taken - 1) % row.length] as T;
  };
}

/** Groups of so many that are tried at once, drawn again each time, with all of them in each row of groups. */
export const grouped = <T>(all: T[], size: number): Arbitrary<T[][]> =>
  fc
    .array(shuffled(all), { minLength: 4, maxLength: 4 })
    .map((rows) =>
      rows.flatMap((row) =>
        Array.from({ length: Math.ceil(row.length / size) }, (_, at) => row.slice(at * size, (at + 1) * size)),
      ),
    );

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

/** A case of several tricks at once, and the cases of one of them each. */
export type Several<C> = C & { smaller?: () => C[] };

/** Cases of some tricks at once: each operation with every trick, in groups that are drawn again each time. */
export const severalAtOnce = <T, C>(
  tricks: T[],
  size: number,
  make: (operation: Operation, some: T[], turn: number) => C,
): Arbitrary<Several<C>[]> =>
  grouped(tricks, size).map((groups) =>
    groups.flatMap((some, index) =>
      OPERATIONS.map((operation, turn) => ({
        ...make(operation, some, index + turn),
        smaller: () => some.map((one) => make(operation, [one], index + turn)),
      })),
    ),
  );
