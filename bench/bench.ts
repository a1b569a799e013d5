import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags } from '../src/cli/flags.ts';
import { SettingsError } from '../src/settings/errors.ts';
import { wholeNumber } from '../src/settings/table.ts';
import { benchmarks, largeRuns, plainRun, testRun } from './benchmarks.ts';
import { type Benchmark, measure } from './measure.ts';
import { table } from './table.ts';
import { cloneAt, thisTree } from './trees.ts';

/**
 * Measures whole processes in turn and prints a table. An unusable argument ends in one sentence
 * and exit code 1.
 */
export async function main(args: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    await bench(readOptions(args), folder);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Options {
  /** The number of rounds that count. */
  rounds: number;
  /** The names of the rows to measure contain this text. */
  only: string;
  /** The commit to compare with. */
  against: string | undefined;
  /** Whether to measure `npm test`, too. */
  tests: boolean;
}

const HINT = 'The options are --rounds N, --only TEXT, --against COMMIT and --tests.';

function readOptions(args: string[]): Options {
  const options = {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    against: { type: 'string' },
    tests: { type: 'boolean', default: false },
  } as const;
  const { values } = parseFlags({ args, options }, HINT);
  const rounds = wholeNumber(1).read(values.rounds, { name: '--rounds', directory: '' });
  return { rounds, only: values.only, against: values.against, tests: values.tests };
}

async function bench(options: Options, folder: string): Promise<void> {
  const signal = interruption();
  const selected = select(options);
  const other = options.against === undefined ? undefined : cloneAt(options.against, folder);
  const trees = other === undefined ? [thisTree] : [thisTree, other];
  const { rounds } = options;
  const samples = await measure(selected, { trees, rounds, folder, signal });
  const text = table(selected, samples, { rounds, other });
  process.stdout.write(`${text}\n`);
}

/** Returns a signal of Ctrl-C, after which the temporary folder must still be removed. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => controller.abort(new SettingsError('Interrupted: nothing to show.')));
  return controller.signal;
}

/** Returns the benchmarks to measure. A large run needs the plain one to be compared with. */
function select({ only, tests }: Options): Benchmark[] {
  const all = tests ? [...benchmarks, testRun] : benchmarks;
  const named = all.filter(({ name }) => name.includes(only));
  if (named.length === 0) {
    const names = all.map(({ name }) => `"${name}"`).join(', ');
    throw new SettingsError(`--only is "${only}", which none of the rows contains: ${names}.`);
  }
  const needsPlain = named.some((benchmark) => largeRuns.includes(benchmark));
  return all.filter(
    (benchmark) => named.includes(benchmark) || (needsPlain && benchmark === plainRun),
  );
}
