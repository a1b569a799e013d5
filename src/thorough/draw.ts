import fc from 'fast-check';
import type { Operation } from '../history/history.ts';
import type { Case } from '../requirement/case.ts';
import type { Part } from '../requirement/requirement.ts';

/** A kind of cases, or of sequences, that a thorough run draws. */
export interface Kind<T> {
  /** The name in reports. */
  name: string;
  /** The requirements whose `expect` judges the results. */
  slugs: readonly string[];
  /** The part of a run that the cases belong to. Requirements that need it judge them, too. */
  part?: Part;
  /** The number in each round. Several numbers take turns. */
  perRound: number | readonly number[];
  cases: fc.Arbitrary<T>;
}

/** Requests that are sent one after the other on one connection, with nothing else in flight. */
export interface Sequence {
  name: string;
  steps: readonly Step[];
}

/** A case that is sent so many times, or the usual request of an operation. */
export type Step =
  | { case: Case; times: number }
  | {
      usual: Operation;
      /** The user that is retrieved, among all users: 0 is the first, 1 is behind the last. */
      position: number;
    };

/** A drawn value, and the seed and path by which fast-check generates it again. */
export interface Drawn<T> {
  value: T;
  kind: Kind<T>;
  seed: number;
  path: string;
}

/** A source of the values of a kind. */
export interface Source<T> {
  kind: Kind<T>;
  /** Returns the next values. */
  draw: (count: number) => Drawn<T>[];
}

interface Named {
  name: string;
  operation?: Operation;
}

/** The name that identifies a case or a sequence. */
export const nameOf = ({ operation, name }: Named): string =>
  operation === undefined ? name : `${operation} ${name}`;

/** Samples in a row without a new value, after which a value may be drawn again. */
const MOST_MISSES = 8;

/** Generates values of any size, and not small ones first. */
const UNBIASED = { unbiased: true };

/** Makes the source of a kind. Its values follow from the seed; none comes again before others. */
export function sourceOf<T extends Named>(kind: Kind<T>, seed: number): Source<T> {
  const drawnBefore = new Set<string>();
  let nextSeed = seed;
  let misses = 0;
  const draw = (count: number): Drawn<T>[] => {
    const drawn: Drawn<T>[] = [];
    while (drawn.length < count) {
      const sampleSeed = nextSeed;
      nextSeed += 1;
      const sample = fc.sample(kind.cases, { ...UNBIASED, seed: sampleSeed, numRuns: count });
      misses += 1;
      for (const [index, value] of sample.entries()) {
        if (drawn.length === count || drawnBefore.has(nameOf(value))) continue;
        drawnBefore.add(nameOf(value));
        drawn.push({ value, kind, seed: sampleSeed, path: `${index}` });
        misses = 0;
      }
      if (misses > MOST_MISSES) drawnBefore.clear();
    }
    return drawn;
  };
  return { kind, draw };
}

/**
 * Tries a drawn value again, and then smaller ones, so many at most. `hasFailed` sends a value, and
 * says whether it failed.
 */
export async function shrink<T>(
  { kind, seed, path }: Drawn<T>,
  most: number,
  hasFailed: (value: T) => Promise<boolean>,
): Promise<void> {
  const values = fc.limitShrink(kind.cases, most);
  const property = fc.asyncProperty(values, async (value) => !(await hasFailed(value)));
  await fc.check(property, { ...UNBIASED, seed, path, numRuns: 1 });
}
