import type { Exchange } from '../http/exchange.ts';
import type { Creation } from './ledger.ts';
import type { Look } from './look.ts';
import type { Culprit } from './outages.ts';
import type { ServiceEnd } from './service-end.ts';

/** Why a part of the evidence is not there. Thrown within a step, and kept in the place of what it would have yielded. */
export class Missing extends Error {
  /** Whether the user excluded it, or the service leaves nothing to look at: then nothing is open. */
  readonly excluded: boolean;
  /** The exchanges that show why. */
  readonly exchanges: Exchange[];
  /** Whether the suite itself crashed. */
  readonly isFault: boolean;

  constructor(why: string, shownBy: (Exchange | undefined)[] = [], { excluded = false, isFault = false } = {}) {
    super(why);
    this.exchanges = present(shownBy);
    this.excluded = excluded;
    this.isFault = isFault;
  }
}

/** Why the plan ends before its time. Thrown within a step; nothing of its line of the plan can be relied on then. */
export class PlanEnd extends Missing {
  /** `service`: it no longer answers valid requests; `obstacle`: no request of the run can reach it at all. */
  readonly by: 'service' | 'obstacle';

  constructor(by: PlanEnd['by'], why: string, exchanges: Exchange[]) {
    super(why, exchanges);
    this.by = by;
  }
}

/** What is not there because the user excluded it, or the service leaves nothing to look at. */
export function excluded(why: string, shownBy: (Exchange | undefined)[] = []): Missing {
  return new Missing(why, shownBy, { excluded: true });
}

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
export function present<T>(all: readonly (T | Missing | undefined)[]): T[] {
  return all.filter((one): one is T => one !== undefined && !(one instanceof Missing));
}

/** The end of a plan before its time. */
export interface PlanStop {
  why: Missing;
  /** Whether it is by the target. */
  by?: PlanEnd['by'];
  /** Everything that was sent, to its end. */
  record: readonly Exchange[];
}

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

/** What yields evidence of each of its cases: a step of the plan (see step.ts). A step without cases has one, undefined. */
export interface Yielding<Y, C = undefined> {
  readonly name: string;
  /** Only for the type. */
  readonly yields?: (one: C) => Y;
}

/** The name of a case, which no other of its step has. */
export function caseName(one: unknown): string {
  const { what = '', operation } = (one ?? {}) as { what?: string; operation?: string };
  return operation === undefined ? what : `${operation}: ${what}`;
}

/** What the steps of a run have yielded so far. */
export interface Yields {
  readonly baseUrl: string;
  /** Every exchange, in the order in which they were sent. */
  readonly record: readonly Exchange[];
  /** Every list that was fetched, in the same order. */
  readonly looks: readonly Look[];
  readonly creations: readonly Creation[];
  /** Whether the key is an everyday word, for which no answer can be searched. */
  readonly keyIsEveryday: boolean;
  /** Why the plan was not carried out to its end; then all of the above ends with its last whole line. */
  readonly stopped: PlanStop | undefined;
  /** How the service has ended, where it was started for the run. */
  readonly ended: ServiceEnd | undefined;
  /** What did harm each time that it was sent: the service was away for a moment, or valid requests failed. */
  readonly culprits: readonly Culprit[];
  /** The ids of the exchanges of requests that no conforming service carries out. */
  readonly bad: ReadonlySet<number>;
  of<Y, C>(step: Yielding<Y, C>, one?: C): OrMissing<Y>;
}

/** A part of the evidence, as a requirement names it: what must be carried out for it, and where it is found then. */
export interface Evidence<T> {
  readonly cases: readonly (readonly [step: { name: string }, one: unknown])[];
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
export function yieldOf<Y>(step: Yielding<Y>): Evidence<Y> {
  return part((yields) => known(yields.of(step)), [[step, undefined]]);
}

/** The same, or why it is not there, for a requirement that is judged all the same. */
export function orMissingOf<Y>(step: Yielding<Y>): Evidence<OrMissing<Y>> {
  return part((yields) => yields.of(step), [[step, undefined]]);
}

/** What came of cases of a step. */
export function cases<C, Y>(step: Yielding<Y, C>, ...all: C[]): CaseEvidence<Y> {
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
