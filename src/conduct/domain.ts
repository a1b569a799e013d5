import fc, { type Arbitrary } from 'fast-check';
import { isObject } from '../http/value.ts';

/**
 * The values that a parameter of drawn cases may have, plain JSON: how a row of them is drawn, and whether a value that was
 * read from a file is one of them.
 */
export interface Domain<T> {
  readonly row: Arbitrary<T[]>;
  readonly has: (value: unknown) => value is T;
}

export type ValueOf<D> = D extends Domain<infer T> ? T : never;

type Parts = Record<string, Domain<unknown>>;
type Whole<P extends Parts> = { [Name in keyof P]: ValueOf<P[Name]> };

/** How many values a row has: as many as a run tries at most. */
const ROW = 500;

/** These values, each of them before one comes again. */
export function oneOf<const T extends string | number | boolean>(all: readonly T[]): Domain<T> {
  const row = inTurn(all);
  return { row, has: (value): value is T => all.includes(value as T) };
}

/** These values first, and then one of each class after the other. */
export function byClass(first: readonly string[], classes: readonly (readonly string[])[]): Domain<string> {
  const most = Math.max(...classes.map(({ length }) => length));
  const row = fc.tuple(shuffled(first), ...classes.map((one) => shuffled(one))).map(([own, ...others]) => {
    const turns = Array.from({ length: most }, (_, at) => others.flatMap((one) => one.slice(at, at + 1)));
    const all = [...own, ...turns.flat()];
    return inRow((at) => all[at % all.length] as string);
  });
  return { row, has: (value): value is string => [first, ...classes].some((one) => one.includes(value as string)) };
}

/** Values at random, which are of the domain where `isOne` is true of them. */
export function random<T>(one: Arbitrary<T>, isOne: (value: unknown) => boolean): Domain<T> {
  return { row: arrayOf(one, ROW), has: (value): value is T => isOne(value) };
}

/** Objects of these members. */
export function members<P extends Parts>(parts: P): Domain<Whole<P>> {
  const names = Object.keys(parts);
  const rows = fc.tuple(...Object.values(parts).map((part) => part.row));
  const row = rows.map((rows) =>
    inRow((at) => Object.fromEntries(names.map((name, index) => [name, rows[index]?.[at]])) as Whole<P>),
  );
  const has = (value: unknown): value is Whole<P> =>
    isObject(value) &&
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && parts[name]?.has(value[name]));
  return { row, has };
}

/** A kind of texts: how often it comes, what one is made of, and the text that this makes. */
export interface Kind<G> {
  weight: number;
  params: Domain<object>;
  textOf: (params: never, given: G) => string;
}

/** Declares a kind of texts. */
export function kind<P extends Parts, G>(weight: number, parts: P, textOf: (params: Whole<P>, given: G) => string) {
  return { weight, params: members(parts), textOf };
}

/** What a text of one of several kinds is made of. */
export interface OfKind {
  kind: string;
}

/** Texts of several kinds, which come as often as they weigh. */
export function kinds<G>(all: Record<string, Kind<G>>): Domain<OfKind> & { textOf: (one: OfKind, given: G) => string } {
  const names = Object.keys(all);
  const turns = names.flatMap((name) => Array.from({ length: all[name]?.weight ?? 0 }, () => name));
  const row = fc.tuple(inTurn(turns), ...Object.values(all).map(({ params }) => params.row)).map(([order, ...rows]) => {
    const left = rows.map((row) => row.values());
    return order.map((kind): OfKind => ({ kind, ...left[names.indexOf(kind)]?.next().value }));
  });
  const has = (value: unknown): value is OfKind => {
    if (!isObject(value)) return false;
    const { kind, ...params } = value;
    return typeof kind === 'string' && Object.hasOwn(all, kind) && all[kind]?.params.has(params) === true;
  };
  return { row, has, textOf: ({ kind, ...params }, given) => all[kind]?.textOf(params as never, given) ?? '' };
}

/** Lists of so many values of a domain, one after the other as they are drawn. */
export function lists<T>(of: Domain<T>, size: number): Domain<T[]> {
  const row = arrayOf(of.row, size).map((rows) => {
    const all = rows.flat();
    return inRow((at) => all.slice(at * size, (at + 1) * size));
  });
  const has = (value: unknown): value is T[] =>
    Array.isArray(value) && value.length > 0 && value.length <= size && value.every(of.has);
  return { row, has };
}

/**
 * Each value of a domain on each of several operations: first all of one turn, each on another operation, then all of them
 * on the next. `turn` is how many values a turn has.
 */
export function onEach<const O extends string, P extends Parts>(
  operations: readonly O[],
  parts: P,
  turn: number,
): Domain<{ operation: O } & Whole<P>> {
  type Value = { operation: O } & Whole<P>;
  const row = fc.tuple(members(parts).row, fc.nat(operations.length - 1)).map(([all, start]) =>
    Array.from({ length: Math.max(ROW, turn * operations.length) }, (_, index): Value => {
      const [round, at] = [Math.floor(index / turn), index % turn];
      const operation = operations[(start + round + at) % operations.length] as O;
      const drawn = all[turn * Math.floor(round / operations.length) + at];
      return { operation, ...(drawn as Whole<P>) };
    }),
  );
  const { has } = members({ operation: oneOf(operations), ...parts });
  return { row, has: has as Domain<Value>['has'] };
}

/** Lists of one of these each, where they are several: they are smaller. */
export const eachAlone = <T>(all: readonly T[]): T[][] => (all.length === 1 ? [] : all.map((one) => [one]));

/** All values, in an order that is drawn. */
export const shuffled = <T>(all: readonly T[]): Arbitrary<T[]> =>
  fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length });

const arrayOf = <T>(one: Arbitrary<T>, length: number): Arbitrary<T[]> =>
  fc.array(one, { minLength: length, maxLength: length });

const inRow = <T>(valueAt: (at: number) => T): T[] => Array.from({ length: ROW }, (_, at) => valueAt(at));

const inTurn = <T>(all: readonly T[]): Arbitrary<T[]> =>
  arrayOf(shuffled(all), Math.ceil(ROW / Math.max(1, all.length))).map((rows) => rows.flat().slice(0, ROW));
