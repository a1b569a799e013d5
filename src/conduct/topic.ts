import type { DrawnPart, Requirement } from '../requirement/requirement.ts';
import type { Domain } from './domain.ts';

/** A part of some requirements' evidence, and what stands in it of a drawn case. */
export interface Fill<C> {
  part: DrawnPart<never>;
  casesOf: (one: C) => readonly unknown[];
}

/**
 * What is explored beyond the plan: cases of one kind, drawn from a seed, in the evidence of the requirements that
 * judge them.
 */
export interface Topic<P = unknown, C = never> {
  /** The name, for the coverage in reports. */
  what: string;
  /** What the cases are made of: plain JSON, so that one can be kept in a file and sent again. */
  params: Domain<P>;
  toCase(params: P): unknown;
  /** How many each round takes. */
  perRound: number;
  /** How many users one case creates at most. */
  users: number;
  fills: Fill<C>[];
  /** The parameters for one of the users that the run has created, by its place: after the pause, and at the end. */
  ofUser?(place: number): P;
  /** Whether its cases are usual requests, of which some come first after a pause. */
  isUsual?: true;
  /** Whether a case is made of others, which are sent one after the other. */
  inTurn?: true;
}

/** A case that is made of others. */
export interface InTurn {
  what: string;
  /** With the topic of each. */
  cases: { topic: Topic; one: unknown }[];
  isOnOne: boolean;
}

/**
 * A part of the evidence in which something else of a case stands than itself: which of them, or what they are about.
 */
export function into<C, D>(part: DrawnPart<D>, casesOf: (one: C) => readonly D[]): Fill<C> {
  return { part, casesOf };
}

/** What is said of a topic, besides the parts that its cases stand in, what they are made of, and how. */
type About<P> = Partial<Topic<P>> & Pick<Topic<P>, 'what' | 'perRound'>;

/** Declares a topic: its cases are of the type that the parts of the evidence take. */
export function topic<P, C>(
  about: About<P>,
  parts: (DrawnPart<C> | Fill<C>)[],
  params: Domain<P>,
  toCase: (params: P) => NoInfer<C>,
): Topic {
  const fills = parts.map((part): Fill<C> => ('casesOf' in part ? part : { part, casesOf: (one) => [one] }));
  return { users: 0, ...about, fills, params, toCase };
}

/** Whether a requirement judges the cases of a topic. */
export function judges({ evidence }: Requirement, { fills }: Topic): boolean {
  return Object.values(evidence).some((part) => fills.some((fill) => fill.part === part));
}
