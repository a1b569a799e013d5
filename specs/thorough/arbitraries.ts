import fc from 'fast-check';
import { linesOf } from '../../src/http/lists.ts';
import { type Case, OPERATIONS } from '../../src/requirement/case.ts';
import type { Part } from '../../src/requirement/requirement.ts';
import { capitalize } from '../../src/run/users.ts';
import type { Kind } from '../../src/thorough/draw.ts';

// The arbitraries of which those of each subject are composed.

/** Returns the lines of a list, `words/NAME.txt`, which has one item in each. */
export const lines = (name: string): string[] => linesOf(`../words/${name}`, import.meta.url);

/** Returns the header that a line such as `name: value` stands for. */
export function headerOf(line: string): [name: string, value: string] {
  const [name = '', value = ''] = line.split(/: (.*)/s);
  return [name.toLowerCase(), value];
}

/** Draws one of some texts. */
export const oneOf = (...texts: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...texts);

/** Draws a line of a list. */
export const lineOf = (name: string): fc.Arbitrary<string> => oneOf(...lines(name));

/** Draws a text with drawn parts, as in text`Bearer ${token}`. */
export const text = (
  { raw }: TemplateStringsArray,
  ...parts: readonly (string | fc.Arbitrary<string>)[]
): fc.Arbitrary<string> => {
  const drawn = parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part));
  return fc.tuple(...drawn).map((texts) => String.raw({ raw }, ...texts));
};

/** Draws one of some arbitraries, as often as their weights say. */
export const weighted = <T>(...choices: readonly [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const CASES = [capitalize, (word: string) => word, (word: string) => word.toUpperCase()];

/** Draws a word with a capital, as it is, or in capitals. */
export const inAnyCase = (words: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(words, fc.constantFrom(...CASES)).map(([word, write]) => write(word));

/** Usual lengths of columns, buffers and blocks. */
const LENGTHS = [8, 16, 32, 64, 100, 128, 255, 256, 500, 512, 1000, 1024, 2000, 2048, 4096, 8192];

/** Draws a length around a usual one. */
export const lengths = (least: number, most: number): fc.Arbitrary<number> => {
  const usual = LENGTHS.filter((length) => length >= least && length <= most);
  return fc
    .tuple(fc.constantFrom(...usual), fc.constantFrom(0, -1, 1))
    .map(([length, more]) => length + more);
};

/** Draws a character, repeated. */
export const repeated = (unit: string, times: fc.Arbitrary<number>): fc.Arbitrary<string> =>
  times.map((count) => unit.repeat(count));

/** Draws characters that are invisible, or that change others. */
export const invisible = oneOf(
  ...'\0\u0001\u0007\b\t\n\v\f\r\u001b\u007f\u0085\u00a0\u00ad\u0301\u200b\u200d\u202e\u2028\u2029\u3000\ufeff',
);

/** Returns the beginning of a long text. */
export const shortened = (long: string): string =>
  long.length > 100 ? `${long.length} characters like ${long.slice(0, 20)}` : long;

/** Draws cases on any operation, or on some. */
export const onAny = (
  cases: fc.Arbitrary<Omit<Case, 'operation'>>,
  operations = OPERATIONS,
): fc.Arbitrary<Case> =>
  fc
    .tuple(cases, fc.constantFrom(...operations))
    .map(([drawn, operation]) => ({ ...drawn, operation }));

/** Declares a kind of cases. */
export const kind = (
  name: string,
  slugs: readonly string[],
  perRound: Kind<Case>['perRound'],
  cases: fc.Arbitrary<Case>,
  part?: Part,
): Kind<Case> => ({ name, slugs, perRound, cases, ...(part && { part }) });
