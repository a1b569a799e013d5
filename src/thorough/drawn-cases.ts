import fc from 'fast-check';
import type { Case } from '../requirement/case.ts';
import type { Part } from '../requirement/requirement.ts';

/** A kind of cases that a thorough run draws, and the requirements that judge them. */
interface Kind {
  /** The name, for the coverage of reports and for paths. */
  name: string;
  /** The requirements whose `expect` judges the cases. */
  slugs: readonly string[];
  /** The part of a run that the cases belong to. Requirements that need it judge them, too. */
  part?: Part;
  /**
   * Whether an earlier run or another client may have created the same users: a service may reject
   * duplicates.
   */
  mayExist?: true;
  /** The number of cases in each round. */
  perRound: number;
  /**
   * The way of sending. Absent: several cases at a time. `together`: all at the same moment.
   * `before a list`: one at a time, and a list after each. `disturbing`: one at a time, and a valid
   * request of each operation after each.
   */
  how?: 'together' | 'before a list' | 'disturbing';
}

/** Cases of tables. Each is sent once, in an order by the seed, before any is repeated. */
export interface TableKind extends Kind {
  /** The tables, in the order in which their cases are sent. */
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
  /** Absent for a case of a table. */
  replay?: Replay;
}

/** The seed and the path by which fast-check generates a case again. */
export interface Replay {
  seed: number;
  path: string;
}

/** A source of the cases of a kind. */
export interface Source {
  kind: DrawnCases;
  /** Returns the next cases, the given number at most. */
  take: (count: number) => DrawnCase[];
}

export const isGenerated = (kind: DrawnCases): kind is GeneratedKind => 'cases' in kind;

/** Makes the source of a kind. Its cases follow from the seed. */
export function sourceOf(kind: DrawnCases, seed: number): Source {
  const take = isGenerated(kind) ? takeGenerated(kind, seed) : takeInTurn(kind, seed);
  return { kind, take };
}

/** The option by which fast-check generates values of any size, and not small ones first. */
const UNBIASED = { unbiased: true };

function takeGenerated(kind: GeneratedKind, seed: number): Source['take'] {
  let nextSeed = seed;
  return (count) => {
    const sampleSeed = nextSeed;
    nextSeed += 1;
    const cases = fc.sample(kind.cases, { ...UNBIASED, seed: sampleSeed, numRuns: count });
    return cases.map((testCase, index) => {
      const replay = { seed: sampleSeed, path: `${index}` };
      return { case: testCase, kind, replay };
    });
  };
}

function takeInTurn(kind: TableKind, seed: number): Source['take'] {
  let nextSeed = seed;
  let remaining: Case[] = [];
  const isEmpty = kind.tables.every(({ length }) => length === 0);
  return (count) => {
    while (remaining.length < count && !isEmpty) {
      const order = nextSeed;
      nextSeed += 1;
      const shuffled = kind.tables.flatMap((table) => shuffle(table, order));
      remaining = [...remaining, ...shuffled];
    }
    return remaining.splice(0, count).map((testCase) => ({ case: testCase, kind }));
  };
}

/** Returns the items in an order that follows from a seed. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const allItems = { minLength: items.length, maxLength: items.length };
  const orders = fc.shuffledSubarray([...items], allItems);
  const [order = []] = fc.sample(orders, { seed, numRuns: 1 });
  return order;
}

/** Requests of the search for a smaller failing case, at most. */
const MOST_SHRINKS = 60;

/**
 * Searches for the smallest case that still fails. `hasFailed` sends a case. Returns the path of
 * the last one that failed; undefined if the case does not fail again.
 */
export async function shrinkCase(
  kind: GeneratedKind,
  replay: Replay,
  hasFailed: (testCase: Case) => Promise<boolean>,
): Promise<string | undefined> {
  const cases = fc.limitShrink(kind.cases, MOST_SHRINKS);
  const property = fc.asyncProperty(cases, async (testCase) => !(await hasFailed(testCase)));
  const details = await fc.check(property, { ...UNBIASED, ...replay, numRuns: 1 });
  return details.counterexamplePath ?? undefined;
}
