import type { CaseYielding, Yielding } from './evidence.ts';
import type { Run } from './run.ts';

interface Common {
  /** The steps whose evidence it takes; they stand before it in the plan. */
  readonly needs: readonly AnyStep[];
  /** How many of its cases are tried again alone at most; absent: all. */
  readonly mostAlone?: number;
}

/** A part of the plan: what it sends, and the evidence that it yields. It knows no requirement. */
export interface Step<Y = unknown> extends Yielding<Y>, Common {
  /** Sends its requests. Throws Missing where it can't. */
  readonly take: (run: Run) => Promise<Y>;
  /** Tries again what went wrong in company, when nothing else is under way. */
  readonly alone?: (run: Run, found: Y) => Promise<Y>;
}

/** A step that carries out cases, which requirements declare. */
export interface CaseStep<C = unknown, Y = unknown> extends CaseYielding<C, Y>, Common {
  /** Whether no conforming service carries its requests out, so that they may upset it. */
  readonly bad?: true;
  /** Carries out one case. Throws Missing where it can't. */
  readonly each: (run: Run, one: C) => Promise<Y>;
  /** Tries again alone what went wrong in company; called one after the other, when nothing else is under way. */
  readonly alone?: (run: Run, one: C, found: Y) => Promise<Y>;
}

// biome-ignore lint/suspicious/noExplicitAny: a step is used by its own type, and kept with others of any
export type AnyStep = Step<any> | CaseStep<any, any>;
