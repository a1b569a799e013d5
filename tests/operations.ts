import { relative } from 'node:path';
import { type ESTree, type Plugin, parseSync, runnerImport, Visitor } from 'vite';
import type { requirements } from '../specs/index.ts';
import type { judgeAgain } from '../src/run/again.ts';
import type { judgeAll } from './run.ts';
import type { startHere } from './services/here.ts';

/** The operations of each function, by its place: `src/history/list.ts:50:23`. */
export type Operations = ReadonlyMap<string, number>;

/** A copy of the suite that counts its operations. */
export interface CountingSuite {
  judgeAll: typeof judgeAll;
  judgeAgain: typeof judgeAgain;
  requirements: typeof requirements;
  startHere: typeof startHere;
  /** Returns the operations of the suite during a call. */
  countOperations: (run: () => unknown) => Promise<Operations>;
}

const ROOT = `${import.meta.dirname}/..`;
const SUITE = 'virtual:counting-suite';
const SUITE_CODE = `
export { requirements } from '/specs/index.ts';
export { judgeAgain } from '/src/run/again.ts';
export { counts } from '/tests/operations.ts';
export { judgeAll } from '/tests/run.ts';
export { startHere } from '/tests/services/here.ts';
`;
const COUNTING_IMPORT =
  "import { count as $count, countValues as $countValues } from '/tests/operations.ts';";

/** The modules whose operations are counted. */
const COUNTED = /^(src|specs|schemas)\/[^?]*\.[jt]s$/;

/**
 * Loads a copy of the suite with counters in its code. The profiler of V8 misses calls of functions
 * that V8 has optimized, and the blocks of modules that were loaded before it started.
 */
export async function loadCountingSuite(): Promise<CountingSuite> {
  const places: string[] = [];
  const plugin: Plugin = {
    name: 'count-operations',
    enforce: 'pre',
    resolveId: (id) => (id === SUITE ? id : undefined),
    load: (id) => (id === SUITE ? SUITE_CODE : undefined),
    transform: (code, id) => {
      const path = relative(ROOT, id);
      if (!COUNTED.test(path)) return undefined;
      return { code: withCounters(code, path, places), map: null };
    },
  };
  const { module } = await runnerImport<CountingModule>(SUITE, {
    root: ROOT,
    configFile: false,
    envDir: false,
    plugins: [plugin],
  });
  const { counts: suiteCounts, ...suite } = module;
  const countOperations = async (run: () => unknown): Promise<Operations> => {
    suiteCounts.fill(0);
    await run();
    return new Map(places.map((place, index) => [place, suiteCounts[index] ?? 0]));
  };
  return { ...suite, countOperations };
}

/** The copy of the suite, with the counts of its own copy of this module. */
type CountingModule = Omit<CountingSuite, 'countOperations'> & { counts: number[] };

/** The operations by the index of their place. */
export const counts: number[] = [];

/** Counts operations. The code of the copy calls it. */
export function count(place: number, operations = 1): void {
  counts[place] = (counts[place] ?? 0) + operations;
}

/** Counts the values that native code reads, and returns their holder. */
export function countValues<T>(place: number, holder: T): T {
  count(place, sizeOf(holder));
  return holder;
}

function sizeOf(holder: unknown): number {
  if (Array.isArray(holder) || holder instanceof Uint8Array) return holder.length;
  if (holder instanceof Map || holder instanceof Set) return holder.size;
  return typeof holder === 'object' && holder !== null ? Object.keys(holder).length : 0;
}

/** Methods of arrays that read each item and call no function. */
const READING_METHODS =
  /^(includes|indexOf|lastIndexOf|concat|join|flat|shift|unshift|toReversed)$/;

/** Native functions that read each value of their first argument. */
const READERS = /^(Set|Map|Array\.from|Object\.(assign|entries|fromEntries|keys|values))$/;

/**
 * Returns the code of a module with counters: of the calls of each function, the rounds of its
 * loops, and the values that it spreads or that native functions read for it. The index of a
 * function in `places` is that of its count.
 */
function withCounters(code: string, path: string, places: string[]): string {
  const insertions = new Insertions();
  const functions: number[] = [];
  const here = () => functions.at(-1);
  const textOf = ({ start, end }: ESTree.Node) => code.slice(start, end);
  const enter = (start: number) => {
    const lines = code.slice(0, start).split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    functions.push(places.push(`${path}:${lines.length}:${column}`) - 1);
  };
  const leave = () => functions.pop();
  const enterFunction = ({ start, body }: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    enter(start);
    if (body?.type === 'BlockStatement') insertions.add(body.start + 1, `$count(${here()});`);
    else if (body) insertions.wrap(body, `($count(${here()}), `, ')');
  };
  const countRounds = ({ body }: { body: ESTree.Statement }) =>
    insertions.wrap(body, `{ $count(${here()}); `, '}');
  const countValuesOf = (holder: ESTree.Expression) =>
    insertions.wrap(holder, `$countValues(${here()}, `, ')');
  const countArgument = (call: ESTree.CallExpression | ESTree.NewExpression) => {
    const [argument] = call.arguments;
    if (argument === undefined || argument.type === 'SpreadElement') return;
    if (READERS.test(textOf(call.callee))) countValuesOf(argument);
  };
  const countReceiver = ({ callee }: ESTree.CallExpression) => {
    if (callee.type !== 'MemberExpression') return;
    const { object, property, optional } = callee;
    if (!READING_METHODS.test(textOf(property))) return;
    countValuesOf(object);
    // The counter takes the `?.` of a receiver such as `a?.b` out of the chain of the call.
    if (!optional) insertions.add(property.start - 1, '?');
  };
  enter(0);
  const visitor = new Visitor({
    FunctionDeclaration: enterFunction,
    FunctionExpression: enterFunction,
    ArrowFunctionExpression: enterFunction,
    'FunctionDeclaration:exit': leave,
    'FunctionExpression:exit': leave,
    'ArrowFunctionExpression:exit': leave,
    ForStatement: countRounds,
    ForOfStatement: countRounds,
    ForInStatement: countRounds,
    WhileStatement: countRounds,
    DoWhileStatement: countRounds,
    SpreadElement: ({ argument }) => countValuesOf(argument),
    NewExpression: countArgument,
    CallExpression: (call) => {
      countArgument(call);
      countReceiver(call);
    },
  });
  visitor.visit(parseSync(path, code).program);
  return COUNTING_IMPORT + insertions.apply(code);
}

/** Texts to insert into code. Each syntax node must come before those inside it. */
class Insertions {
  readonly #openings = new Map<number, string>();
  readonly #closings = new Map<number, string>();

  add(position: number, text: string): void {
    this.#openings.set(position, (this.#openings.get(position) ?? '') + text);
  }

  wrap({ start, end }: { start: number; end: number }, opening: string, closing: string): void {
    this.add(start, opening);
    this.#closings.set(end, closing + (this.#closings.get(end) ?? ''));
  }

  apply(code: string): string {
    const positions = new Set([0, ...this.#openings.keys(), ...this.#closings.keys()]);
    const ordered = [...positions].sort((a, b) => a - b);
    const parts = ordered.map((position, index) => {
      const closing = this.#closings.get(position) ?? '';
      const opening = this.#openings.get(position) ?? '';
      return closing + opening + code.slice(position, ordered[index + 1]);
    });
    return parts.join('');
  }
}
