import type { Arbitrary } from 'fast-check';
import type { Creation } from '../plan/ledger.ts';
import type { Wants } from '../requirement/requirement.ts';

/** What is explored beyond the plan: cases of one kind, drawn from a seed, and the requirements that judge what came of them. */
export interface Topic {
  /** The name, for the coverage in reports. */
  what: string;
  /** Cases to draw, a long row at a time; the rounds take from its beginning. */
  cases: Arbitrary<unknown[]>;
  /** How many each round takes. */
  perRound: number;
  /** How many users one case creates at most. */
  users: number;
  /** Whether the cases can be carried out in read-only mode. */
  reads: boolean;
  /** By slug: the parts of the requirement's evidence in whose place the drawn cases stand. */
  judgedBy: Record<string, (cases: never[]) => Wants>;
  /** Cases that are smaller than one that fails, the smallest first. */
  smaller?: (one: never) => Iterable<unknown>;
  /** A case for each user that the run has created: after the pause, and at the end. */
  ofEach?: (user: Creation) => unknown;
}

/** Declares a topic; `cases` are of the type that its parts of the evidence take. */
export function topic<C>(declared: {
  what: string;
  cases: Arbitrary<C[]>;
  perRound: number;
  users?: number;
  reads?: boolean;
  judgedBy: Record<string, (cases: C[]) => Wants>;
  ofEach?: (user: Creation) => C;
  smaller?: (one: C) => Iterable<C>;
}): Topic {
  const { users = 0, reads = users === 0 } = declared;
  return { ...declared, users, reads };
}

/** What is explored of a requirement: the names of the topics with cases for it, in their order. Pure. */
export function topicsOf(slug: string, topics: readonly Topic[]): string[] {
  const ours = topics.filter(({ judgedBy }) => Object.hasOwn(judgedBy, slug));
  return [...new Set(ours.map(({ what }) => what))];
}
