import type { Exchange } from '../http/exchange.ts';
import type { Run } from './run.ts';
import type { AnyStep, Step } from './step.ts';

/**
 * Why a part of the evidence is not there. Thrown within a step, and kept in the place of what it would have yielded.
 */
export class Missing extends Error {
  /** Whether the user excluded it, or the service leaves nothing to look at: then nothing is open. */
  readonly excluded: boolean;
  /** The exchanges that show why. */
  readonly exchanges: Exchange[];
  /**
   * By what the plan ends before its time. `service`: it no longer answers valid requests; `obstacle`: no request of
   * the run can reach it at all. Nothing of the line of the plan in which that is thrown can be relied on.
   */
  readonly endsBy: 'service' | 'obstacle' | undefined;

  constructor(why: string, shownBy: (Exchange | undefined)[] = [], how: Partial<Missing> = {}) {
    super(why);
    this.exchanges = present(shownBy);
    this.excluded = how.excluded === true;
    this.endsBy = how.endsBy;
  }
}

/** What is not there because the user excluded it, or the service leaves nothing to look at. */
export const excluded = (why: string, shownBy: (Exchange | undefined)[] = []): Missing =>
  new Missing(why, shownBy, { excluded: true });

/** What was thrown, as text: it need not be an error. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : `${typeof error} was thrown`);

/** What a step yields, or why it is not there. */
export type OrMissing<T> = T | Missing;

/** Takes what was found. Throws it where it is Missing. */
export function known<T>(found: OrMissing<T>): T {
  if (found instanceof Missing) throw found;
  return found;
}

/** Those of several parts that are there. */
export const present = <T>(all: readonly (T | Missing | undefined)[]): T[] =>
  all.filter((one): one is T => one !== undefined && !(one instanceof Missing));

/** What is found, or the Missing that is thrown instead. */
export function caught<T>(find: () => T): OrMissing<T> {
  try {
    return find();
  } catch (error) {
    return missingIn(error);
  }
}

/** The same, where it takes time. */
export const orMissing = <T>(find: () => Promise<T>): Promise<OrMissing<T>> => find().catch(missingIn);

function missingIn(error: unknown): Missing {
  if (error instanceof Missing) return error;
  throw error;
}

/** The name of a case, which no other of its step has. */
export function caseName(one: unknown): string {
  const { what = '', operation } = (one ?? {}) as { what?: string; operation?: string };
  return operation === undefined ? what : `${operation}: ${what}`;
}

/** What the steps of a run have yielded so far, as checks may look at it. */
export type Yields = Omit<Run['evidence'], 'cases'> & Pick<Run, 'of'>;

/** A part of the evidence, as a requirement names it: what must be carried out for it, and where it is found then. */
export interface Evidence<T> {
  readonly cases: readonly (readonly [step: AnyStep, one: unknown])[];
  /** Whether it is complete only when all that the run can send was sent. */
  readonly whole: boolean;
  readonly from: (yields: Yields) => T;
}

/** What came of several cases, each or why it is not there. */
export type CaseEvidence<T> = Evidence<OrMissing<T>[]>;

/** A part of the evidence that is found so, when this is carried out. */
export function part<T>(from: (yields: Yields) => T, cases: Evidence<T>['cases'] = []): Evidence<T> {
  return { cases, whole: false, from };
}

/** What a step yields. Where that is Missing, the requirement is not judged. */
export const yieldOf = <Y>(step: Step<Y>) => part((yields) => known(yields.of(step)), [[step, undefined]]);

/** The same, or why it is not there, for a requirement that is judged all the same. */
export const orMissingOf = <Y>(step: Step<Y>) => part((yields) => yields.of(step), [[step, undefined]]);

/** What came of cases of a step. */
export function cases<C, Y>(step: Step<Y, C>, ...all: NoInfer<C>[]): CaseEvidence<Y> {
  const carriedOut = all.map((one) => [step, one] as const);
  return part((yields) => all.map((one) => yields.of(step, one)), carriedOut);
}

/** A part of the evidence, with others that must be carried out for it. */
export function after<T>(part: Evidence<T>, ...needed: readonly Evidence<unknown>[]): Evidence<T> {
  return { ...part, cases: [...needed, part].flatMap(({ cases }) => cases) };
}

/** Everything that a run can send, for what only the whole run can show. */
export const wholeRun = { ...part((yields) => yields), whole: true };

/** The base address that is judged: there without any request. */
export const baseUrl = part((yields) => yields.baseUrl);
