import type { Exchange } from '../http/exchange.ts';
import type { Context } from './context.ts';
import type { OrMissing } from './evidence.ts';

/** One thing that was tried in company; where that went wrong, what it took to tell whose fault it is. */
export interface Tried<T, C = { what: string }> {
  /** The case. */
  one: C;
  /** What came of it while other requests were in flight. */
  first: T;
  /**
   * Where that was wrong: what came of the usual request, alone. Where the case is a usual request, that is the same
   * once more.
   */
  usual?: T;
  /** Where that was right: what came of the same again, alone. Where it was not: of the same with other data. */
  again?: T;
}

/** How something is tried again when nothing else is in flight. */
export interface Retry<T> {
  isRight: (one: T) => boolean;
  /** Sends the usual request. */
  usual: (isSecond: boolean) => Promise<T>;
  /** Sends the same once more; absent where it is a usual request itself. */
  same?: (() => Promise<T>) | undefined;
  /** Sends the same with other data; undefined where that can't be had. */
  anew?: (() => Promise<T | undefined>) | undefined;
}

/** Tries again what was wrong in company: the usual request, then the same. The one place where that is done. */
export async function tryAgain<T, C>(tried: Tried<T, C>, { isRight, usual, same, anew }: Retry<T>) {
  if (isRight(tried.first)) return tried;
  const once = await usual(false);
  // The first request after a bad one may still be upset by it.
  const control = isRight(once) || same === undefined ? once : await usual(true);
  const again = await (isRight(control) ? same : anew)?.();
  return { ...tried, usual: control, ...(again !== undefined && { again }) };
}

/**
 * Tells whose fault it is that something was wrong in company: nobody's; the operation's as such; the case's own; its
 * company's; its data's; or nobody knows. Pure.
 */
export function faultOf<T>({ first, usual, again }: Omit<Tried<T>, 'one'>, isRight: (one: T) => boolean) {
  if (isRight(first)) return 'none';
  if (usual === undefined) return 'open';
  if (isRight(usual)) return again === undefined || isRight(again) ? 'company' : 'case';
  return again !== undefined && isRight(again) ? 'data' : 'operation';
}

/** The last word on it: how it is when nothing else is in flight. */
export const settled = <T>({ first, usual, again }: Tried<T>): T => again ?? usual ?? first;

/** The steps whose evidence a step takes, by the names under which it is given; they stand before it in the plan. */
export type Needs = Readonly<Record<string, AnyStep>>;

/**
 * What a step is given: the evidence of a whole step, and of one with cases a function that gives what came of a case.
 */
export type Given<N> = {
  [Name in keyof N]: N[Name] extends Step<infer Y, infer C> ? ([C] extends [undefined] ? Y : (one: C) => Y) : never;
};

/** As early as a case can go out in its line. */
export const AHEAD = 4;

/** A part of the plan: what it sends, and the evidence that it yields. It knows no requirement. */
export interface Part<Y, C, N> {
  readonly name: string;
  /** What it takes. Where one of these is missing, so is what the step yields. */
  readonly needs: N;
  /** Whether no conforming service carries its requests out, so that they may upset it. */
  readonly bad?: true;
  /**
   * How early a case goes out in its line, from AHEAD down: for what takes many responses in a row, or is to meet what
   * else is in flight.
   */
  early?(one: C): number;
  /**
   * Carries out one case. Where what comes is wrong, the case is carried out once more when nothing else is in flight:
   * `before` is what came first, and what comes then is yielded. Throws Missing where it can't.
   */
  each(run: Context, one: C, given: Given<N>, before?: NoInfer<Y>): Promise<Y>;
  /** Whether what came of a case is right; absent: whatever comes. */
  isRight?(found: Y, one: C): boolean;
}

/** A step with the cases that requirements declare; one without cases has a single one, undefined. */
export interface Step<Y = unknown, C = undefined> extends Part<Y, C, never> {
  readonly hasCases: boolean;
  /** Of one whose evidence is taken also where it is missing: the step itself. */
  readonly maybe?: AnyStep;
}

/** What a step yields. */
export type YieldOf<S> = S extends Step<infer Y, infer _> ? Y : never;

/** A step of whatever type, as the plan keeps it. */
export type AnyStep = Step<unknown, unknown>;

/** Declares a step without cases. */
export function step<Y, N extends Needs>(declared: Part<Y, undefined, N>): Step<Y> {
  return { ...declared, hasCases: false } as never;
}

/** Declares a step that carries out cases. */
export function caseStep<Y, C, N extends Needs>(declared: Part<Y, C, N>): Step<Y, C> {
  return { ...declared, hasCases: true } as never;
}

interface TriedPart<T, C, N> extends Part<T, C, N> {
  isRight(found: T, one: C): boolean;
  /** Sends the usual request in the place of a case, once or twice; absent where a case is a usual request itself. */
  usual?(run: Context, one: C, given: Given<N>, first: T, isSecond: boolean): Promise<T>;
  /** Sends a case once more; absent: as before. */
  same?(run: Context, one: C, given: Given<N>, first: T): Promise<T>;
  /** Carries out a case with other data, where the usual request is wrong; undefined where that can't be done. */
  anew?(run: Context, one: C, given: Given<N>): Promise<T | undefined>;
}

/** Declares a step whose cases are tried in company, and alone where that goes wrong. It says only what is sent. */
export function triedStep<T, C, N extends Needs>(declared: TriedPart<T, C, N>): Step<Tried<T, C>, C> {
  const { each, isRight, usual, same = each, anew, ...common } = declared;
  return caseStep<Tried<T, C>, C, N>({
    ...common,
    isRight: ({ first }, one) => isRight(first, one),
    each: async (run, one, given, tried) => {
      if (tried === undefined) return { one, first: await each(run, one, given) };
      return tryAgain(tried, {
        isRight: (found) => isRight(found, one),
        usual: (isSecond) => (usual ?? same)(run, one, given, tried.first, isSecond),
        same: usual && (() => same(run, one, given, tried.first)),
        anew: anew && (() => anew(run, one, given)),
      });
    },
  });
}

/** Takes the evidence of a step also where it is missing. */
export const maybe = <Y>(step: Step<Y>) => ({ ...step, maybe: step }) as Step<OrMissing<Y>>;

/** The steps that one needs. */
export const needsOf = ({ needs }: AnyStep) => Object.values<AnyStep>(needs).map((one) => one.maybe ?? one);

/**
 * Declares a step of bad requests. One by which the service fails, or that is not right otherwise, is sent once more,
 * alone.
 */
export function badStep<Y extends { exchange: Exchange; status: number }, C, N extends Needs>(
  declared: Omit<Part<Y, C, N>, 'bad'>,
): Step<Y, C> {
  const each: typeof declared.each = async (run, one, given, before) => {
    const found = await declared.each(run, one, given, before);
    // Another request has upset it.
    if (before && isFailure(before) && !isFailure(found)) run.upset.push(before.exchange);
    return found;
  };
  return caseStep<Y, C, N>({ isRight: (found) => !isFailure(found), ...declared, bad: true, each });
}

/** Whether the service itself failed by a request. */
export const isFailure = ({ status }: { status: number }) => status >= 500 && status !== 503;

/** A case of which each run takes another variation: what fits into one run only by luck is seen in several. */
export interface Turning<C> {
  turns?: readonly Partial<C>[];
  /** Its place among cases with the same variations, of which a run takes different ones. */
  turn?: number;
}

/** Cases that take turns in some variations: in one run each takes another one, the first of them that at a place. */
export function inTurns<C extends { what: string }>(
  cases: readonly C[],
  turns: readonly (Partial<C> & { what: string })[],
  from = 0,
): (C & Turning<C>)[] {
  return cases.map((one, at) => ({ ...one, turns, turn: from + at }));
}

/** So many of several cases, from a place among them on: in each run other ones. */
export function someOf<C extends { what: string }>(all: readonly C[], count = 1, from = 0): (C & Turning<C>)[] {
  const first = Array.from({ length: count }, (_, at) => all[(from + at) % all.length] as C);
  return inTurns(first, all, from);
}

/** The variation that a run takes, by a text that stands for its choices; the case itself where it has none. */
export function taken<C>(one: C, choices: string): C {
  const { turns, turn = 0, ...rest } = (one ?? {}) as Turning<C> & object;
  if (turns === undefined) return one;
  return { ...rest, ...turns[(hash(`${choices} ${turns.length}`) + turn) % turns.length] } as C;
}

/** A number below 65,521 that is the same for the same text. */
export const hash = (text: string) => [...text].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 65_521, 0);
