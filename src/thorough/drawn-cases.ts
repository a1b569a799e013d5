import fc from 'fast-check';
import type { Case } from '../requirement/case.ts';
import type { Part } from '../requirement/requirement.ts';

/** Cases of one kind that a thorough run draws, and the requirements that judge them. */
interface Kind {
  /** The name, for the coverage of reports and for paths. */
  name: string;
  /** The requirements whose `expect` judges the cases. */
  slugs: readonly string[];
  /** The part of a run that the cases belong to: requirements that need it judge them, too. */
  part?: Part;
  /**
   * Whether an earlier run, or somebody else, may have created the same users: a service may reject
   * a second one.
   */
  mayExist?: true;
  /** How many cases each round sends. */
  perRound: number;
  /**
   * How the cases are sent. Absent: several at a time. `together`: all at the same moment. `before
   * a list`: one at a time, and a list after each. `disturbing`: one at a time, and a valid request
   * of each operation after each.
   */
  how?: 'together' | 'before a list' | 'disturbing';
}

/**
 * Cases of a table. Each is sent once, in an order that follows from the seed, before one is sent
 * again.
 */
export interface TableKind extends Kind {
  /** The cases of the first table come first, those of the next table after them, and so on. */
  tables: readonly (readonly Case[])[];
}

/** Cases that fast-check generates. A failing one is shrunk. */
export interface GeneratedKind extends Kind {
  cases: fc.Arbitrary<Case>;
}

export type DrawnCases = TableKind | GeneratedKind;

/** A drawn case. */
export interface DrawnCase {
  case: Case;
  kind: DrawnCases;
  /** The seed and the path by which fast-check generates it again; absent for a case of a table. */
  replay?: { seed: number; path: string };
}

/** Where the cases of a kind come from. */
export interface Source {
  kind: DrawnCases;
  /** Returns the next cases, the given number at most. */
  take: (count: number) => DrawnCase[];
}

export const isGenerated = (kind: DrawnCases): kind is GeneratedKind => 'cases' in kind;

/** Makes the source of a kind. All that it returns follows from the seed. */
export function sourceOf(kind: DrawnCases, seed: number): Source {
  return { kind, take: isGenerated(kind) ? takeGenerated(kind, seed) : takeInTurn(kind, seed) };
}

/** Values of any size from the first one on, and not small ones first. */
const UNBIASED = { unbiased: true };

function takeGenerated(kind: GeneratedKind, seed: number): Source['take'] {
  let nextSeed = seed;
  return (count) => {
    const own = nextSeed;
    nextSeed += 1;
    const cases = fc.sample(kind.cases, { ...UNBIASED, seed: own, numRuns: count });
    return cases.map((one, at) => ({ case: one, kind, replay: { seed: own, path: `${at}` } }));
  };
}

function takeInTurn(kind: TableKind, seed: number): Source['take'] {
  let nextSeed = seed;
  let left: Case[] = [];
  const isEmpty = kind.tables.every(({ length }) => length === 0);
  return (count) => {
    while (left.length < count && !isEmpty) {
      const order = nextSeed;
      nextSeed += 1;
      left = [...left, ...kind.tables.flatMap((table) => shuffle(table, order))];
    }
    return left.splice(0, count).map((one) => ({ case: one, kind }));
  };
}

/** Returns the items in an order that follows from a seed. */
export function shuffle<T>(all: readonly T[], seed: number): T[] {
  const whole = { minLength: all.length, maxLength: all.length };
  return fc.sample(fc.shuffledSubarray([...all], whole), { seed, numRuns: 1 })[0] ?? [];
}

/** Requests that looking for a smaller failing case may take. */
const MOST_SHRINKS = 60;

/**
 * Looks for the smallest case that still fails, by sending it. Returns the path of the last one
 * that failed; undefined if the case does not fail again.
 */
export async function shrinkCase(
  kind: GeneratedKind,
  replay: { seed: number; path: string },
  fails: (one: Case) => Promise<boolean>,
): Promise<string | undefined> {
  const cases = fc.limitShrink(kind.cases, MOST_SHRINKS);
  const property = fc.asyncProperty(cases, async (one) => !(await fails(one)));
  const details = await fc.check(property, { ...UNBIASED, ...replay, numRuns: 1 });
  return details.counterexamplePath ?? undefined;
}
