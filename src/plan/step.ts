import type { CaseYielding, Found, Yielding } from './evidence.ts';
import type { Run } from './run.ts';

/** The steps whose evidence a step takes, by the names under which it is given; they stand before it in the plan. */
export type Needs = Readonly<Record<string, AnyStep | Maybe>>;

/** A step whose evidence is taken also where it is missing. */
export interface Maybe<S = AnyStep> {
  readonly maybe: S;
}

/** What a step is given: the evidence of a whole step, and of one with cases a function that gives what came of a case. */
export type Given<N> = {
  readonly [Name in keyof N]: N[Name] extends Maybe<Step<infer Y>>
    ? Found<Y>
    : N[Name] extends CaseStep<infer C, infer Y>
      ? (one: C) => Y
      : N[Name] extends Step<infer Y>
        ? Y
        : never;
};

interface Common<N> {
  readonly name: string;
  /** What it takes. Where one of these is missing, so is what the step yields. */
  readonly needs: N;
  /** How many of its cases are tried again alone at most; absent: all. */
  readonly mostAlone?: number;
}

interface StepOf<Y, N> extends Common<N> {
  /** Sends its requests. Throws Missing where it can't. */
  readonly take: (run: Run, given: Given<N>) => Promise<Y>;
  /** Tries again what went wrong in company, when nothing else is under way. */
  readonly alone?: (run: Run, found: Y, given: Given<N>) => Promise<Y>;
}

interface CaseStepOf<C, Y, N> extends Common<N> {
  /** Whether no conforming service carries its requests out, so that they may upset it. */
  readonly bad?: true;
  /** Carries out one case. Throws Missing where it can't. */
  readonly each: (run: Run, one: C, given: Given<N>) => Promise<Y>;
  /** Tries again alone what went wrong in company; called one after the other, when nothing else is under way. */
  readonly alone?: (run: Run, one: C, found: Y, given: Given<N>) => Promise<Y>;
}

/** A part of the plan: what it sends, and the evidence that it yields. It knows no requirement. */
export interface Step<Y = unknown> extends Yielding<Y>, StepOf<Y, never> {}

/** A step that carries out cases, which requirements declare. */
export interface CaseStep<C = unknown, Y = unknown> extends CaseYielding<C, Y>, CaseStepOf<C, Y, never> {}

/** Declares a step: a function of what it needs. */
export function step<Y, N extends Needs>(declared: StepOf<Y, N>): Step<Y> {
  return declared as unknown as Step<Y>;
}

/** Declares a step that carries out cases. */
export function caseStep<C, Y, N extends Needs>(declared: CaseStepOf<C, Y, N>): CaseStep<C, Y> {
  return declared as unknown as CaseStep<C, Y>;
}

/** Takes the evidence of a step also where it is missing. */
export function maybe<Y>(step: Step<Y>): Maybe<Step<Y>> {
  return { maybe: step };
}

/** The steps that one needs. */
export function needsOf({ needs }: AnyStep): AnyStep[] {
  return Object.values(needs as Needs).map((one) => ('maybe' in one ? one.maybe : one));
}

// biome-ignore lint/suspicious/noExplicitAny: a step is used by its own type, and kept with others of any
export type AnyStep = Step<any> | CaseStep<any, any>;
