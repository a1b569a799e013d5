import fc, { type Arbitrary, type GeneratorValue } from 'fast-check';
import { isObject } from '../http/value.ts';
import type { DrawnPart } from '../requirement/requirement.ts';

/** A part of some requirements' evidence, and what stands in it of a drawn case. */
export interface Fill<C> {
  part: DrawnPart<never>;
  casesOf: (one: C) => readonly unknown[];
}

/**
 * What is explored beyond the plan: cases of one kind, drawn from a seed, in the evidence of the requirements that
 * judge them.
 */
export interface Topic<P = unknown> {
  /** The name, for the coverage in reports. */
  what: string;
  /** What the cases are made of: plain JSON, so that one can be kept in a file and sent again. */
  params: Domain<P>;
  toCase(params: P): unknown;
  /** How many each round takes. */
  perRound: number;
  /** How many users one case creates at most. */
  users: number;
  fills: Fill<never>[];
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

/** Where cases of a topic stand: in a part of the evidence, they or something of them. */
export type Place<C> = DrawnPart<C> | Fill<C>;

/**
 * A part of the evidence in which something else of a case stands than itself: which of them, or what they are about.
 */
export const into = <C, D>(part: DrawnPart<D>, casesOf: (one: C) => readonly D[]): Fill<C> => ({ part, casesOf });

/** Declares a topic: its cases are of the type that the parts of the evidence take. */
export function topic<P extends Parts, C>(
  about: Partial<Topic<Whole<NoInfer<P>>>> & Pick<Topic, 'what' | 'perRound'>,
  parts: Place<C>[],
  params: P,
  toCase: (params: Whole<P>) => NoInfer<C>,
): Topic {
  const fills = parts.map((part): Fill<C> => ('casesOf' in part ? part : { part, casesOf: (one) => [one] }));
  return { users: 0, ...about, fills, params: members(params), toCase };
}

/**
 * The values that a parameter of drawn cases may have, plain JSON: how they are drawn, whether a value that was read
 * from a file is one of them, and which are smaller than one by which something fails.
 */
export interface Domain<T> {
  /** Values without end. */
  draw(gen: GeneratorValue): Generator<T, never>;
  has(value: unknown): value is T;
  /** The smallest first. */
  smaller?(value: T): Iterable<T>;
}

type Parts = Record<string, Domain<unknown>>;
/** What objects of these members are. */
export type Whole<P extends Parts> = { [Name in keyof P]: P[Name] extends Domain<infer T> ? T : never };

/** Draws values of a domain: from one seed always the same. */
export function drawnFrom<T>(domain: Domain<T>, seed: number): Generator<T, never> {
  const [gen] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  return domain.draw(gen as GeneratorValue);
}

/** So many values, the next ones. */
export const take = <T>(values: Generator<T, never>, count: number): T[] =>
  Array.from({ length: count }, () => values.next().value);

/** All values, in an order that is drawn. */
export const shuffled = <T>(all: readonly T[]): Arbitrary<T[]> =>
  fc.shuffledSubarray([...all], { minLength: all.length });

/** These values, and then one of each class after the other; each of them before one comes again. */
export function oneOf<const T extends string | number | boolean>(
  first: readonly T[],
  ...classes: (readonly T[])[]
): Domain<T> {
  const lists = [first, ...classes];
  return {
    *draw(gen) {
      const most = Math.max(0, ...classes.map(({ length }) => length));
      for (;;) {
        const [own = [], ...others] = lists.map((all) => gen(shuffled<T>, all));
        yield* own;
        for (let at = 0; at < most; at += 1) for (const other of others) yield* other.slice(at, at + 1);
      }
    },
    has: (value): value is T => lists.some((all) => all.includes(value as T)),
  };
}

/** Values at random. A value from a file is one where `isOne` says so: none where texts are made of them. */
export function random<T>(one: Arbitrary<T>, isOne: (value: unknown) => boolean = () => false): Domain<T> {
  const unbiased = () => fc.noBias(one);
  return {
    *draw(gen) {
      for (;;) yield gen(unbiased);
    },
    has: (value): value is T => isOne(value),
  };
}

/** Objects of these members. */
export function members<P extends Parts>(parts: P): Domain<Whole<P>> {
  const names = Object.keys(parts);
  return {
    *draw(gen) {
      const values = Object.entries(parts).map(([name, part]) => [name, part.draw(gen)] as const);
      for (;;) yield Object.fromEntries(values.map(([name, all]) => [name, all.next().value])) as Whole<P>;
    },
    has: (value): value is Whole<P> =>
      isObject(value) &&
      Object.keys(value).length === names.length &&
      names.every((name) => Object.hasOwn(value, name) && parts[name]?.has(value[name])),
    *smaller(value) {
      for (const name of names)
        for (const one of parts[name]?.smaller?.(value[name]) ?? []) yield { ...value, [name]: one };
    },
  };
}

/** A way to make texts: how often it comes, what a text is made of, and how. */
export function way<P extends Parts>(weight: number, parts: P, textOf: (params: Whole<P>) => string) {
  return {
    weight,
    *draw(gen: GeneratorValue): Generator<string, never> {
      for (const params = members(parts).draw(gen); ; ) yield textOf(params.next().value);
    },
  };
}

/**
 * Texts that are made in several ways, which come as often as they weigh. Of the domain are all of which `isOne` is
 * true; those with fewer characters are smaller.
 */
export function textsMade(isOne: (text: string) => boolean, ...ways: ReturnType<typeof way>[]): Domain<string> {
  const turns = oneOf(ways.flatMap(({ weight }, index) => new Array<number>(weight).fill(index)));
  return {
    *draw(gen) {
      const texts = ways.map((one) => one.draw(gen));
      for (const order = turns.draw(gen); ; ) yield texts[order.next().value]?.next().value ?? '';
    },
    has: (value): value is string => typeof value === 'string' && isOne(value),
    *smaller(text) {
      const characters = [...text];
      for (const { value } of fc.subarray(characters, { minLength: 1 }).shrink(characters, undefined))
        if (isOne(value.join(''))) yield value.join('');
    },
  };
}

/** Lists of so many values of a domain, one after the other as they are drawn. One value alone is smaller. */
export function lists<T>(of: Domain<T>, size: number): Domain<T[]> {
  return {
    *draw(gen) {
      const values = of.draw(gen);
      for (;;) yield take(values, size);
    },
    has: (value): value is T[] =>
      Array.isArray(value) && value.length > 0 && value.length <= size && value.every((one) => of.has(one)),
    smaller: (all) => (all.length === 1 ? [] : all.map((one) => [one])),
  };
}
