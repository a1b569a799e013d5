import type { Connection } from '../http/exchange.ts';
import type { CaseYielding, Yielding } from './evidence.ts';
import type { Run } from './run.ts';

/** A part of the plan: what it sends, and the evidence that it yields. It knows no requirement. */
export interface Step<Y = unknown> extends Yielding<Y> {
  /** The steps whose evidence it takes; they stand before it in the plan. */
  readonly needs: readonly AnyStep[];
  /** Sends its requests. Throws Missing where it can't. */
  readonly take: (run: Run) => Promise<Y>;
  /** Tries again what went wrong in company, when nothing else is under way. */
  readonly alone?: (run: Run, found: Y) => Promise<Y>;
}

/** A step that carries out cases, which requirements declare. */
export interface CaseStep<C = unknown, Y = unknown> extends CaseYielding<C, Y> {
  readonly needs: readonly AnyStep[];
  /** Steps whose evidence completes what is found: they may stand in the same line of the plan. */
  readonly beside?: readonly AnyStep[];
  /** Whether a conforming service carries the requests out; if not, they are what may upset it. */
  readonly valid: boolean;
  /** Whether as many as possible are to be under way with it: then nothing waits for the connection of another. */
  readonly inCrowd?: true;
  /** Whether a valid request is to follow one that is not, some of them on its very connection. */
  readonly follows?: boolean;
  /**
   * Carries out one case; its first request goes out before anything is awaited, on the connection where one is given.
   * Throws Missing where it can't.
   */
  readonly each: (run: Run, one: C, connection?: Connection) => Promise<Y>;
  /**
   * Completes what is found by what other steps of the line have yielded; it sends nothing. Throws Missing where these show
   * that it tells nothing.
   */
  readonly completed?: (run: Run, one: C, found: Y) => Y;
  /** Tries again alone what went wrong in company; called one after the other, when nothing else is under way. */
  readonly alone?: (run: Run, one: C, found: Y) => Promise<Y>;
}

// biome-ignore lint/suspicious/noExplicitAny: a step is used by its own type, and kept with others of any
export type AnyStep = Step<any> | CaseStep<any, any>;
